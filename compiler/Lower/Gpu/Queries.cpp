//===- Queries.cpp - Thread queries and panics on a GPU -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a thread stands comes from registers. How large block, grid and extent
// are comes from the entry's hidden arguments, which say it alike on all
// devices. By now nearly everything is inlined into the entries. What is left (a
// recursive function, say) cannot see its kernel's arguments, so kernels that
// still call something write them to shared memory first. All threads of a
// block write the same values and each reads after its own write, so no barrier
// is needed.
//
// A panic claims the launch's record by compare-and-swap on its state, fills it
// in, and publishes it; who comes later only ends. All panics of a function
// meet in one block, which keeps the cold code small.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "ferry/markers.h"
#include "ferry/runtime.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"
#include <cstddef>

using namespace llvm;

namespace ferry {
namespace {

/// What the hidden arguments say about a launch, in one form for both shapes.
struct LaunchFacts {
  Value *Block[3] = {};     ///< i32
  Value *Grid[3] = {};      ///< i32, in blocks
  Value *GlobalDim[3] = {}; ///< i64, in threads
  Value *PanicIndex = nullptr; ///< i64
};

class QueryLowering {
public:
  QueryLowering(Module &M, ArrayRef<KernelEntry> Kernels,
                GlobalVariable *PanicRecords, const GpuTarget &Gpu)
      : M(M), Context(M.getContext()), Kernels(Kernels),
        PanicRecords(PanicRecords), Gpu(Gpu) {}
  Error run();

private:
  LaunchFacts factsOfKernel(const KernelEntry &K, IRBuilder<> &B);
  LaunchFacts factsFromSharedMemory(IRBuilder<> &B);
  void writeSharedMemory(const KernelEntry &K, IRBuilder<> &B,
                         const LaunchFacts &Facts);
  Value *sharedField(IRBuilder<> &B, unsigned Field, unsigned Dimension);

  Value *answer(IRBuilder<> &B, StringRef Query, Value *Dimension,
                const LaunchFacts &Facts);
  Value *answer(IRBuilder<> &B, StringRef Query, unsigned Dimension,
                const LaunchFacts &Facts);
  Value *globalIdx(IRBuilder<> &B, unsigned Dimension,
                   const LaunchFacts &Facts);
  Error lowerPanics(Function &F, ArrayRef<CallInst *> Panics,
                    const LaunchFacts &Facts);

