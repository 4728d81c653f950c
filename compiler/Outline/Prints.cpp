//===- Prints.cpp - Lines that kernels print ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// __ferry_print takes a format, and any number of values with their kinds.
// Format and kinds are known at compile time and stay on the host, as a row of
// a table; what a kernel sends are the row's number and the values:
//
//   call void @__ferry_print.2(i32 site, i64 v1, i64 v2)
//
// A call whose format is no constant or does not fit its values is left as it
// is, for the portability check to refuse.
//
//===----------------------------------------------------------------------===//

#include "Outline/Outline.h"
#include "ferry/print_format.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace ferry {

static constexpr StringRef MarkerName = "__ferry_print";

namespace {
/// The marker's operands; a kind and a value follow for each value.
enum Operand : unsigned { Format, Length, Count, FirstValue };
} // namespace

static std::optional<uint64_t> number(const CallBase &Call, unsigned I) {
  if (I < Call.arg_size())
    if (auto *C = dyn_cast<ConstantInt>(Call.getArgOperand(I)))
      return C->getZExtValue();
  return std::nullopt;
}

static std::string onOneLine(StringRef Format) {
  std::string Line;
  for (char C : Format)
    Line += C == '\n' ? "\\n" : std::string(1, C);
  return Line;
}

/// Reads the constants of a call. Returns what is wrong with them, or nothing.
static std::string readSite(const CallBase &Call, PrintSite &Site) {
  std::optional<uint64_t> Bytes = number(Call, Length),
                          Values = number(Call, Count);
  StringRef Text;
  if (!Bytes || !Values ||
      (*Bytes && !getConstantStringInfo(Call.getArgOperand(Format), Text,
                                        /*TrimAtNul=*/false)))
    return "prints with a format that is not known when it is compiled";
  Site.Format = Text.take_front(*Bytes).str();
  if (Call.arg_size() != FirstValue + 2 * *Values)
    return "prints with a number of values that does not match its operands";
  for (unsigned I = 0; I != *Values; ++I) {
    std::optional<uint64_t> Kind = number(Call, FirstValue + 2 * I);
    if (!Kind)
      return "prints a value whose kind is not known when it is compiled";
    Site.Kinds.push_back(*Kind);
  }
  if (const char *Problem =
          print_format::problem(Site.Format.data(), Site.Format.size(),
                                Site.Kinds.data(), Site.Kinds.size()))
    return "prints with the format \"" + onOneLine(Site.Format) +
           "\": " + Problem;
  return "";
}

std::string printProblem(const CallBase &Call) {
  PrintSite Site;
  return readSite(Call, Site);
}

static unsigned indexOf(DeviceProgram &Program, const PrintSite &S) {
  for (auto [I, Known] : enumerate(Program.PrintSites))
    if (Known.Format == S.Format && Known.Kinds == S.Kinds)
      return I;
  Program.PrintSites.push_back(S);
  return Program.PrintSites.size() - 1;
}

static FunctionCallee neutralPrint(Module &M, unsigned Values) {
  LLVMContext &Ctx = M.getContext();
  SmallVector<Type *> Types{Type::getInt32Ty(Ctx)};
  Types.append(Values, Type::getInt64Ty(Ctx));
  FunctionCallee Print = M.getOrInsertFunction(
      (PrintPrefix + Twine(Values)).str(),
      FunctionType::get(Type::getVoidTy(Ctx), Types, false));
  auto *F = cast<Function>(Print.getCallee());
  F->setDoesNotThrow();
  F->addFnAttr(Attribute::WillReturn);
  F->addFnAttr(Attribute::Cold);
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return Print;
}

static void convert(DeviceProgram &Program, CallBase &Call) {
  PrintSite Site;
  if (!readSite(Call, Site).empty())
    return;
  IRBuilder<> B(&Call);
  SmallVector<Value *> Args{B.getInt32(indexOf(Program, Site))};
  for (unsigned I = 0; I != Site.Kinds.size(); ++I) {
    Value *V = Call.getArgOperand(FirstValue + 2 * I + 1);
    Args.push_back(
        V->getType()->isPointerTy() ? B.CreatePtrToInt(V, B.getInt64Ty()) : V);
  }
  B.CreateCall(neutralPrint(*Program.M, Site.Kinds.size()), Args);
  Call.eraseFromParent();
}

void convertPrints(DeviceProgram &Program) {
  Function *Marker = Program.M->getFunction(MarkerName);
  if (!Marker)
    return;
  // In the order of the code, which a function's users are not.
  SmallVector<CallBase *> Calls;
  for (Function &F : *Program.M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->getCalledOperand() == Marker)
        Calls.push_back(Call);
  for (CallBase *Call : Calls)
    convert(Program, *Call);
}

} // namespace ferry
