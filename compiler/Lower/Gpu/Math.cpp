//===- Math.cpp - Mathematical functions on a GPU -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program calls `sinf`, or has the intrinsic llvm.sin.f32 where its compiler
// knew the function. GPUs have no C library, and their back ends lower only
// intrinsics that are an instruction or few. So each such call is brought to
// one row of a table, and the row becomes
//   - the intrinsic, where every GPU back end has it exactly;
//   - else a call of CUDA's libdevice (`__nv_sinf`) or of libclc (`_Z3sinf`).
// The library's functions come in as bitcode, only those that are needed, and
// are optimised with the kernel. Half precision is computed in single, vectors
// element by element. `frem` is fmod: back ends expand it inexactly.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include <map>

using namespace llvm;

namespace ferry {
namespace {

/// The C function's type, result first: F the floating-point type, i int,
/// l long, v nothing, P pointer to F, Q pointer to int.
struct MathRow {
  StringRef Name; ///< for double; the one for float ends in f
  StringRef Type;
  Intrinsic::ID Id = Intrinsic::not_intrinsic; ///< with the same operands
  bool Native = false;                         ///< all back ends have `Id`
  StringRef Libdevice = {};                    ///< without __nv_; empty: Name
  StringRef Libclc = {};                       ///< empty: Name; "-": not there
};

constexpr bool Native = true, InLibrary = false;
constexpr Intrinsic::ID None = Intrinsic::not_intrinsic;

const MathRow Table[] = {
    {"fabs", "FF", Intrinsic::fabs, Native},
    {"sqrt", "FF", Intrinsic::sqrt, Native},
    {"floor", "FF", Intrinsic::floor, Native},
    {"ceil", "FF", Intrinsic::ceil, Native},
    {"trunc", "FF", Intrinsic::trunc, Native},
    {"rint", "FF", Intrinsic::rint, Native},
    {"nearbyint", "FF", Intrinsic::nearbyint, Native},
    {"round", "FF", Intrinsic::round, Native},
    {"roundeven", "FF", Intrinsic::roundeven, Native},
    {"copysign", "FFF", Intrinsic::copysign, Native},
    {"fmin", "FFF", Intrinsic::minnum, Native},
    {"fmax", "FFF", Intrinsic::maxnum, Native},
    {"fma", "FFFF", Intrinsic::fma, Native},
    {"fminimum", "FFF", Intrinsic::minimum, Native},
    {"fmaximum", "FFF", Intrinsic::maximum, Native},
    {"fminimum_num", "FFF", Intrinsic::minimumnum, Native},
    {"fmaximum_num", "FFF", Intrinsic::maximumnum, Native},

    {"sin", "FF", Intrinsic::sin},
    {"cos", "FF", Intrinsic::cos},
    {"tan", "FF", Intrinsic::tan},
    {"asin", "FF", Intrinsic::asin},
    {"acos", "FF", Intrinsic::acos},
    {"atan", "FF", Intrinsic::atan},
    {"atan2", "FFF", Intrinsic::atan2},
    {"sinh", "FF", Intrinsic::sinh},
    {"cosh", "FF", Intrinsic::cosh},
    {"tanh", "FF", Intrinsic::tanh},
    {"asinh", "FF"},
    {"acosh", "FF"},
    {"atanh", "FF"},
    {"exp", "FF", Intrinsic::exp},
    {"exp2", "FF", Intrinsic::exp2},
    {"exp10", "FF", Intrinsic::exp10},
    {"expm1", "FF"},
    {"log", "FF", Intrinsic::log},
    {"log2", "FF", Intrinsic::log2},
    {"log10", "FF", Intrinsic::log10},
    {"log1p", "FF"},
    {"logb", "FF"},
    {"pow", "FFF", Intrinsic::pow},
    {"powi", "FFi", Intrinsic::powi, InLibrary, "powi", "pown"},
    {"cbrt", "FF"},
    {"hypot", "FFF"},
    {"fmod", "FFF"},
    {"remainder", "FFF"},
    {"fdim", "FFF"},
    {"nextafter", "FFF"},
    {"erf", "FF"},
    {"erfc", "FF"},
    {"tgamma", "FF"},
    {"lgamma", "FF"},
    {"ldexp", "FFi", Intrinsic::ldexp},
    {"ilogb", "iF"},
    {"frexp", "FFQ", Intrinsic::frexp},
    {"modf", "FFP", Intrinsic::modf},
    {"remquo", "FFFQ"},
    {"sincos", "vFPP", Intrinsic::sincos},
    {"lrint", "lF", Intrinsic::lrint, Native},
    {"llrint", "lF", Intrinsic::llrint, Native},
    {"lround", "lF", Intrinsic::lround, Native},
    {"llround", "lF", Intrinsic::llround, Native},
    {"j0", "FF", None, InLibrary, "", "-"},
    {"j1", "FF", None, InLibrary, "", "-"},
    {"y0", "FF", None, InLibrary, "", "-"},
    {"y1", "FF", None, InLibrary, "", "-"},
};

using Results = SmallVector<Value *, 3>;

class MathLowering {
public:
  MathLowering(Module &M, const GpuTarget &Gpu) : M(M), Gpu(Gpu) {}
  Error run(MissingFunction Missing);

private:
  void lowerCall(CallInst &Call, const MathRow &Row);
  void lowerIntrinsic(IntrinsicInst &Call, const MathRow &Row);
  void lowerRemainder(BinaryOperator &I);

