"""Prints the code of one kernel's versions from assembly, and how many registers and how
much scratch and shared memory it needs, with the names of other things replaced."""

import re
import sys

assembly = sys.stdin.read()
name = sys.argv[1]
symbol = rf"ferry_{name}_[0-9a-f]{{16}}\w*"
parts = (re.findall(rf"\.entry {symbol}\(.*?\n}}", assembly, re.S)
         or re.findall(rf"^{symbol}:.*?\.Lfunc_end", assembly, re.S | re.M)
         + re.findall(rf"\.amdhsa_kernel {symbol}.*?\.end_amdhsa_kernel", assembly, re.S))
assert parts, "no such kernel"
text = "\n".join(parts)
text = re.sub(r"_[0-9a-f]{16}", "", text)
text = re.sub(r"(BB|shared_\$_|shared\.|Lfunc_end|Ltmp|cfe|LCPI)\d+", r"\1", text)
sys.stdout.write(re.sub(r"[ \t]*(//|;).*", "", text) + "\n")
