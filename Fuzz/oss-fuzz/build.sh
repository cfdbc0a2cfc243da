#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds every fuzz target as OSS-Fuzz wants it: CC, CFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT are given. In OUT then
# lie the targets, a corpus of seeds for those that have one, the dictionary and traces, which give recorded taps.
set -eu
cd "$SRC/cemv"
flags="$CFLAGS -std=c11 -D_DEFAULT_SOURCE -DCEMV_TRAP_EDGES -I Sources/CEMV/include -I Tests/CEMVInternals/include"
objects=()
for source in $(find Sources/CEMV -name '*.c' | sort) \
    Tests/CEMVInternals/{taps,fuzz,fuzz_reader,fuzz_kernel_8,faults}.c Tests/Proving/recorded.c \
    Tests/Corpus/{json,reading,trace,configuration,options,replay,kernel_cemv}.c Tests/Secrets/secrets.c; do
    object=$WORK/$(echo "$source" | tr / _).o
    # shellcheck disable=SC2086
    $CC $flags -c "$source" -o "$object"
    objects+=("$object")
done
for path in Fuzz/Targets/*.c; do
    target=$(basename "$path" .c)
    [ "$target" != canary ] || continue # it must crash
    # shellcheck disable=SC2086
    $CC $flags -c "$path" -o "$WORK/target_$target.o"
    # shellcheck disable=SC2086
    ${CXX:-$CC} $CFLAGS "$WORK/target_$target.o" "${objects[@]}" $LIB_FUZZING_ENGINE -o "$OUT/$target"
    cp Fuzz/emv.dict "$OUT/$target.dict"
done
data=$(Scripts/independent)
find Tests/Independent "$data" -maxdepth 1 -name '*.taps' ! -name 'k*8*' | sort | xargs cat >"$OUT/recorded.taps"

# The seeds that the script makes, and the corpora of this directory. The Swift targets are not built here.
python3 Fuzz/seeds.py "$WORK/seeds" Tests/Independent/*.taps "$data"/*.taps "$data"/{rules,cryptogram}.txt
for directory in "$WORK"/seeds/*; do
    target=$(basename "$directory")
    [ -e "Fuzz/Targets/$target.c" ] || continue
    [ ! -d "Fuzz/Corpus/$target" ] || cp "Fuzz/Corpus/$target"/* "$directory"
    (cd "$directory" && zip -q -r "$OUT/${target}_seed_corpus.zip" .)
done
