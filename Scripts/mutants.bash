# SPDX-License-Identifier: Apache-2.0
# Sourced by Scripts/mutate and Scripts/rows, at the root of the repository: CEMV with all its mutants, below $build,
# and a program that runs checks over one of them.
# shellcheck shell=bash
build=$PWD/.build-mutate
clang=${CC:-clang}
# The tables of names hold no decision.
sources=$(find Sources/CEMV -name '*.c' -not -path '*/debug/*' | sort)

# Writes the mutated sources and mutants.txt, where they are not up to date.
write_mutants() {
    mkdir -p "$build/objects" "$build/Tests"
    if [ -e "$build/mutants.txt" ] &&
        [ -z "$(find Sources/CEMV Tests/Mutation/mutants.py -newer "$build/mutants.txt" -print -quit)" ]; then
        return
    fi
    rm -rf "$build/Sources"
    # shellcheck disable=SC2086
    python3 Tests/Mutation/mutants.py "$clang" "$build" $sources
    find Sources/CEMV -name '*.h' -o -name '*.inc' -o -path 'Sources/CEMV/debug/*.c' | while read -r header; do
        mkdir -p "$build/$(dirname "$header")"
        cp "$header" "$build/$header"
    done
    rm -f "$build"/objects/*.o
}

# NAME: builds Tests/Mutation/NAME.c with the checks of Tests/Proving and the mutants, as $build/NAME.
build_mutants() (
    rm -rf "$build/Tests" "$build/Proofs"
    mkdir -p "$build/Tests"
    cp -rp Tests/CEMVInternals Tests/Proving Tests/Mutation Tests/Corpus Tests/Secrets "$build/Tests/"
    cp -rp Proofs "$build/"
    cat Tests/Golden/*.txt >"$build/golden.txt"
    flags="-std=gnu11 -O1 -w -D_GNU_SOURCE
        -fsanitize=bounds,object-size,shift,integer-divide-by-zero,null,signed-integer-overflow -fsanitize-trap=all
        -I Sources/CEMV/include -I Tests/CEMVInternals/include -I Tests/Proving"
    cd "$build"
    for source in $(find Sources/CEMV -name '*.c' | sort); do
        object=objects/$(echo "$source" | tr / _).o
        # shellcheck disable=SC2086
        [ -e "$object" ] || "$clang" $flags -c "$source" -o "$object"
    done
    # shellcheck disable=SC2046,SC2086
    "$clang" $flags objects/*.o Tests/CEMVInternals/{golden,faults,fuzz,fuzz_reader,cryptogram_properties}.c \
        $(find Tests/Proving -name '*.c' -not -name main.c -not -name trace.c) \
        Tests/Corpus/{json,reading,trace,configuration,options,replay,kernel_cemv}.c Tests/Secrets/secrets.c \
        "Tests/Mutation/$1.c" -o "$1"
)
