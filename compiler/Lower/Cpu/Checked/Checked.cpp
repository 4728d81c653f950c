//===- Checked.cpp - Kernels that report what they touch ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With FERRY_CHECK set, libferry plays a launch thread by thread on one host
// thread, and watches. For that each kernel has a second version: its accesses
// call libferry first (Accesses.cpp), and it is cut at its collectives into
// regions that libferry calls one by one, so that libferry sees which thread
// waits where (runtime.h, ferry_checked_kernel).
//
// Nothing here needs to be fast, and every program carries it, so it should
// cost little to compile: no loops are built around the code and nothing is
// optimised. The thread's place comes from the state that functions out of line
// use (ThreadState.cpp); what the block shares and what the thread keeps are
// found through three more words of it.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Checked/Checked.h"
#include "Lower/Cpu/Cpu.h"
#include "Lower/Cpu/Regions.h"
#include "Lower/DeviceKind.h"
#include "Passes.h"
#include "ferry/runtime.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cstddef>

using namespace llvm;

namespace ferry {

namespace {
/// The words of @ferry.checked.
enum Word : unsigned { ContextWord, StaticWord, DynamicWord, NumWords };

class Builder {
public:
  Builder(const LaunchPlan &Plan, const DeviceProgram &Program)
      : Plan(Plan), Program(Program), Owner(CloneModule(*Program.M)), M(*Owner),
        Ctx(M.getContext()) {}

  std::unique_ptr<Module> run() {
    Target Cpu{TargetKind::Cpu, ""};
    foldDeviceKind(M, /*OnGpu=*/false, CpuWarpSize);
    placeGlobals(M, Program, Cpu);
    instrumentAccesses(M, Sites);
    addWords();
    placeShared();
    for (const Kernel &K : Plan.Kernels)
      cut(K);
    lowerOutOfLineFunctions(M, Program);
    for (Piece &P : Pieces)
      addEntries(P);
    lowerPrints(M, Program, Cpu);
    writeRecords();
    StripDebugInfo(M);
    finish();
    return std::move(Owner);
  }

private:
  /// A kernel's regions, and where its threads keep things.
  struct Piece {
    const Kernel &K;
    CutKernel Cut;
    std::vector<uint64_t> Offsets; ///< of the slots, in a thread's context
    uint64_t ContextBytes = 0;
    std::vector<Function *> Entries; ///< parallel to the regions
  };

  const LaunchPlan &Plan;
  const DeviceProgram &Program;
  std::unique_ptr<Module> Owner;
  Module &M;
  LLVMContext &Ctx;
  CheckSites Sites;
  GlobalVariable *Words = nullptr;
  std::vector<Piece> Pieces;
  std::vector<uint64_t> SharedOffsets; ///< parallel to Program.Shared
  uint64_t SharedBytes = 0;

  Constant *i32(uint64_t V) {
    return ConstantInt::get(Type::getInt32Ty(Ctx), V);
  }
  Constant *i64(uint64_t V) {
    return ConstantInt::get(Type::getInt64Ty(Ctx), V);
  }

  void addWords() {
    auto *T = ArrayType::get(PointerType::get(Ctx, 0), NumWords);
    Words = new GlobalVariable(M, T, false, GlobalValue::InternalLinkage,
                               Constant::getNullValue(T), "ferry.checked",
                               nullptr, GlobalValue::GeneralDynamicTLSModel);
  }

  Value *wordAddress(IRBuilder<> &B, Word W) {
    return B.CreateConstInBoundsGEP1_64(B.getPtrTy(),
                                        B.CreateThreadLocalAddress(Words), W);
  }

  Value *place(Instruction *Before, Word W, uint64_t Offset) {
    IRBuilder<> B(Before);
    return B.CreateConstGEP1_64(
        B.getInt8Ty(), B.CreateLoad(B.getPtrTy(), wordAddress(B, W)), Offset);
  }

  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  /// Functions out of line may serve several kernels, so all kernels find an
  /// object at the same place.
  void placeShared() {
    for (const SharedObject &Object : Program.Shared) {
      SharedBytes = alignTo(SharedBytes, Object.Alignment);
      SharedOffsets.push_back(SharedBytes);
      if (GlobalVariable *G = M.getNamedGlobal(Object.Symbol))
        moveTo(*G, StaticWord, SharedBytes);
      SharedBytes += Object.Bytes;
    }
    if (GlobalVariable *G = M.getNamedGlobal(DynamicSharedSymbol))
      moveTo(*G, DynamicWord, 0);
  }

