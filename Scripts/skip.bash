# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that leave a part out where a tool is missing.
#
#   skip NAME REASON     prints "skipped: NAME: REASON". With CI=true that is a failure, unless Scripts/skips.allowed
#                        names NAME.
skip() {
    echo "skipped: $1: $2"
    [ "${CI:-}" = true ] || return 0
    ! cut -d'|' -f1 "$(dirname "${BASH_SOURCE[0]}")/skips.allowed" | grep -v '^#' | sed 's/ *$//' |
        grep -qxF -- "$1" || return 0
    echo "$1 may not be skipped in CI (Scripts/skips.allowed)" >&2
    return 1
}
