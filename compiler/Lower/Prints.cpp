//===- Prints.cpp - Printed lines, on every target ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device images print to a buffer of their own, which libferry empties after
// the launch (runtime.h, ferry_print_buffer). A line reserves its room with one
// atomic addition and writes itself there; nobody waits for anybody. The lines
// before the first that found no room lie without gaps, and that one leaves an
// end mark, so that the host knows where to stop.
//
// The code is out of line and cold: printing must not cost the rest of the
// kernel registers.
//
//===----------------------------------------------------------------------===//

#include "Lower/Prints.h"
#include "ferry/runtime.h"
#include "llvm/IR/IRBuilder.h"
#include <cstddef>

using namespace llvm;

namespace ferry {

static GlobalVariable *privateConstant(Module &M, Constant *Init,
                                       const Twine &Name) {
  auto *G = new GlobalVariable(M, Init->getType(), true,
                               GlobalValue::PrivateLinkage, Init, Name);
  G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return G;
}

Constant *printSiteRecord(Module &M, const PrintSite &S) {
  LLVMContext &Ctx = M.getContext();
  auto I64 = [&](uint64_t V) {
    return ConstantInt::get(Type::getInt64Ty(Ctx), V);
  };
  Constant *Kinds = ConstantPointerNull::get(PointerType::get(Ctx, 0));
  if (!S.Kinds.empty())
    Kinds = privateConstant(M, ConstantDataArray::get(Ctx, ArrayRef(S.Kinds)),
                            "ferry.print.kinds");
  return ConstantStruct::getAnon(
      Ctx, {privateConstant(M, ConstantDataArray::getString(Ctx, S.Format),
                            "ferry.print.format"),
            I64(S.Format.size()), I64(S.Kinds.size()), Kinds});
}

bool printsAnywhere(const DeviceProgram &Program) {
  return any_of(Program.Kernels,
                [](const DeviceKernel &K) { return K.Prints; });
}

GlobalVariable *addPrintBuffer(Module &M, const DeviceProgram &Program,
                               unsigned AddressSpace) {
  static_assert(sizeof(ferry_print_buffer) == FERRY_PRINT_BYTES);
  auto *T = ArrayType::get(Type::getInt64Ty(M.getContext()),
                           FERRY_PRINT_BYTES / sizeof(uint64_t));
  auto *G = new GlobalVariable(
      M, T, false, GlobalValue::ExternalLinkage, Constant::getNullValue(T),
      Program.PrintSymbol, nullptr, GlobalValue::NotThreadLocal, AddressSpace);
  G->setAlignment(Align(64));
  G->setVisibility(GlobalValue::ProtectedVisibility);
  return G;
}

static void writeBody(Function &Print, GlobalVariable &Buffer) {
  LLVMContext &Ctx = Print.getContext();
  IRBuilder<> B(Ctx);
  constexpr uint64_t LinesAt = offsetof(ferry_print_buffer, lines);
  constexpr uint64_t Room = sizeof(ferry_print_buffer::lines);
  unsigned Values = Print.arg_size() - 1;
  uint64_t Bytes = 8 * (1 + Values);

  BasicBlock *Entry = BasicBlock::Create(Ctx, "entry", &Print);
  BasicBlock *Write = BasicBlock::Create(Ctx, "write", &Print);
  BasicBlock *Lost = BasicBlock::Create(Ctx, "lost", &Print);
  BasicBlock *First = BasicBlock::Create(Ctx, "first.lost", &Print);
  BasicBlock *Done = BasicBlock::Create(Ctx, "done", &Print);
  auto At = [&](Value *Offset) {
    return B.CreateInBoundsGEP(B.getInt8Ty(), &Buffer, Offset);
  };
  auto Line = [&](Value *Start, uint64_t Offset) {
    return At(B.CreateAdd(Start, B.getInt64(LinesAt + Offset)));
  };

  B.SetInsertPoint(Entry);
  Value *Start = B.CreateAtomicRMW(
      AtomicRMWInst::Add, At(B.getInt64(offsetof(ferry_print_buffer, used))),
      B.getInt64(Bytes), Align(8), AtomicOrdering::Monotonic);
  B.CreateCondBr(B.CreateICmpULE(Start, B.getInt64(Room - Bytes)), Write, Lost);

  B.SetInsertPoint(Write);
  B.CreateAlignedStore(Print.getArg(0), Line(Start, 0), Align(8));
  B.CreateAlignedStore(B.getInt32(Values), Line(Start, 4), Align(4));
  for (unsigned I = 0; I != Values; ++I)
    B.CreateAlignedStore(Print.getArg(1 + I), Line(Start, 8 + 8 * I), Align(8));
  B.CreateBr(Done);

  B.SetInsertPoint(Lost);
  B.CreateAtomicRMW(AtomicRMWInst::Add,
                    At(B.getInt64(offsetof(ferry_print_buffer, lost))),
                    B.getInt64(1), Align(8), AtomicOrdering::Monotonic);
  B.CreateCondBr(B.CreateICmpULT(Start, B.getInt64(Room)), First, Done);

  B.SetInsertPoint(First);
  B.CreateAlignedStore(B.getInt32(FERRY_PRINT_END), Line(Start, 0), Align(8));
  B.CreateBr(Done);

  B.SetInsertPoint(Done);
  B.CreateRetVoid();
}

void printToBuffer(Module &M, GlobalVariable &Buffer) {
  for (Function &F : M) {
    if (!F.isDeclaration() || !F.getName().starts_with(PrintPrefix))
      continue;
    writeBody(F, Buffer);
    F.setLinkage(GlobalValue::InternalLinkage);
    F.setName("ferry.print");
    F.setAttributes({});
    F.setDoesNotThrow();
    F.addFnAttr(Attribute::NoInline);
    F.addFnAttr(Attribute::Cold);
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Call->setAttributes({});
  }
}

} // namespace ferry