  void moveTo(GlobalVariable &G, Word W, uint64_t Offset) {
    convertUsersOfConstantsToInstructions({&G});
    SmallVector<Use *> Uses;
    for (Use &U : G.uses())
      Uses.push_back(&U);
    for (Use *U : Uses) {
      auto *User = dyn_cast<Instruction>(U->getUser());
      if (!User)
        continue;
      auto *Phi = dyn_cast<PHINode>(User);
      if (!Phi) {
        U->set(place(User, W, Offset));
        continue;
      }
      BasicBlock *From = Phi->getIncomingBlock(*U);
      // Edges from one block bring one value.
      if (U->get() != &G)
        continue;
      Value *Address = place(From->getTerminator(), W, Offset);
      for (unsigned I = 0; I != Phi->getNumIncomingValues(); ++I)
        if (Phi->getIncomingBlock(I) == From && Phi->getIncomingValue(I) == &G)
          Phi->setIncomingValue(I, Address);
    }
    if (G.use_empty())
      G.eraseFromParent();
  }

  //===--------------------------------------------------------------------===//
  // Regions
  //===--------------------------------------------------------------------===//

  void cut(const Kernel &K) {
    Function *Thread = M.getFunction(K.Symbol);
    Thread->setName(K.Symbol + ".checked.thread");
    Thread->setLinkage(GlobalValue::InternalLinkage);
    Piece P{K, cutAtCollectives(*Thread, /*MayKeepStep=*/false), {}, 0, {}};
    for (const ContextSlot &Slot : P.Cut.Slots) {
      P.ContextBytes = alignTo(P.ContextBytes, Slot.Alignment);
      P.Offsets.push_back(P.ContextBytes);
      P.ContextBytes += Slot.Bytes;
    }
    P.ContextBytes = alignTo(P.ContextBytes, 64);
    for (Region &R : P.Cut.Regions)
      placeSlots(*R.Code, P);
    Pieces.push_back(std::move(P));
  }

  void placeSlots(Function &Code, const Piece &P) {
    for (Instruction &I : make_early_inc_range(instructions(Code))) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || (Callee->getName() != ContextName &&
                      Callee->getName() != ContextOutName))
        continue;
      uint64_t Slot = cast<ConstantInt>(Call->getArgOperand(0))->getZExtValue();
      Call->replaceAllUsesWith(place(Call, ContextWord, P.Offsets[Slot]));
      Call->eraseFromParent();
    }
  }

  //===--------------------------------------------------------------------===//
  // Entries
  //===--------------------------------------------------------------------===//

  /// `i32 entry(ptr slots, ptr thread)`: puts the thread's state where its code
  /// looks for it and calls the region.
  void addEntries(Piece &P) {
    for (auto [Number, R] : enumerate(P.Cut.Regions)) {
      Type *Ptr = PointerType::get(Ctx, 0);
      auto *Entry = Function::Create(
          FunctionType::get(Type::getInt32Ty(Ctx), {Ptr, Ptr}, false),
          GlobalValue::InternalLinkage,
          P.K.Symbol + ".checked.entry." + Twine(Number), M);
      IRBuilder<> B(BasicBlock::Create(Ctx, "entry", Entry));
      Position Where = loadPosition(B, Entry->getArg(1));
      auto Pass = [&](Word W, uint64_t Offset) {
        B.CreateStore(load(B, Entry->getArg(1), B.getPtrTy(), Offset),
                      wordAddress(B, W));
      };
      Pass(ContextWord, offsetof(ferry_checked_thread, context));
      Pass(StaticWord, offsetof(ferry_checked_thread, static_shared));
      Pass(DynamicWord, offsetof(ferry_checked_thread, dynamic_shared));
      SmallVector<Value *> Args;
      for (Argument &A : R.Code->args())
        Args.push_back(
            load(B, Entry->getArg(0), A.getType(), 8 * A.getArgNo()));
      CallInst *Call = B.CreateCall(R.Code, Args);
      B.CreateRet(Call);
      if (M.getNamedGlobal("ferry.thread"))
        storeThreadState(M, Where, Call);
      P.Entries.push_back(Entry);
    }
  }

