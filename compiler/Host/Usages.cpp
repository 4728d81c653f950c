//===- Usages.cpp - Records of what kernels do to arguments ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The members follow the order of ferry/access.h. Many formulas are alike (the
// number 1, a slot), and are written once.
//
//===----------------------------------------------------------------------===//

#include "Host/Usages.h"

using namespace llvm;

namespace ferry {

Constant *UsageWriter::i32(uint32_t V) {
  return ConstantInt::get(Type::getInt32Ty(Ctx), V);
}

Constant *UsageWriter::i64(uint64_t V) {
  return ConstantInt::get(Type::getInt64Ty(Ctx), V);
}

Constant *UsageWriter::record(ArrayRef<Constant *> Members) {
  return ConstantStruct::getAnon(Ctx, Members);
}

Constant *UsageWriter::array(ArrayRef<Constant *> Elements) {
  if (Elements.empty())
    return ConstantPointerNull::get(PointerType::get(Ctx, 0));
  Constant *Init = ConstantArray::get(
      ArrayType::get(Elements[0]->getType(), Elements.size()), Elements);
  Constant *&G = Known[Init];
  if (!G) {
    auto *New =
        new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                           GlobalValue::PrivateLinkage, Init, "ferry.usage");
    New->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    G = New;
  }
  return G;
}

Constant *UsageWriter::formula(const Formula &F) {
  SmallVector<Constant *> Ops;
  for (const ferry_op &Op : F) {
    Ops.push_back(record({i32(Op.code), i32(0), i64(Op.value)}));
    if (Op.code == FERRY_OP_SLOT)
      FormulaSlots |= uint64_t(1) << Op.value;
  }
  return record({array(Ops), i64(Ops.size())});
}

Constant *UsageWriter::sum(const Sum &S) {
  SmallVector<Constant *> Terms;
  for (const Term &T : S.Terms)
    Terms.push_back(record({i64(T.Symbol), formula(T.Stride)}));
  return record({formula(S.Base), i64(Terms.size()), array(Terms)});
}

Constant *UsageWriter::condition(const Condition &C) {
  return record({sum(C.Value), formula(C.Bound), i32(C.Relation), i32(C.Width),
                 i64(C.Turns)});
}

Constant *UsageWriter::access(const Access &A) {
  SmallVector<Constant *> Conditions;
  for (const Condition &C : A.Conditions)
    Conditions.push_back(condition(C));
  return record({i32(A.Does), i32(Conditions.size()), i64(A.Bytes),
                 sum(A.Offset), array(Conditions)});
}

Constant *UsageWriter::usage(const Usage &U) {
  SmallVector<Constant *> Accesses;
  for (const Access &A : U.Accesses)
    Accesses.push_back(access(A));
  return record({i64(U.Room), i64(Accesses.size()), array(Accesses)});
}

Constant *UsageWriter::usages(const KernelUsage &Of) {
  SmallVector<Constant *> All;
  for (const Usage &U : Of.Slots)
    All.push_back(usage(U));
  for (const Usage &U : Of.Globals)
    All.push_back(usage(U));
  return array(All);
}

Constant *UsageWriter::symbols(const KernelUsage &Of) {
  SmallVector<Constant *> All;
  for (const Symbol &S : Of.Symbols)
    All.push_back(record({formula(S.Count)}));
  return array(All);
}

Constant *UsageWriter::panics(const KernelUsage &Of) {
  SmallVector<Constant *> All;
  for (const Access &A : Of.Panics)
    All.push_back(access(A));
  return array(All);
}

SmallVector<Constant *> UsageWriter::members(const KernelUsage &Of) {
  FormulaSlots = 0;
  SmallVector<Constant *> Members = {usages(Of), symbols(Of),
                                     i64(Of.Panics.size()), panics(Of)};
  Members.push_back(i64(FormulaSlots));
  return Members;
}

} // namespace ferry