  Module &M;
  LLVMContext &Context;
  ArrayRef<KernelEntry> Kernels;
  GlobalVariable *PanicRecords;
  const GpuTarget &Gpu;
  GlobalVariable *Shared = nullptr;
};

enum SharedField : unsigned { BlockField, GridField, GlobalField, PanicField };

} // namespace

static bool isQuery(const Function &F) {
  return StringSwitch<bool>(F.getName())
      .Cases({"__ferry_thread_idx", "__ferry_block_idx", "__ferry_block_dim"},
             true)
      .Cases({"__ferry_grid_dim", "__ferry_global_idx", "__ferry_global_dim"},
             true)
      .Case("__ferry_global_id", true)
      .Default(false);
}

LaunchFacts QueryLowering::factsOfKernel(const KernelEntry &K,
                                         IRBuilder<> &B) {
  LaunchFacts Facts;
  Facts.PanicIndex = K.PanicIndex;
  Type *I32 = B.getInt32Ty();
  bool Over = K.Described->LaunchShape == Shape::Over;
  for (unsigned D = 0; D != 3; ++D) {
    Facts.Block[D] = B.CreateTrunc(K.Block[D], I32);
    if (Over) {
      // ceil(extent / block) in 32 bits, since extent - 1 fits there.
      Value *Last = B.CreateTrunc(B.CreateSub(K.Extent[D], B.getInt64(1)), I32);
      Facts.Grid[D] =
          B.CreateAdd(B.CreateUDiv(Last, Facts.Block[D]), B.getInt32(1));
      Facts.GlobalDim[D] = K.Extent[D];
    } else {
      Facts.Grid[D] = B.CreateTrunc(K.Extent[D], I32);
      Facts.GlobalDim[D] = B.CreateNUWMul(K.Extent[D], K.Block[D]);
    }
  }
  return Facts;
}

Value *QueryLowering::sharedField(IRBuilder<> &B, unsigned Field,
                                  unsigned Dimension) {
  if (!Shared) {
    Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
    Type *Layout = StructType::get(
        Context, {ArrayType::get(I32, 3), ArrayType::get(I32, 3),
                  ArrayType::get(I64, 3), ArrayType::get(I64, 1)});
    Shared = new GlobalVariable(M, Layout, /*isConstant=*/false,
                                GlobalValue::InternalLinkage,
                                PoisonValue::get(Layout), "ferry.launch",
                                nullptr, GlobalValue::NotThreadLocal,
                                SharedSpace);
    Shared->setAlignment(Align(8));
  }
  return B.CreateInBoundsGEP(
      Shared->getValueType(), Shared,
      {B.getInt32(0), B.getInt32(Field), B.getInt32(Dimension)});
}

LaunchFacts QueryLowering::factsFromSharedMemory(IRBuilder<> &B) {
  LaunchFacts Facts;
  for (unsigned D = 0; D != 3; ++D) {
    Facts.Block[D] = B.CreateLoad(B.getInt32Ty(), sharedField(B, BlockField, D));
    Facts.Grid[D] = B.CreateLoad(B.getInt32Ty(), sharedField(B, GridField, D));
    Facts.GlobalDim[D] =
        B.CreateLoad(B.getInt64Ty(), sharedField(B, GlobalField, D));
  }
  Facts.PanicIndex = B.CreateLoad(B.getInt64Ty(), sharedField(B, PanicField, 0));
  return Facts;
}

void QueryLowering::writeSharedMemory(const KernelEntry &K, IRBuilder<> &B,
                                      const LaunchFacts &Facts) {
  for (unsigned D = 0; D != 3; ++D) {
    B.CreateStore(Facts.Block[D], sharedField(B, BlockField, D));
    B.CreateStore(Facts.Grid[D], sharedField(B, GridField, D));
    B.CreateStore(Facts.GlobalDim[D], sharedField(B, GlobalField, D));
  }
  if (Facts.PanicIndex)
    B.CreateStore(Facts.PanicIndex, sharedField(B, PanicField, 0));
}

Value *QueryLowering::globalIdx(IRBuilder<> &B, unsigned D,
                                const LaunchFacts &Facts) {
  // No launch has more than 2^32 threads in a dimension.
  return B.CreateNUWAdd(B.CreateNUWMul(Gpu.blockIdx(B, D), Facts.Block[D]),
                        Gpu.threadIdx(B, D));
}

/// `Dimension` is a constant here, and each answer has the query's own type.
Value *QueryLowering::answer(IRBuilder<> &B, StringRef Query, unsigned D,
                             const LaunchFacts &Facts) {
  if (Query == "__ferry_thread_idx")
    return Gpu.threadIdx(B, D);
  if (Query == "__ferry_block_idx")
    return Gpu.blockIdx(B, D);
  if (Query == "__ferry_block_dim")
    return Facts.Block[D];
  if (Query == "__ferry_grid_dim")
    return Facts.Grid[D];
  if (Query == "__ferry_global_idx")
    return B.CreateZExt(globalIdx(B, D, Facts), B.getInt64Ty());
  if (Query == "__ferry_global_dim")
    return Facts.GlobalDim[D];
  assert(Query == "__ferry_global_id");
  // All factors are below 2^32, and so is the result. An extent of exactly 2^32
  // becomes 0 here, and is then only ever multiplied by 0.
  Type *I32 = B.getInt32Ty();
  Value *Id = globalIdx(B, 2, Facts);
  for (unsigned Inner : {1, 0})
    Id = B.CreateAdd(
        B.CreateMul(Id, B.CreateTrunc(Facts.GlobalDim[Inner], I32)),
        globalIdx(B, Inner, Facts));
  return B.CreateZExt(Id, B.getInt64Ty());
}

Value *QueryLowering::answer(IRBuilder<> &B, StringRef Query, Value *Dimension,
                             const LaunchFacts &Facts) {
  if (!Dimension)
    return answer(B, Query, 0u, Facts);
  if (auto *Constant = dyn_cast<ConstantInt>(Dimension);
      Constant && Constant->getValue().ult(3))
    return answer(B, Query, unsigned(Constant->getZExtValue()), Facts);
  Value *Result = answer(B, Query, 2u, Facts);
  for (unsigned D : {1, 0})
    Result = B.CreateSelect(B.CreateICmpEQ(Dimension, B.getInt32(D)),
                            answer(B, Query, D, Facts), Result);
  return Result;
}

Error QueryLowering::lowerPanics(Function &F, ArrayRef<CallInst *> Panics,
                                 const LaunchFacts &Facts) {
  Type *I32 = Type::getInt32Ty(Context), *I64 = Type::getInt64Ty(Context);
  BasicBlock *Meet = BasicBlock::Create(Context, "panic", &F);
  IRBuilder<> B(Meet);
  PHINode *Site = B.CreatePHI(I32, Panics.size(), "site");
  PHINode *Values[4];
  for (PHINode *&V : Values)
    V = B.CreatePHI(I64, Panics.size(), "value");
  for (CallInst *Panic : Panics) {
    BasicBlock *From = Panic->getParent();
    Site->addIncoming(Panic->getArgOperand(0), From);
    for (unsigned I = 0; I != 4; ++I)
      Values[I]->addIncoming(Panic->getArgOperand(1 + I), From);
    changeToUnreachable(Panic);
    From->getTerminator()->eraseFromParent();
    BranchInst::Create(Meet, From);
  }

  Value *Record = B.CreateInBoundsGEP(
      ArrayType::get(B.getInt8Ty(), sizeof(ferry_panic_record)), PanicRecords,
      Facts.PanicIndex, "record");
  auto Place = [&](size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Record, Offset);
  };
  Value *State = Place(offsetof(ferry_panic_record, state));
  AtomicCmpXchgInst *Claim = B.CreateAtomicCmpXchg(
      State, B.getInt32(0), B.getInt32(1), Align(4),
      AtomicOrdering::AcquireRelease, AtomicOrdering::Monotonic);
  BasicBlock *Fill = BasicBlock::Create(Context, "panic.fill", &F);
  BasicBlock *End = BasicBlock::Create(Context, "panic.end", &F);
  B.CreateCondBr(B.CreateExtractValue(Claim, 1), Fill, End);