  static Value *load(IRBuilder<> &B, Value *Base, Type *T, uint64_t Offset) {
    return B.CreateLoad(
        T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset));
  }

  static Position loadPosition(IRBuilder<> &B, Value *Thread) {
    Position P;
    auto Word = [&](uint64_t Offset) {
      return load(B, Thread, B.getInt64Ty(), Offset);
    };
    auto Half = [&](uint64_t Offset) {
      return load(B, Thread, B.getInt32Ty(), Offset);
    };
    for (unsigned D = 0; D != 3; ++D) {
      P.BlockIdx[D] = Half(offsetof(ferry_checked_thread, block_idx) + 4 * D);
      P.ThreadIdx[D] = Half(offsetof(ferry_checked_thread, thread_idx) + 4 * D);
      P.BlockDim[D] = Half(offsetof(ferry_checked_thread, block_dim) + 4 * D);
      P.GridDim[D] = Half(offsetof(ferry_checked_thread, grid_dim) + 4 * D);
      P.GlobalIdx[D] = Word(offsetof(ferry_checked_thread, global_idx) + 8 * D);
      P.GlobalDim[D] = Word(offsetof(ferry_checked_thread, global_dim) + 8 * D);
    }
    P.GlobalId = Word(offsetof(ferry_checked_thread, global_id));
    P.Number = Word(offsetof(ferry_checked_thread, number));
    P.WarpLane = Half(offsetof(ferry_checked_thread, warp_lane));
    P.DynamicShared =
        Word(offsetof(ferry_checked_thread, dynamic_shared_bytes));
    P.Panic =
        load(B, Thread, B.getPtrTy(), offsetof(ferry_checked_thread, panic));
    P.Generation = Half(offsetof(ferry_checked_thread, generation));
    return P;
  }

  //===--------------------------------------------------------------------===//
  // Records
  //===--------------------------------------------------------------------===//

  Constant *array(ArrayRef<Constant *> Elements, const Twine &Name) {
    if (Elements.empty())
      return ConstantPointerNull::get(PointerType::get(Ctx, 0));
    Constant *Init = ConstantArray::get(
        ArrayType::get(Elements[0]->getType(), Elements.size()), Elements);
    return new GlobalVariable(M, Init->getType(), true,
                              GlobalValue::PrivateLinkage, Init, Name);
  }

  Constant *regions(const Piece &P) {
    SmallVector<Constant *> Records;
    for (auto [R, Entry] : zip(P.Cut.Regions, P.Entries)) {
      auto Offset = [&](unsigned Slot) {
        return i32(Slot < P.Offsets.size() ? P.Offsets[Slot] : 0);
      };
      static_assert(unsigned(Collective::SyncThreads) == FERRY_AFTER_BARRIER &&
                    unsigned(Collective::WarpBallot) == FERRY_AFTER_BALLOT &&
                    unsigned(Collective::WarpShuffle) == FERRY_AFTER_SHUFFLE);
      Records.push_back(ConstantStruct::getAnon(
          Ctx,
          {Entry, i32(unsigned(R.After)), Offset(R.Operand), Offset(R.Lane),
           Offset(R.Result), i32(Sites.number(R.Where)), i32(0)}));
    }
    return array(Records, "ferry.checked.regions");
  }

  void writeRecords() {
    SmallVector<Constant *> Shared;
    for (auto [Object, Offset] : zip(Program.Shared, SharedOffsets)) {
      Shared.push_back(i64(Offset));
      Shared.push_back(i64(Object.Bytes));
    }
    Constant *SharedTable = array(Shared, "ferry.checked.shared");
    SmallVector<Constant *> Regions;
    for (const Piece &P : Pieces)
      Regions.push_back(regions(P));
    // The last to be made, as the others number places.
    Constant *SiteTable = Sites.table(M);
    for (auto [P, Table] : zip(Pieces, Regions)) {
      Constant *Record = ConstantStruct::getAnon(
          Ctx, {i64(P.Cut.Regions.size()), Table, i64(P.ContextBytes),
                i64(SharedBytes), i64(Program.Shared.size()), SharedTable,
                SiteTable});
      new GlobalVariable(M, Record->getType(), true,
                         GlobalValue::ExternalLinkage, Record,
                         P.K.Symbol + ".checked");
    }
  }

  void finish() {
    PassBuilder PB;
    ModulePassManager Passes;
    Passes.addPass(GlobalDCEPass());
    runPasses(M, Passes, PB);
    copyHostAttributes(M, *Plan.Kernels.front().Shim);
    for (Function &F : M) {
      if (F.isDeclaration())
        continue;
      for (Attribute::AttrKind Kind :
           {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::MinSize,
            Attribute::OptimizeForSize})
        F.removeFnAttr(Kind);
      F.addFnAttr(Attribute::NoInline);
      F.addFnAttr(Attribute::OptimizeNone);
      F.setSection(".text.ferry.checked");
    }
  }
};
} // namespace

std::unique_ptr<Module> buildChecked(const LaunchPlan &Plan,
                                     const DeviceProgram &Program) {
  return Builder(Plan, Program).run();
}

} // namespace ferry
