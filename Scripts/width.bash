# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that run Swift's tests: two of them for each processor at a time, as later versions of Swift
# Testing do by themselves. This one begins all at once, and what waits for a deadline then waits behind 2,000 others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$((
    2 * $(getconf _NPROCESSORS_ONLN)))}
