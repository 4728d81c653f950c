//===- Request.cpp - Calls that ask for a derivative ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enzyme's calling convention. The callee is a function without a body whose
// name contains `__enzyme_autodiff` or `__enzyme_fwddiff`, however it is
// mangled. Its first operand is the function; then come the function's own
// arguments, each with a marker before it or not, and its shadows behind it:
//
//   __enzyme_fwddiff((void *)f, enzyme_const, n, enzyme_dup, x, dx, 3.0, 1.0)
//
// A marker is a global variable of a known name: its address, a load from it
// (`extern int enzyme_dup`), a reference to it that went through a stack slot,
// or a metadata string. Without a marker the type of the parameter decides.
//
// Front ends leave operands of raw IR at -O0 in stack slots that are stored to
// once; `trace` looks through them, so that no pass has to run on the user's
// own function before requests are understood.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Request.h"
#include "Autodiff/Refusal.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace ferry::ad {

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The one value that `Slot` ever holds, if it is a local variable that is
/// stored to once.
static Value *onlyStore(const AllocaInst &Slot) {
  Value *Stored = nullptr;
  for (const User *U : Slot.users()) {
    if (isa<LoadInst>(U) || isa<LifetimeIntrinsic>(U))
      continue;
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getValueOperand() == &Slot || Stored)
      return nullptr;
    Stored = const_cast<Value *>(Store->getValueOperand());
  }
  return Stored;
}

static Value *trace(Value *V, unsigned Depth = 0);

/// What every call of `F` returns, if it is one function: a lambda is converted
/// to a function pointer by a member function.
static Function *returnedFunction(const Function &F, unsigned Depth) {
  Function *Found = nullptr;
  for (const BasicBlock &BB : F) {
    auto *Return = dyn_cast<ReturnInst>(BB.getTerminator());
    if (!Return)
      continue;
    Value *V = Return->getReturnValue();
    auto *Known = V ? dyn_cast<Function>(trace(V, Depth)) : nullptr;
    if (!Known || (Found && Found != Known))
      return nullptr;
    Found = Known;
  }
  return Found;
}

/// What `V` is known to be, through casts, stack slots, constant globals and
/// calls that always return the same, `Depth` of them one inside the other.
static Value *trace(Value *V, unsigned Depth) {
  for (;;) {
    V = V->stripPointerCasts();
    if (auto *Cast = dyn_cast<Operator>(V);
        Cast && (Cast->getOpcode() == Instruction::PtrToInt ||
                 Cast->getOpcode() == Instruction::IntToPtr)) {
      V = Cast->getOperand(0);
      continue;
    }
    if (auto *Call = dyn_cast<CallBase>(V)) {
      Function *F = Call->getCalledFunction();
      Function *Returned =
          F && Depth < 4 ? returnedFunction(*F, Depth + 1) : nullptr;
      return Returned ? Returned : V;
    }
    auto *Load = dyn_cast<LoadInst>(V);
    if (!Load)
      return V;
    Value *From = trace(Load->getPointerOperand(), Depth);
    if (auto *Slot = dyn_cast<AllocaInst>(From)) {
      Value *Stored = onlyStore(*Slot);
      if (!Stored)
        return V;
      V = Stored;
      continue;
    }
    auto *Global = dyn_cast<GlobalVariable>(From);
    if (!Global || !Global->isConstant() || !Global->hasInitializer() ||
        Global->getInitializer()->getType() != V->getType())
      return V;
    V = Global->getInitializer();
  }
}

/// The marker's name, if `V` is one: "enzyme_dup".
static StringRef markerName(Value *V) {
  static constexpr StringRef Markers[] = {
      // Where a name is the beginning of another, the longer comes first.
      "enzyme_dupnoneedv", "enzyme_dupnoneed",
      "enzyme_dup_return", "enzyme_dupv",
      "enzyme_dup",        "enzyme_const_return",
      "enzyme_const",      "enzyme_active_return",
      "enzyme_out",        "enzyme_interleave",
      "enzyme_byref",      "enzyme_noret",
      "enzyme_width",      "enzyme_primal_return",
      "enzyme_allocated",  "enzyme_tape",
      "enzyme_nofree",     "enzyme_not_overwritten",
      "enzyme_scalar",     "enzyme_runtime_activity",
      "enzyme_vector",     "enzyme_buffer"};
  StringRef Name;
  if (auto *Meta = dyn_cast<MetadataAsValue>(V)) {
    if (auto *String = dyn_cast<MDString>(Meta->getMetadata()))
      Name = String->getString();
  } else {
    Value *Known = trace(V);
    while (auto *Load = dyn_cast<LoadInst>(Known))
      Known = trace(Load->getPointerOperand());
    if (isa<GlobalVariable, AllocaInst>(Known))
      Name = Known->getName();
  }
  // A static copy of the marker has a number after its name.
  Name = Name.split('.').first;
  bool Mangled = Name.starts_with("_Z") || Name.starts_with("_R");
  for (StringRef Marker : Markers)
    if (Name == Marker ||
        (Mangled && Name.contains((Twine(Marker.size()) + Marker).str())))
      return Marker;
  return "";
}

