# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that do two things at once.
#
#   begin NAME COMMAND…    in the background; what it says is kept
#   finish NAME            waits for it: what it said, and its exit status
#
# Whatever has begun ends with the script that began it, also when that fails or is interrupted.
beside=$(mktemp -d)
trap 'end_all' EXIT

end_all() {
    local process
    for process in "$beside"/*.process; do
        # A group of its own: what the command has started ends with it.
        [ ! -e "$process" ] || kill -- "-$(cat "$process")" 2>/dev/null || true
    done
    rm -rf "$beside"
}

begin() {
    local name=$1
    shift
    set -m
    (
        set +m
        status=0
        # In a process of its own, which may exit.
        ("$@") >"$beside/$name.log" 2>&1 || status=$?
        echo $status >"$beside/$name.status"
    ) </dev/null &
    echo $! >"$beside/$name.process"
    set +m
}

finish() {
    wait "$(cat "$beside/$1.process")" || true
    rm "$beside/$1.process"
    cat "$beside/$1.log"
    return "$(cat "$beside/$1.status")"
}
