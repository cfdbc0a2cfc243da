# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that run Swift's tests.

# Two of them for each processor at a time, as later versions of Swift Testing do by themselves. This one begins all at
# once, and what waits for a deadline then waits behind 2,000 others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$((
    2 * $(getconf _NPROCESSORS_ONLN)))}

# whole COMMAND…: a run that ends before its last test, whatever its exit status, has not passed. The line that counts
# the tests is the evidence.
whole() {
    local log status=0
    log=$(mktemp)
    "$@" 2>&1 | tee "$log" || status=$?
    if [ $status -eq 0 ] && ! grep -aq 'Test run with [0-9]* tests.* passed after' "$log"; then
        echo "$*: ended before its last test" >&2
        status=1
    fi
    rm -f "$log"
    return $status
}