static StringRef calleeName(const CallBase &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  return F && F->isDeclaration() ? F->getName() : "";
}

static constexpr StringRef Unsupported[] = {
    "__enzyme_augmentfwd", "__enzyme_augmentsize",    "__enzyme_reverse",
    "__enzyme_fwdsplit",   "__enzyme_virtualreverse", "__enzyme_batch",
    "__enzyme_iter",       "__enzyme_call_inactive"};

bool isRequest(const CallBase &Call) {
  StringRef Name = calleeName(Call);
  return Name.contains("__enzyme_") &&
         (Name.contains("__enzyme_autodiff") ||
          Name.contains("__enzyme_fwddiff") ||
          any_of(Unsupported, [&](StringRef N) { return Name.contains(N); }));
}

bool isHint(const CallBase &Call) {
  StringRef Name = calleeName(Call);
  return Name.contains("__enzyme_float") || Name.contains("__enzyme_double") ||
         Name.contains("__enzyme_integer") || Name.contains("__enzyme_pointer");
}

/// The position of the function among the operands: the result's memory may
/// come first.
static unsigned functionOperand(const CallBase &Call) {
  return Call.arg_size() && Call.hasStructRetAttr() ? 1 : 0;
}

Value *requestedFunction(const CallBase &Call) {
  unsigned I = functionOperand(Call);
  return I < Call.arg_size() ? trace(Call.getArgOperand(I)) : nullptr;
}

//===----------------------------------------------------------------------===//
// Activities
//===----------------------------------------------------------------------===//

/// What a parameter is where no marker says so: the members of an aggregate
/// decide together.
static Activity defaultActivity(Type *T, Mode M) {
  if (T->isPtrOrPtrVectorTy())
    return Activity::Dup;
  if (T->isFPOrFPVectorTy())
    return M == Mode::Reverse ? Activity::Out : Activity::Dup;
  Activity Combined = Activity::Const;
  for (Type *Member : T->subtypes()) {
    Activity A = defaultActivity(Member, M);
    if (A == Activity::Dup || Combined == Activity::Const)
      Combined = A;
  }
  return Combined;
}

namespace {
/// Reads the operands of one call from left to right.
class Parser {
public:
  Parser(CallBase &Call, Function &Target) : Call(Call), Target(Target) {}
  std::optional<Request> parse();

private:
  CallBase &Call;
  Function &Target;
  Request R;
  unsigned Next = 0;
  bool Interleaved = false;

  bool fail(const Twine &What, const Twine &Advice) {
    refuseRequest(Call, What, Advice);
    return false;
  }
  Value *take() {
    return Next < Call.arg_size() ? Call.getArgOperand(Next++) : nullptr;
  }
  bool parseMode();
  bool parseOption(StringRef Marker);
  bool prepare();
  bool parseWidth(unsigned I);
  bool parseArgument(unsigned I, StringRef Marker);
  bool parseShadows(unsigned I, RequestArgument &A);
  bool parseInterleavedShadows();
  std::string position(unsigned I) const;
};
} // namespace

std::string Parser::position(unsigned I) const {
  return "parameter " + std::to_string(I + 1) + " of the function";
}

bool Parser::parseMode() {
  StringRef Name = calleeName(Call);
  for (StringRef N : Unsupported)
    if (Name.contains(N))
      return fail("'" + N + "' is not supported yet",
                  "use __enzyme_autodiff or __enzyme_fwddiff");
  R.Wanted = Name.contains("__enzyme_fwddiff") ? Mode::Forward : Mode::Reverse;
  return true;
}

/// A marker that stands for itself.
bool Parser::parseOption(StringRef Marker) {
  if (Marker == "enzyme_primal_return") {
    R.ReturnsPrimal = true;
  } else if (Marker == "enzyme_const_return" || Marker == "enzyme_noret") {
    R.Return = Activity::Const;
  } else if (Marker == "enzyme_active_return") {
    R.Return = Activity::Out;
  } else if (Marker == "enzyme_dup_return") {
    R.Return = Activity::Dup;
  } else if (Marker == "enzyme_interleave") {
    Interleaved = true;
  } else if (Marker == "enzyme_width") {
    ++Next; // the number, which prepare() has read
  } else if (Marker != "enzyme_runtime_activity" &&
             Marker != "enzyme_not_overwritten") {
    return fail("'" + Marker + "' is not supported here",
                "use enzyme_dup, enzyme_out or enzyme_const before arguments");
  }
  return true;
}

/// What has to be known before the first argument is read, wherever it stands.
bool Parser::prepare() {
  for (unsigned I = 0; I != Call.arg_size(); ++I) {
    StringRef Marker = markerName(Call.getArgOperand(I));
    Interleaved |= Marker == "enzyme_interleave";
    if (Marker == "enzyme_width" && !parseWidth(I + 1))
      return false;
  }
  return true;
}

