//===- Emit.cpp - Device modules to images --------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Codegen.h"

using namespace llvm;

namespace ferry {

static Expected<SmallVector<char, 0>> emitBytes(Module &M, const Target &T) {
  switch (T.Kind) {
  case TargetKind::Virtual:
    return emitVirtual(M, T);
  case TargetKind::Nvptx:
    return emitNvptx(M, T);
  case TargetKind::Amdgpu:
    return emitAmdgpu(M, T);
  case TargetKind::Cpu:
    break;
  }
  llvm_unreachable("the cpu device runs code of the program itself");
}

Expected<Image> emitImage(Module &M, const Target &T) {
  Expected<SmallVector<char, 0>> Bytes = emitBytes(M, T);
  if (!Bytes)
    return Bytes.takeError();
  return Image{T, std::move(*Bytes)};
}

} // namespace ferry
