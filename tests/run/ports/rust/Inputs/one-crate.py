"""Writes a Cargo.toml to standard output whose programs are the files given.

    one-crate.py CRATE FILE.rs...
"""

import os
import sys

crate, *files = sys.argv[1:]
print('[package]\nname = "ports"\nversion = "0.1.0"\nedition = "2024"')
for file in files:
    name = os.path.splitext(os.path.basename(file))[0]
    print(f'[[bin]]\nname = "{name}"\npath = "{os.path.abspath(file)}"')
print(f'[dependencies]\nferry = {{ path = "{crate}" }}\n[workspace]')