  B.SetInsertPoint(Fill);
  B.CreateAlignedStore(Site, Place(offsetof(ferry_panic_record, site)),
                       Align(4));
  for (unsigned D = 0; D != 3; ++D) {
    B.CreateAlignedStore(
        Gpu.blockIdx(B, D),
        Place(offsetof(ferry_panic_record, block) + D * sizeof(uint32_t)),
        Align(4));
    B.CreateAlignedStore(
        Gpu.threadIdx(B, D),
        Place(offsetof(ferry_panic_record, thread) + D * sizeof(uint32_t)),
        Align(4));
  }
  for (unsigned I = 0; I != 4; ++I)
    B.CreateAlignedStore(
        Values[I],
        Place(offsetof(ferry_panic_record, values) + I * sizeof(uint64_t)),
        Align(8));
  StoreInst *Publish = B.CreateAlignedStore(B.getInt32(2), State, Align(4));
  Publish->setAtomic(AtomicOrdering::Release);
  B.CreateBr(End);

  B.SetInsertPoint(End);
  if (F.hasExternalLinkage()) {
    // An entry: to return is to end.
    B.CreateRetVoid();
    return Error::success();
  }
  if (!Gpu.endThread(B))
    return createStringError("function '" + F.getName() +
                             "' can panic and cannot be inlined");
  B.CreateUnreachable();
  return Error::success();
}

Error QueryLowering::run() {
  // The calls of each function, collected first, since facts go to its start.
  MapVector<Function *, SmallVector<CallInst *, 8>> Queries, Panics;
  for (Function &F : M) {
    bool Panic = F.getName() == "__ferry_panic";
    if (!Panic && !isQuery(F))
      continue;
    for (User *U : F.users()) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledOperand() != &F)
        return createStringError("'" + F.getName() +
                                 "' is used other than by calling it");
      (Panic ? Panics : Queries)[Call->getFunction()].push_back(Call);
    }
  }

  DenseMap<Function *, const KernelEntry *> KernelOf;
  for (const KernelEntry &K : Kernels)
    KernelOf[K.Entry] = &K;
  SetVector<Function *> Users;
  for (auto *Map : {&Queries, &Panics})
    for (auto &[F, Calls] : *Map)
      Users.insert(F);

  DenseMap<Function *, LaunchFacts> FactsOf;
  bool ElsewhereToo = false;
  for (Function *F : Users) {
    IRBuilder<> B(&*F->getEntryBlock().getFirstInsertionPt());
    const KernelEntry *K = KernelOf.lookup(F);
    ElsewhereToo |= !K;
    FactsOf[F] = K ? factsOfKernel(*K, B) : factsFromSharedMemory(B);
  }
  if (ElsewhereToo)
    for (const KernelEntry &K : Kernels) {
      bool Calls = any_of(instructions(K.Entry), [](const Instruction &I) {
        auto *Call = dyn_cast<CallBase>(&I);
        return Call && (!Call->getCalledFunction() ||
                        !Call->getCalledFunction()->isDeclaration());
      });
      if (!Calls)
        continue;
      IRBuilder<> B(&*K.Entry->getEntryBlock().getFirstInsertionPt());
      LaunchFacts Facts = factsOfKernel(K, B);
      writeSharedMemory(K, B, Facts);
    }

  for (auto &[F, Calls] : Queries)
    for (CallInst *Call : Calls) {
      IRBuilder<> B(Call);
      Value *Dimension = Call->arg_size() ? Call->getArgOperand(0) : nullptr;
      Value *Answer = answer(B, Call->getCalledFunction()->getName(), Dimension,
                             FactsOf[F]);
      Call->replaceAllUsesWith(Answer);
      Call->eraseFromParent();
    }
  for (auto &[F, Calls] : Panics)
    if (Error E = lowerPanics(*F, Calls, FactsOf[F]))
      return E;
  return Error::success();
}

Error lowerQueriesAndPanics(Module &M, ArrayRef<KernelEntry> Kernels,
                            GlobalVariable *PanicRecords,
                            const GpuTarget &Gpu) {
  return QueryLowering(M, Kernels, PanicRecords, Gpu).run();
}

} // namespace ferry
