#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mirror.py FROM TO [NAME…]: makes the folder TO like FROM, without files of these names. A file that is the same is
not touched, so that its time stays."""
import pathlib
import shutil
import sys

source, target, left_out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), set(sys.argv[3:])
wanted = {p.relative_to(source) for p in source.rglob("*") if p.is_file() and p.name not in left_out}
for path in [p for p in target.rglob("*") if p.is_file() and p.relative_to(target) not in wanted]:
    path.unlink()
for name in sorted(wanted):
    if not (target / name).exists() or (target / name).read_bytes() != (source / name).read_bytes():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)
