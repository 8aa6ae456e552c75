#!/usr/bin/env python3
"""Words for $readmemh, of so many bits, of a file that begins at the first address.

    python3 ram_words.py FILE BITS
"""
import pathlib
import sys

contents = pathlib.Path(sys.argv[1]).read_bytes()
size = int(sys.argv[2]) // 8
for at in range(0, len(contents), size):
    print(contents[at:at + size].ljust(size, b"\0")[::-1].hex())