bool Parser::parseWidth(unsigned I) {
  auto *N = I < Call.arg_size()
                ? dyn_cast<ConstantInt>(trace(Call.getArgOperand(I)))
                : nullptr;
  if (!N || N->getValue().slt(1) || N->getValue().sgt(1024))
    return fail("the number after enzyme_width is not a constant from 1 to "
                "1024",
                "write it as a literal");
  R.Width = static_cast<unsigned>(N->getZExtValue());
  return true;
}

bool Parser::parseShadows(unsigned I, RequestArgument &A) {
  // Strided shadows have one base.
  for (unsigned Lane = 0; Lane != (A.Stride ? 1 : R.Width); ++Lane) {
    Value *Shadow = take();
    if (!Shadow || !markerName(Shadow).empty())
      return fail("the shadow of " + position(I) + " is missing",
                  "pass it after the argument, or write enzyme_const before "
                  "the argument");
    A.Shadows.push_back(Shadow);
  }
  return true;
}

bool Parser::parseArgument(unsigned I, StringRef Marker) {
  Type *T = Target.getFunctionType()->getParamType(I);
  RequestArgument A;
  A.Kind = defaultActivity(T, R.Wanted);
  if (Marker == "enzyme_const") {
    A.Kind = Activity::Const;
  } else if (Marker == "enzyme_out") {
    A.Kind = Activity::Out;
    if (!T->isFPOrFPVectorTy())
      return fail(position(I) + " is enzyme_out but no floating-point number",
                  "pass pointers with enzyme_dup and a shadow, other values "
                  "with enzyme_const");
    if (R.Wanted == Mode::Forward)
      return fail(position(I) + " is enzyme_out in forward mode",
                  "write enzyme_dup and pass a tangent");
  } else if (!Marker.empty()) {
    A.Kind = Activity::Dup;
    if (R.Wanted == Mode::Reverse && T->isFPOrFPVectorTy())
      return fail(position(I) + " is a number passed by value with a shadow, "
                                "which no gradient can be added to",
                  "write enzyme_out, and its gradient is returned");
  }
  if (Marker.ends_with("v")) {
    A.Stride = take();
    if (!A.Stride)
      return fail("the stride of " + position(I) + " is missing",
                  "pass it between the marker and the argument");
  }
  A.Primal = take();
  if (!A.Primal || !markerName(A.Primal).empty())
    return fail(position(I) + " is missing",
                "pass " + Twine(Target.arg_size()) + " arguments");
  R.Arguments.push_back(A);
  return A.Kind != Activity::Dup || Interleaved ||
         parseShadows(I, R.Arguments.back());
}

/// After `enzyme_interleave`: the shadows of all arguments, in their order.
bool Parser::parseInterleavedShadows() {
  for (auto [I, A] : enumerate(R.Arguments))
    if (A.Kind == Activity::Dup && !parseShadows(static_cast<unsigned>(I), A))
      return false;
  return true;
}

std::optional<Request> Parser::parse() {
  R.Call = &Call;
  R.Target = &Target;
  if (!parseMode() || !prepare())
    return std::nullopt;
  if (Target.isVarArg()) {
    fail("a function with '...' cannot be differentiated",
         "give it fixed parameters");
    return std::nullopt;
  }
  if (functionOperand(Call)) {
    R.Result = Call.getArgOperand(0);
    R.ResultType = Call.getParamStructRetType(0);
  }
  Next = functionOperand(Call) + 1;
  // A large result of the function is returned through its first parameter,
  // which the request does not have.
  unsigned I = Target.hasStructRetAttr() ? 1 : 0;
  if (I && !Target.arg_begin()->hasStructRetAttr()) {
    fail("the function returns its result through its second parameter",
         "differentiate a function that calls it");
    return std::nullopt;
  }
  while (Next < Call.arg_size()) {
    StringRef Marker = markerName(Call.getArgOperand(Next));
    bool BeforeArgument = Marker == "enzyme_dup" || Marker == "enzyme_dupv" ||
                          Marker == "enzyme_dupnoneed" ||
                          Marker == "enzyme_dupnoneedv" ||
                          Marker == "enzyme_out" || Marker == "enzyme_const";
    if (!Marker.empty())
      ++Next;
    if (Marker == "enzyme_interleave") {
      if (!parseInterleavedShadows())
        return std::nullopt;
      continue;
    }
    if (!Marker.empty() && !BeforeArgument) {
      if (!parseOption(Marker))
        return std::nullopt;
      continue;
    }
    if (I == Target.arg_size()) {
      fail("more arguments than the function's " + Twine(Target.arg_size()),
           "pass each parameter once, and one shadow after each that has "
           "enzyme_dup or is a pointer");
      return std::nullopt;
    }
    if (!parseArgument(I++, Marker))
      return std::nullopt;
  }
  if (I != Target.arg_size()) {
    fail(position(I) + " is missing", "pass " + Twine(Target.arg_size()) +
                                          " arguments, each pointer with its "
                                          "shadow or with enzyme_const");
    return std::nullopt;
  }
  return R;
}

std::optional<Request> parseRequest(CallBase &Call, Function &Target) {
  return Parser(Call, Target).parse();
}

} // namespace ferry::ad