  /// The C function on `Inputs`, pointers left out: its result, if any, and
  /// then what it would have stored.
  Results compute(IRBuilder<> &B, const MathRow &Row, ArrayRef<Value *> Inputs);
  Results computeScalar(IRBuilder<> &B, const MathRow &Row,
                        ArrayRef<Value *> Inputs);
  Results callLibrary(IRBuilder<> &B, const MathRow &Row,
                      ArrayRef<Value *> Inputs);
  Error linkLibrary();

  Module &M;
  const GpuTarget &Gpu;
  std::optional<MathLibrary> Library = Gpu.mathLibrary();
  /// A C function that is called, and one function that does so, by the
  /// library's name for it.
  struct Use {
    std::string Name;
    const Function *Caller;
  };
  std::map<std::string, Use> Needed;
};

} // namespace

std::optional<MathLibrary> findLibclc(StringRef Name) {
  for (StringRef Directory :
       {"/usr/lib/clc", "/usr/share/clc", FERRY_LLVM_BINDIR "/../share/clc"}) {
    std::string Path = (Directory + "/" + Name).str();
    if (sys::fs::exists(Path))
      return MathLibrary{MathLibrary::Libclc, Path};
  }
  return std::nullopt;
}

static bool isPointer(char C) { return C == 'P' || C == 'Q'; }

static const MathRow *findRow(Intrinsic::ID Id) {
  const MathRow *Row =
      find_if(Table, [&](const MathRow &R) { return R.Id == Id; });
  return Row == std::end(Table) ? nullptr : Row;
}

/// The row of a C function, if `F` has that function's very type.
static const MathRow *findRow(const Function &F) {
  StringRef Name = F.getName();
  const FunctionType *Type = F.getFunctionType();
  for (const MathRow &Row : Table) {
    bool Single = Name.size() == Row.Name.size() + 1 && Name.ends_with("f") &&
                  Name.starts_with(Row.Name);
    if (!Single && Name != Row.Name)
      continue;
    auto Matches = [&](llvm::Type *T, char C) {
      switch (C) {
      case 'F':
        return Single ? T->isFloatTy() : T->isDoubleTy();
      case 'i':
        return T->isIntegerTy(32);
      case 'l':
        return T->isIntegerTy(64);
      case 'v':
        return T->isVoidTy();
      default:
        return T->isPointerTy();
      }
    };
    if (Type->isVarArg() || Type->getNumParams() + 1 != Row.Type.size() ||
        !Matches(Type->getReturnType(), Row.Type[0]))
      return nullptr;
    for (unsigned I = 0; I != Type->getNumParams(); ++I)
      if (!Matches(Type->getParamType(I), Row.Type[I + 1]))
        return nullptr;
    return &Row;
  }
  return nullptr;
}

/// As libdevice or libclc (Itanium mangling of the OpenCL C function) names it.
static std::string libraryName(const MathRow &Row, bool Single,
                               const MathLibrary &Library,
                               unsigned PrivateSpace) {
  if (Library.Naming == MathLibrary::Libdevice)
    return ("__nv_" + (Row.Libdevice.empty() ? Row.Name : Row.Libdevice) +
            (Single ? "f" : ""))
        .str();
  StringRef Base = Row.Libclc.empty() ? Row.Name : Row.Libclc;
  std::string Name = ("_Z" + Twine(Base.size()) + Base).str();
  std::string Pointer =
      PrivateSpace ? "PU3AS" + utostr(PrivateSpace) : std::string("P");
  char Float = Single ? 'f' : 'd';
  StringRef Parameters = Row.Type.drop_front();
  // OpenCL's sincos returns the sine.
  if (Row.Name == "sincos")
    Parameters = "FP";
  for (char C : Parameters) {
    if (isPointer(C))
      Name += Pointer;
    Name += C == 'F' || C == 'P' ? Float : 'i';
  }
  return Name;
}

Results MathLowering::callLibrary(IRBuilder<> &B, const MathRow &Row,
                                  ArrayRef<Value *> Inputs) {
  Type *Float = Inputs[0]->getType();
  Type *Int = B.getInt32Ty();
  bool ReturnsSine =
      Row.Name == "sincos" && Library && Library->Naming == MathLibrary::Libclc;
  StringRef Shape = ReturnsSine ? "FFP" : Row.Type;
  auto TypeOf = [&](char C) {
    switch (C) {
    case 'F':
    case 'P':
      return Float;
    case 'v':
      return B.getVoidTy();
    default:
      return Int;
    }
  };

  // What the function stores goes through the thread's own memory.
  Function *Here = B.GetInsertBlock()->getParent();
  IRBuilder<> AtStart(&*Here->getEntryBlock().getFirstInsertionPt());
  SmallVector<Value *, 4> Arguments;
  SmallVector<Type *, 4> Types;
  SmallVector<AllocaInst *, 2> Slots;
  const Value *const *NextInput = Inputs.begin();
  for (char C : Shape.drop_front()) {
    if (isPointer(C)) {
      Slots.push_back(AtStart.CreateAlloca(TypeOf(C)));
      Arguments.push_back(Slots.back());
    } else {
      Arguments.push_back(const_cast<Value *>(*NextInput++));
    }
    Types.push_back(Arguments.back()->getType());
  }

  std::string CName = (Row.Name + (Float->isFloatTy() ? "f" : "")).str();
  std::string Name = Library ? libraryName(Row, Float->isFloatTy(), *Library,
                                           Gpu.privateSpace())
                             : CName;
  FunctionCallee Callee = M.getOrInsertFunction(
      Name, FunctionType::get(TypeOf(Shape[0]), Types, false));
  Needed.insert({Name, {CName, Here}});
  CallInst *Call = B.CreateCall(Callee, Arguments);

  Results R;
  if (!Call->getType()->isVoidTy())
    R.push_back(Call);
  for (AllocaInst *Slot : Slots)
    R.push_back(B.CreateLoad(Slot->getAllocatedType(), Slot));
  return R;
}

Results MathLowering::computeScalar(IRBuilder<> &B, const MathRow &Row,
                                    ArrayRef<Value *> Inputs) {
  Type *Asked = Inputs[0]->getType();
  bool Small = Asked->isHalfTy() || Asked->isBFloatTy();
  SmallVector<Value *, 4> Widened;
  for (Value *Input : Inputs) {
    if (Small && Input->getType()->isFloatingPointTy())
      Input = B.CreateFPExt(Input, B.getFloatTy());
    else if (Input->getType()->isIntegerTy())
      Input = B.CreateSExtOrTrunc(Input, B.getInt32Ty());
    Widened.push_back(Input);
  }
  Results R = callLibrary(B, Row, Widened);
  if (Small)
    for (Value *&V : R)
      if (V->getType()->isFloatTy())
        V = B.CreateFPTrunc(V, Asked);
  return R;
}

Results MathLowering::compute(IRBuilder<> &B, const MathRow &Row,
                              ArrayRef<Value *> Inputs) {
  auto *Vector = dyn_cast<FixedVectorType>(Inputs[0]->getType());
  if (!Vector)
    return computeScalar(B, Row, Inputs);
  Results Whole;
  for (unsigned Lane = 0; Lane != Vector->getNumElements(); ++Lane) {
    SmallVector<Value *, 4> Scalars;
    for (Value *Input : Inputs)
      Scalars.push_back(Input->getType()->isVectorTy()
                            ? B.CreateExtractElement(Input, Lane)
                            : Input);
    for (auto [I, V] : enumerate(computeScalar(B, Row, Scalars))) {
      if (!Lane)
        Whole.push_back(PoisonValue::get(
            FixedVectorType::get(V->getType(), Vector->getNumElements())));
      Whole[I] = B.CreateInsertElement(Whole[I], V, Lane);
    }
  }
  return Whole;
}

/// lrint and kin, which back ends lack, but they have rint.
static Value *roundToInteger(IRBuilder<> &B, const MathRow &Row, Value *Input,
                             Type *Result) {
  Intrinsic::ID Round =
      Row.Name.ends_with("rint") ? Intrinsic::rint : Intrinsic::round;
  return B.CreateFPToSI(B.CreateUnaryIntrinsic(Round, Input), Result);
}

void MathLowering::lowerCall(CallInst &Call, const MathRow &Row) {
  IRBuilder<> B(&Call);
  if (isa<FPMathOperator>(Call))
    B.setFastMathFlags(Call.getFastMathFlags());
  SmallVector<Value *, 4> Inputs;
  SmallVector<Value *, 2> Pointers;
  for (auto [Argument, C] : zip_equal(Call.args(), Row.Type.drop_front()))
    if (isPointer(C))
      Pointers.push_back(Argument);
    else
      Inputs.push_back(Argument);

  if (Row.Type[0] == 'l') {
    Call.replaceAllUsesWith(roundToInteger(B, Row, Inputs[0], Call.getType()));
  } else if (Row.Native) {
    Call.replaceAllUsesWith(
        B.CreateIntrinsic(Row.Id, {Call.getType()}, Inputs));
  } else {
    Results R = compute(B, Row, Inputs);
    ArrayRef<Value *> Stored = R;
    if (!Call.getType()->isVoidTy()) {
      Call.replaceAllUsesWith(R[0]);
      Stored = Stored.drop_front();
    }
    for (auto [V, Pointer] : zip_equal(Stored, Pointers))
      B.CreateStore(V, Pointer);
  }
  Call.eraseFromParent();
}

void MathLowering::lowerIntrinsic(IntrinsicInst &Call, const MathRow &Row) {
  IRBuilder<> B(&Call);
  if (isa<FPMathOperator>(Call))
    B.setFastMathFlags(Call.getFastMathFlags());
  Value *Result = nullptr;
  if (Row.Type[0] == 'l') {
    Result = roundToInteger(B, Row, Call.getArgOperand(0), Call.getType());
  } else {
    SmallVector<Value *, 4> Inputs(Call.args());
    Results R = compute(B, Row, Inputs);
    Result = R[0];
    if (Call.getType()->isStructTy()) {
      Result = PoisonValue::get(Call.getType());
      for (auto [I, V] : enumerate(R))
        Result = B.CreateInsertValue(Result, V, I);
    }
  }
  Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
}

void MathLowering::lowerRemainder(BinaryOperator &I) {
  static const MathRow *Fmod =
      find_if(Table, [](const MathRow &R) { return R.Name == "fmod"; });
  IRBuilder<> B(&I);
  B.setFastMathFlags(I.getFastMathFlags());
  I.replaceAllUsesWith(
      compute(B, *Fmod, {I.getOperand(0), I.getOperand(1)})[0]);
  I.eraseFromParent();
}

/// Brings in the bodies of the library functions that are called.
Error MathLowering::linkLibrary() {
  if (Needed.empty() || !Library)
    return Error::success();
  SMDiagnostic Problem;
  std::unique_ptr<Module> Bitcode =
      getLazyIRFileModule(Library->Path, Problem, M.getContext());
  if (!Bitcode)
    return createStringError("cannot read the device library " + Library->Path +
                             ": " + Problem.getMessage());
  Bitcode->setTargetTriple(M.getTargetTriple());
  Bitcode->setDataLayout(M.getDataLayout());
  SmallPtrSet<Function *, 32> Ours;
  for (Function &F : M)
    if (!F.isDeclaration())
      Ours.insert(&F);
  if (Linker::linkModules(M, std::move(Bitcode), Linker::LinkOnlyNeeded))
    return createStringError("cannot link the device library " + Library->Path);
  for (Function &F : M)
    if (!F.isDeclaration() && !Ours.contains(&F)) {
      F.setVisibility(GlobalValue::DefaultVisibility);
      F.setLinkage(GlobalValue::InternalLinkage);
    }
  return Error::success();
}

/// libdevice asks how exact square roots shall be. LLVM answers `not` for
/// nvcc's option that it has no counterpart of.
static void wantExactSquareRoots(Module &M) {
  Function *Reflect = M.getFunction("__nvvm_reflect");
  if (!Reflect)
    return;
  for (User *U : make_early_inc_range(Reflect->users())) {
    auto *Question = dyn_cast<CallInst>(U);
    StringRef Name;
    if (!Question || !getConstantStringInfo(Question->getArgOperand(0), Name) ||
        Name != "__CUDA_PREC_SQRT")
      continue;
    Question->replaceAllUsesWith(ConstantInt::get(Question->getType(), 1));
    Question->eraseFromParent();
  }
}

Error MathLowering::run(MissingFunction Missing) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (I.getOpcode() == Instruction::FRem) {
        lowerRemainder(cast<BinaryOperator>(I));
        continue;
      }
      auto *Call = dyn_cast<CallInst>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Callee->isDeclaration())
        continue;
      if (auto *Intrinsic = dyn_cast<IntrinsicInst>(Call)) {
        const MathRow *Row = findRow(Intrinsic->getIntrinsicID());
        if (Row && (!Row->Native || Row->Type[0] == 'l'))
          lowerIntrinsic(*Intrinsic, *Row);
      } else if (const MathRow *Row = findRow(*Callee)) {
        lowerCall(*Call, *Row);
      }
    }

  if (Error E = linkLibrary())
    return E;
  wantExactSquareRoots(M);
  for (auto &[Name, Use] : Needed)
    if (M.getFunction(Name)->isDeclaration())
      return Missing(*Use.Caller, Use.Name);
  return Error::success();
}

bool isMathFunction(const Function &F) { return findRow(F); }

Error lowerMath(Module &M, const GpuTarget &Gpu, MissingFunction Missing) {
  return MathLowering(M, Gpu).run(Missing);
}

} // namespace ferry
