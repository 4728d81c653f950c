//===- Records.cpp - What the stages hand to each other -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Records.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ferry {

bool Kernel::hasApartVersion() const {
  unsigned Buffers = 0;
  bool Promised = true, Written = false;
  for (const Field &F : Fields)
    if (F.IsBuffer) {
      ++Buffers;
      Promised &= F.Unique;
      Written |= !F.isInput();
    }
  return Buffers > 1 && Written && !Promised;
}

std::optional<Query> queryFor(const Function &F) {
  return StringSwitch<std::optional<Query>>(F.getName())
      .Case("__ferry_thread_idx", Query::ThreadIdx)
      .Case("__ferry_block_idx", Query::BlockIdx)
      .Case("__ferry_block_dim", Query::BlockDim)
      .Case("__ferry_grid_dim", Query::GridDim)
      .Case("__ferry_global_idx", Query::GlobalIdx)
      .Case("__ferry_global_dim", Query::GlobalDim)
      .Case("__ferry_global_id", Query::GlobalId)
      .Case("__ferry_warp_size", Query::WarpSize)
      .Case("__ferry_warp_lane", Query::WarpLane)
      .Case("__ferry_dynamic_shared_bytes", Query::DynamicSharedBytes)
      .Default(std::nullopt);
}

std::optional<Collective> collectiveFor(const Function &F) {
  return StringSwitch<std::optional<Collective>>(F.getName())
      .Case("__ferry_sync_threads", Collective::SyncThreads)
      .Case("__ferry_warp_ballot", Collective::WarpBallot)
      .Case("__ferry_warp_shuffle", Collective::WarpShuffle)
      .Default(std::nullopt);
}

bool isSharedDeclaration(const GlobalVariable &G) {
  return G.getName() == DynamicSharedSymbol ||
         (G.isDeclaration() && G.getName().starts_with("ferry.shared."));
}

SharedLayout layOutShared(const DeviceProgram &Program, const DeviceKernel &K) {
  SharedLayout Layout;
  for (unsigned Index : K.Shared) {
    const SharedObject &Object = Program.Shared[Index];
    Layout.Bytes = alignTo(Layout.Bytes, Object.Alignment);
    Layout.Offsets.push_back(Layout.Bytes);
    Layout.Bytes += Object.Bytes;
  }
  return Layout;
}

} // namespace ferry
