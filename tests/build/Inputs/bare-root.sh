#!/bin/sh
# bare-root.sh PROGRAM ROOT: makes in ROOT a system with PROGRAM, the C and C++
# libraries that it names, and nothing of LLVM, libomptarget or libomp.
set -e
program=$1 root=$2
rm -rf "$root"
mkdir -p "$root/tmp" "$root/proc"
ldd "$program" | grep -o '/[^ )]*' | while read -r library; do
  case $library in
  *LLVM* | *omp* | *offload*) echo "$program needs $library" >&2; exit 1 ;;
  esac
  mkdir -p "$root/$(dirname "$library")"
  cp -L "$library" "$root/$library"
done
cp "$program" "$root/program"
