//===- Collectives.cpp - What GPU threads do together ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers and warp operations become the target's instructions. Which ones
// depends on whether the threads of a warp come together (Convergence.cpp): the
// cheap instructions ask for that.
//
// An AMD wave has one program counter and arrives at barriers as a whole. The
// host's compiler may have copied a barrier into both arms of a branch: it saw
// a call like any other. Such barriers are made one again (MergeBarriers.cpp).
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace ferry {

static std::optional<Collective> collectiveAt(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? collectiveFor(*Callee) : std::nullopt;
}

void markConvergent(Module &M) {
  bool Any = any_of(
      M, [](const Function &F) { return collectiveFor(F) && !F.use_empty(); });
  if (!Any)
    return;
  for (Function &F : M) {
    if (F.isIntrinsic() || queryFor(F))
      continue;
    F.setConvergent();
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction();
            !Callee || (!Callee->isIntrinsic() && !queryFor(*Callee)))
          Call->setConvergent();
  }
}

namespace {

class CollectiveLowering {
public:
  CollectiveLowering(Module &M, const GpuTarget &Gpu,
                     FunctionAnalysisManager &Analyses)
      : M(M), Gpu(Gpu), Analyses(Analyses) {}
  Error run();

private:
  void findFunctionsThatWait();
  bool mayWait(const CallBase &Call) const;
  /// In other functions nothing tells how their callers' threads parted.
  bool isKernel(const Function &F) const {
    return F.getCallingConv() == Gpu.kernelConvention();
  }
  Error lowerBarriers(Function &F);
  void lowerWarpOperations(Function &F);
  void replace(CallBase &Call, bool Together);

  Module &M;
  const GpuTarget &Gpu;
  FunctionAnalysisManager &Analyses;
  /// Functions, not inlined into their callers, in which threads meet.
  SetVector<const Function *> Waiting;
  bool WaitsThroughPointers = false;
};

} // namespace

void CollectiveLowering::findFunctionsThatWait() {
  for (const Function &F : M)
    if (any_of(instructions(F), collectiveAt))
      Waiting.insert(&F);
  for (unsigned I = 0; I != Waiting.size(); ++I) {
    WaitsThroughPointers |= Waiting[I]->hasAddressTaken();
    for (const User *U : Waiting[I]->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Waiting.insert(Call->getFunction());
  }
}

/// A call of a function, not itself a collective, in which threads meet.
bool CollectiveLowering::mayWait(const CallBase &Call) const {
  if (Call.isInlineAsm())
    return false;
  const Function *Callee = Call.getCalledFunction();
  return Callee ? Waiting.contains(Callee) : WaitsThroughPointers;
}

void CollectiveLowering::replace(CallBase &Call, bool Together) {
  IRBuilder<> B(&Call);
  switch (*collectiveAt(Call)) {
  case Collective::SyncThreads:
    Gpu.barrier(B, Together);
    break;
  case Collective::WarpBallot:
    Call.replaceAllUsesWith(
        Gpu.ballot(B, B.CreateIsNotNull(Call.getArgOperand(0)), Together));
    break;
  case Collective::WarpShuffle: {
    Value *Last = B.CreateSub(Gpu.warpSize(B), B.getInt32(1));
    Value *Lane = B.CreateAnd(Call.getArgOperand(1), Last);
    Call.replaceAllUsesWith(
        Gpu.shuffle(B, Call.getArgOperand(0), Lane, Together));
    break;
  }
  }
  Call.eraseFromParent();
}

Error CollectiveLowering::lowerBarriers(Function &F) {
  Sites Barriers, Here;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    bool IsBarrier = collectiveAt(I) == Collective::SyncThreads;
    if (IsBarrier)
      Here.push_back(Call);
    if (IsBarrier || mayWait(*Call))
      Barriers.push_back(Call);
  }
  if (Here.empty() && !Gpu.warpsMeetAtBarriers())
    return Error::success();

  isolate(Barriers);
  Analyses.invalidate(F, PreservedAnalyses::none());
  std::vector<Sites> Divided = dividedBarriers(F, Barriers, Analyses);
  if (Gpu.warpsMeetAtBarriers()) {
    for (const Sites &Group : Divided)
      if (!all_of(Group, [](CallBase *C) { return collectiveAt(*C); }))
        return createStringError(
            "a barrier in a function that cannot be inlined, called where "
            "threads of a warp may part: AMD GPUs cannot wait there");
    mergeBarriers(F, Divided);
    Analyses.invalidate(F, PreservedAnalyses::none());
    Divided.clear();
  }
  SmallPtrSet<const Value *, 8> Apart;
  for (const Sites &Group : Divided)
    Apart.insert_range(Group);
  SmallVector<CallBase *, 8> All;
  for (Instruction &I : instructions(F))
    if (collectiveAt(I) == Collective::SyncThreads)
      All.push_back(cast<CallBase>(&I));
  for (CallBase *Call : All)
    replace(*Call, isKernel(F) && !Apart.contains(Call));
  return Error::success();
}

void CollectiveLowering::lowerWarpOperations(Function &F) {
  Sites Meetings, Operations;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    std::optional<Collective> What = collectiveAt(I);
    if (What && What != Collective::SyncThreads)
      Operations.push_back(Call);
    if (What || mayWait(*Call))
      Meetings.push_back(Call);
  }
  if (Operations.empty())
    return;
  isolate(Meetings);
  Analyses.invalidate(F, PreservedAnalyses::none());
  SmallPtrSet<CallBase *, 8> Partial = partialMeetings(F, Meetings, Analyses);
  for (CallBase *Call : Operations)
    replace(*Call, isKernel(F) && !Partial.contains(Call));
}

Error CollectiveLowering::run() {
  findFunctionsThatWait();
  for (const Function *Function : Waiting) {
    auto &F = const_cast<llvm::Function &>(*Function);
    // Warp operations first, while barriers are still to be seen.
    lowerWarpOperations(F);
    if (Error E = lowerBarriers(F))
      return E;
    Analyses.invalidate(F, PreservedAnalyses::none());
  }
  return Error::success();
}

Error lowerCollectives(Module &M, const GpuTarget &Gpu,
                       FunctionAnalysisManager &Analyses) {
  return CollectiveLowering(M, Gpu, Analyses).run();
}

} // namespace ferry
