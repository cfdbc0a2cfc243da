# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# How the C kernel is compiled where every warning is an error: for Scripts/check and Scripts/added-kernel, which source
# this file.
# shellcheck disable=SC2034
strict="-std=c11 -ffreestanding -O2 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wvla \
-Wstrict-prototypes -Werror"
