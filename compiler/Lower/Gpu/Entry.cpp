//===- Entry.cpp - The function that libomptarget starts ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry takes libomptarget's own pointer, the slots and the hidden
// arguments, and calls the kernel's body. What the launch promises about a
// buffer becomes attributes of its parameter; the version for arguments that
// lie apart has more of them, which is its only difference. Buffers are in
// global memory, which the parameter's type says. The grid of an OVER launch is
// rounded up to whole blocks, so its entry first leaves the threads past the
// extent out.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "ferry/markers.h"
#include "llvm/IR/ConstantRange.h"

using namespace llvm;

namespace ferry {

/// Threads of a block at most: Ferry's own shapes for OVER have 256, and what
/// BLOCKS may ask for is 1,024 on every device.
static unsigned maxThreads(Shape S) { return S == Shape::Over ? 256 : 1024; }

/// A name that both assemblers take as it stands, since the host looks for it.
static bool isPlainName(StringRef Name) {
  return !Name.empty() && !isDigit(Name.front()) && all_of(Name, [](char C) {
    return isAlnum(C) || C == '_' || C == '$';
  });
}

/// `Apart`: libferry saw that no written buffer overlaps another.
static void describeSlots(Function &Entry, const Kernel &K,
                          const DeviceKernel &Device, bool Apart) {
  unsigned ArgNo = 1; // after libomptarget's own
  for (const Field &F : K.Fields) {
    if (F.IsBuffer || F.isLarge()) {
      // What other threads write before a barrier is not this thread's alone,
      // though no other argument leads to it.
      bool Alone = F.isInput() || !Device.HasCollectives;
      // Raw bytes that travel as a buffer are nobody else's.
      if (F.isLarge() || ((F.Unique || Apart) && Alone))
        Entry.addParamAttr(ArgNo, Attribute::NoAlias);
      if (F.isInput())
        Entry.addParamAttr(ArgNo, Attribute::ReadOnly);
    }
    ArgNo += F.slots();
  }
}

static void nameSlots(Function &Entry, const Kernel &K) {
  unsigned ArgNo = 1;
  for (const Field &F : K.Fields)
    for (unsigned Slot = 0; Slot != F.slots(); ++Slot)
      Entry.getArg(ArgNo++)->setName(F.Name);
}

/// Tells the optimizer which values a hidden argument can have: 1..Max.
static void limit(Argument &A, uint64_t Max) {
  A.addAttr(Attribute::get(A.getContext(), Attribute::Range,
                           ConstantRange(APInt(64, 1), APInt(64, Max + 1))));
}

/// Leaves when the thread is past the extent in some dimension.
static void guardExtent(IRBuilder<> &B, const KernelEntry &K,
                        const KnownShape &Known, const GpuTarget &Gpu) {
  Value *Inside = nullptr;
  for (unsigned D = 0; D != 3; ++D) {
    if (Known.Extent[D] && Known.Block[D] &&
        *Known.Extent[D] % *Known.Block[D] == 0)
      continue;
    // Rounded up to whole blocks, whose sides are powers of two, an extent of
    // at most 2^32 threads still has ids below 2^32.
    Value *Start = B.CreateNUWMul(Gpu.blockIdx(B, D),
                                  B.CreateTrunc(K.Block[D], B.getInt32Ty()));
    Value *Id = B.CreateNUWAdd(Start, Gpu.threadIdx(B, D));
    Value *Last =
        B.CreateTrunc(B.CreateSub(K.Extent[D], B.getInt64(1)), B.getInt32Ty());
    Value *Here = B.CreateICmpULE(Id, Last);
    Inside = Inside ? B.CreateAnd(Inside, Here) : Here;
  }
  if (!Inside)
    return;
  Function *F = K.Entry;
  BasicBlock *Run = BasicBlock::Create(F->getContext(), "run", F);
  BasicBlock *Leave = BasicBlock::Create(F->getContext(), "leave", F);
  B.CreateCondBr(Inside, Run, Leave);
  B.SetInsertPoint(Leave);
  B.CreateRetVoid();
  B.SetInsertPoint(Run);
}

static KernelEntry buildEntry(Function &Body, const Kernel &K,
                              const DeviceKernel &Device,
                              const KnownShape &Known, const GpuTarget &Gpu,
                              bool Apart) {
  Module &M = *Body.getParent();
  LLVMContext &Context = M.getContext();
  KernelEntry Result;
  Result.Described = &K;
  Result.Device = &Device;
  Result.Body = &Body;

  Type *I64 = Type::getInt64Ty(Context);
  Type *Global = PointerType::get(Context, GlobalSpace);
  SmallVector<Type *, 16> Types = {PointerType::get(Context, 0)};
  for (Argument &A : Result.Body->args())
    Types.push_back(A.getType()->isPointerTy() ? Global : A.getType());
  Types.append(7, I64);
  Types.push_back(PointerType::get(Context, 0));
  if (Device.CanPanic)
    Types.push_back(I64);

  Function *Entry = Function::Create(
      FunctionType::get(Type::getVoidTy(Context), Types, false),
      GlobalValue::ExternalLinkage, Apart ? K.apartSymbol() : K.Symbol, M);
  Result.Entry = Entry;
  Entry->setCallingConv(Gpu.kernelConvention());
  Entry->addFnAttr(Attribute::NoUnwind);
  for (unsigned I = 0; I != Types.size(); ++I)
    Entry->addParamAttr(I, Attribute::NoUndef);
  unsigned Block[3], Threads = 1;
  bool BlockKnown = true;
  for (unsigned D = 0; D != 3; ++D) {
    BlockKnown &= Known.Block[D].has_value();
    Block[D] = Known.Block[D].value_or(1);
    Threads *= Block[D];
  }
  // A block with too many threads is refused before the launch.
  BlockKnown &= Threads <= maxThreads(K.LaunchShape);
  Gpu.prepareKernel(*Entry, BlockKnown ? Threads : maxThreads(K.LaunchShape),
                    BlockKnown ? Block : nullptr);
  // The host plugins find kernels among the dynamic symbols.
  Entry->setVisibility(GlobalValue::ProtectedVisibility);
  describeSlots(*Entry, K, Device, Apart);
  nameSlots(*Entry, K);

  unsigned Hidden = 1 + K.slots();
  auto Fact = [&](unsigned Number, const Twine &Name, uint64_t Max,
                  std::optional<uint64_t> Value) -> llvm::Value * {
    Argument *A = Entry->getArg(Hidden + Number);
    A->setName(Name);
    limit(*A, Max);
    return Value ? static_cast<llvm::Value *>(ConstantInt::get(I64, *Value))
                 : A;
  };
  for (unsigned D = 0; D != 3; ++D) {
    Result.Extent[D] =
        Fact(D, Twine("extent.") + Twine("xyz"[D]), MaxExtent, Known.Extent[D]);
    Result.Block[D] = Fact(3 + D, Twine("block.") + Twine("xyz"[D]),
                           maxThreads(K.LaunchShape), Known.Block[D]);
  }
  Result.DynamicShared = Entry->getArg(Hidden + 6);
  Result.DynamicShared->setName("dynamic.shared");
  if (Device.CanPanic) {
    Result.PanicIndex = Entry->getArg(Hidden + 8);
    Result.PanicIndex->setName("panic.index");
  }

  IRBuilder<> B(BasicBlock::Create(Context, "entry", Entry));
  if (K.LaunchShape == Shape::Over)
    guardExtent(B, Result, Known, Gpu);
  SmallVector<Value *, 16> Arguments;
  for (unsigned I = 0; I != K.slots(); ++I)
    Arguments.push_back(B.CreateAddrSpaceCast(
        Entry->getArg(1 + I), Result.Body->getArg(I)->getType()));
  B.CreateCall(Result.Body, Arguments);
  B.CreateRetVoid();
  return Result;
}

Error buildEntries(Module &M, const Kernel &K, const DeviceKernel &Device,
                   const KnownShape &Known, const GpuTarget &Gpu,
                   std::vector<KernelEntry> &Entries) {
  Function *Body = M.getFunction(Device.Symbol);
  if (!Body || Body->isDeclaration() || Body->arg_size() != K.slots() ||
      !isPlainName(Device.Symbol))
    return createStringError("internal error: no fit device function '" +
                             Device.Symbol + "' for kernel '" + K.Name + "'");
  Body->setName(Device.Symbol + ".body");
  // What the arguments promise is for the entries' parameters to say.
  for (Argument &A : Body->args())
    A.removeAttr(Attribute::NoAlias);
  Entries.push_back(buildEntry(*Body, K, Device, Known, Gpu, /*Apart=*/false));
  if (K.hasApartVersion())
    Entries.push_back(buildEntry(*Body, K, Device, Known, Gpu, /*Apart=*/true));
  return Error::success();
}

} // namespace ferry
