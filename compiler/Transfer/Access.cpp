//===- Access.cpp - What kernels do to their arguments --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows every pointer that a kernel derives from a buffer to where it is used
// and writes down what each load and store touches, as a formula of the
// launch's arguments and shape (ferry/access.h). The formulas come from scalar
// evolution, which is told what a thread's place is; the conditions from the
// flow of control. A pointer that goes where it can't be followed is taken to
// read and write all of its buffer.
//
// A store is said twice: as a write under the conditions that hold whenever it
// runs, and as an overwrite under those under which it certainly runs in some
// thread. What goes back to the host without having been overwritten is copied
// in first, so that it keeps its value. When a thread panics, others may not
// run: so nothing counts as overwritten unless libferry sees that no thread
// can. The ways into panics are written down as accesses, too, which must turn
// out empty.
//
// A load of what the same thread has stored before reads nothing of the host's:
// the store dominates it, and the address is the same.
//
// The optimised kernel is what is looked at, so what is not used in the end
// counts as not used. Stores of neighbouring members, and of unrolled turns,
// become one.
//
//===----------------------------------------------------------------------===//

#include "Transfer/Access.h"
#include "Passes.h"
#include "Transfer/Control.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;

namespace ferry {

/// More in one kernel are not worth the time.
static constexpr unsigned MostAccesses = 256, MostPanics = 64;

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

/// Loops get the form that scalar evolution counts best.
static void optimise(Module &M) {
  PassBuilder PB;
  LoopPassManager Early, Late;
  Early.addPass(LoopRotatePass());
  Early.addPass(LICMPass(LICMOptions()));
  Late.addPass(IndVarSimplifyPass());
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(createFunctionToLoopPassAdaptor(std::move(Early),
                                              /*UseMemorySSA=*/true));
  FPM.addPass(InstCombinePass());
  FPM.addPass(createFunctionToLoopPassAdaptor(std::move(Late)));
  FPM.addPass(GVNPass());
  FPM.addPass(DSEPass());
  // A store in both arms of a branch is one after it.
  FPM.addPass(SimplifyCFGPass(SimplifyCFGOptions().sinkCommonInsts(true)));
  FPM.addPass(InstCombinePass());
  CGSCCPassManager CGPM;
  CGPM.addPass(createCGSCCToFunctionPassAdaptor(std::move(FPM)));
  CGPM.addPass(PostOrderFunctionAttrsPass());
  ModulePassManager MPM;
  MPM.addPass(createModuleToPostOrderCGSCCPassAdaptor(std::move(CGPM)));
  runPasses(M, MPM, PB);
}

//===----------------------------------------------------------------------===//
// Where the pointers go
//===----------------------------------------------------------------------===//

namespace {
/// A load, store or the like.
struct Touch {
  Instruction *I;
  Value *Pointer;
  Value *Length = nullptr; ///< in bytes, where that is a number of the kernel's
  uint64_t Bytes = 0;
  bool Reads = false, Writes = false;
  bool Overwrites = false; ///< writes all of it, whenever it runs
};

/// Follows the pointers to one buffer.
class PointerWalk {
public:
  PointerWalk(Function &F) : F(F), DL(F.getDataLayout()) {}

  SmallVector<Touch> Touches;
  bool ReadsAnywhere = false, WritesAnywhere = false;
  bool LooksAtAddress = false;

  void run(Value &Buffer) {
    Root = &Buffer;
    follow(Buffer);
    for (unsigned I = 0; I != Work.size(); ++I)
      for (Use &U : Work[I]->uses())
        visit(U);
    if (Touches.size() > MostAccesses) {
      for (const Touch &T : Touches) {
        ReadsAnywhere |= T.Reads;
        WritesAnywhere |= T.Writes;
      }
      Touches.clear();
    }
  }

private:
  Function &F;
  const DataLayout &DL;
  Value *Root = nullptr;
  SetVector<Value *> Work;

  void follow(Value &V) { Work.insert(&V); }
  void escape() { ReadsAnywhere = WritesAnywhere = LooksAtAddress = true; }

  /// Another pointer to the same buffer.
  bool isOurs(Value &V) {
    SmallVector<const Value *> Objects;
    getUnderlyingObjects(&V, Objects);
    return all_of(Objects, [&](const Value *O) { return O == Root; });
  }

  void visit(Use &U) {
    if (auto *C = dyn_cast<ConstantExpr>(U.getUser())) {
      follow(*C);
      return;
    }
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      return escape();
    // Of a global. What another kernel does is that kernel's.
    if (I->getFunction() != &F) {
      if (I->getFunction()->hasLocalLinkage())
        escape();
      return;
    }
    if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst, BitCastInst,
            AddrSpaceCastInst>(I))
      return follow(*I);
    if (auto *L = dyn_cast<LoadInst>(I))
      return touch(*L, *L->getPointerOperand(), L->getType(), true, false);
    if (auto *S = dyn_cast<StoreInst>(I)) {
      if (U.getOperandNo() != StoreInst::getPointerOperandIndex())
        return escape();
      return touch(*S, *S->getPointerOperand(), S->getValueOperand()->getType(),
                   false, true);
    }
    if (auto *A = dyn_cast<AtomicRMWInst>(I)) {
      if (U.getOperandNo() != AtomicRMWInst::getPointerOperandIndex())
        return escape();
      return touch(*A, *A->getPointerOperand(), A->getType(), true, true);
    }
    if (auto *A = dyn_cast<AtomicCmpXchgInst>(I)) {
      if (U.getOperandNo() != AtomicCmpXchgInst::getPointerOperandIndex())
        return escape();
      return touch(*A, *A->getPointerOperand(),
                   A->getNewValOperand()->getType(), true, true);
    }
    if (auto *C = dyn_cast<ICmpInst>(I))
      return compare(*C, U);
    if (auto *P = dyn_cast<CastInst>(I);
        P && (isa<PtrToIntInst>(P) || isa<PtrToAddrInst>(P)))
      return number(*P);
    if (auto *Call = dyn_cast<CallBase>(I))
      return visitCall(*Call, U);
    escape();
  }

  void touch(Instruction &I, Value &Pointer, Type *T, bool Reads, bool Writes) {
    TypeSize Size = DL.getTypeStoreSize(T);
    if (Size.isScalable())
      return escape();
    // Bits of padding in an i1 or an i20 are written as well.
    Touches.push_back({&I, &Pointer, nullptr, Size.getFixedValue(), Reads,
                       Writes, Writes && !Reads && !I.isVolatile()});
  }

  void compare(ICmpInst &C, Use &U) {
    Value *Other = C.getOperand(1 - U.getOperandNo());
    if (!isa<ConstantPointerNull>(Other) && !isOurs(*Other))
      LooksAtAddress = true;
  }

  /// The address as a number. It may be asked for its alignment, or for its
  /// distance to another one of the same buffer.
  void number(CastInst &P) {
    for (User *U : P.users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (isa_and_nonnull<ICmpInst>(I)) {
        LooksAtAddress = true;
        continue;
      }
      if (I && I->getOpcode() == Instruction::And) {
        auto *Mask = dyn_cast<ConstantInt>(I->getOperand(1));
        if (Mask && Mask->getValue().ult(4096)) {
          LooksAtAddress = true;
          continue;
        }
      }
      if (I && I->getOpcode() == Instruction::Sub) {
        auto *A = dyn_cast<CastInst>(I->getOperand(0)),
             *B = dyn_cast<CastInst>(I->getOperand(1));
        if (A && B && isOurs(*A->getOperand(0)) && isOurs(*B->getOperand(0)))
          continue;
      }
      escape();
    }
  }

  void visitCall(CallBase &Call, Use &U) {
    if (auto *M = dyn_cast<MemIntrinsic>(&Call))
      return visitMemory(*M, U);
    if (auto *II = dyn_cast<IntrinsicInst>(&Call)) {
      if (II->isAssumeLikeIntrinsic())
        return;
      if (II->getIntrinsicID() == Intrinsic::launder_invariant_group ||
          II->getIntrinsicID() == Intrinsic::strip_invariant_group)
        return follow(Call);
    }
    if (!Call.isArgOperand(&U))
      return escape();
    unsigned Number = Call.getArgOperandNo(&U);
    if (!Call.doesNotCapture(Number))
      return escape();
    LooksAtAddress = true;
    ReadsAnywhere |= !Call.onlyWritesMemory(Number);
    WritesAnywhere |= !Call.onlyReadsMemory(Number);
  }

  void visitMemory(MemIntrinsic &M, Use &U) {
    bool Written = U.getOperandNo() == 0;
    Touch T{&M, U.get(), nullptr, 0, !Written, Written, false};
    T.Overwrites = Written && !M.isVolatile();
    if (auto *Length = dyn_cast<ConstantInt>(M.getLength()))
      T.Bytes = Length->getZExtValue();
    else
      T.Length = M.getLength();
    if (T.Bytes || T.Length)
      Touches.push_back(T);
  }
};

/// Describes what one kernel touches.
class KernelReader {
public:
  KernelReader(const Kernel &K, const DeviceKernel &DK, Function &F,
               FunctionAnalysisManager &FAM)
      : DK(DK), F(F), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)), Formulas(K, F, SE),
        Control(Formulas, SE, DT, LI) {}

  Usage read(Value &Buffer) {
    Root = &Buffer;
    PointerWalk Walk(F);
    Walk.run(Buffer);
    Usage U;
    if (uint32_t Does = (Walk.ReadsAnywhere ? FERRY_DOES_READ : 0) |
                        (Walk.WritesAnywhere ? FERRY_DOES_WRITE : 0))
      U.Accesses.push_back({Does | FERRY_DOES_ANYWHERE, 0, {}, {}});
    if (Walk.LooksAtAddress)
      U.Room = UINT64_MAX;
    else if (auto *A = dyn_cast<Argument>(&Buffer))
      U.Room = A->getDereferenceableBytes();
    for (const Touch &T : Walk.Touches) {
      if (!DT.isReachableFromEntry(T.I->getParent()))
        continue;
      if (T.Reads && !readsOwn(T, Walk.Touches))
        describe(T, FERRY_DOES_READ, U);
      if (T.Writes)
        describe(T, FERRY_DOES_WRITE, U);
      if (T.Overwrites)
        describe(T, FERRY_DOES_OVERWRITE, U);
    }
    join(U);
    Runs.clear();
    return U;
  }

  std::vector<Access> panics() {
    std::vector<Access> Result;
    if (!DK.CanPanic)
      return Result;
    Access Somewhere;
    Somewhere.Does = FERRY_DOES_ANYWHERE;
    if (callsFunctions() || ends(F.getEntryBlock()))
      return {Somewhere};
    for (BasicBlock &BB : F)
      for (BasicBlock *From : predecessors(&BB)) {
        if (!ends(BB) || !DT.isReachableFromEntry(From))
          continue;
        Access A;
        A.Conditions = Control.necessary(*From, BB);
        dropRepeated(A.Conditions);
        dropSurplus(A.Conditions);
        if (Result.size() == MostPanics ||
            A.Conditions.size() > FERRY_MOST_CONDITIONS)
          return {Somewhere};
        Result.push_back(std::move(A));
      }
    return Result;
  }

  std::vector<Symbol> symbols() { return std::move(Formulas.Symbols); }

private:
  const DeviceKernel &DK;
  Function &F;
  ScalarEvolution &SE;
  DominatorTree &DT;
  LoopInfo &LI;
  FormulaReader Formulas;
  ControlReader Control;
  Value *Root = nullptr; ///< the buffer that is being looked at

  /// What differs in nothing but a constant distance from the start.
  struct Key {
    BasicBlock *Block;
    const SCEV *Rest;
    Value *Length;
    uint32_t Does;
    bool operator<(const Key &O) const {
      return std::tie(Block, Rest, Length, Does) <
             std::tie(O.Block, O.Rest, O.Length, O.Does);
    }
  };
  /// [From, to) of each, in the order in which they were met.
  MapVector<Key, SmallVector<std::pair<int64_t, int64_t>, 2>,
            std::map<Key, unsigned>>
      Runs;

  /// A panic in a function that the kernel calls is not looked at.
  bool callsFunctions() {
    return any_of(instructions(F), [](Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      return Call && (!Callee || !Callee->isDeclaration());
    });
  }

  static bool ends(BasicBlock &BB) {
    return any_of(BB, [](Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      return Call && Call->doesNotReturn();
    });
  }

  /// The bytes are what this thread has stored before.
  bool readsOwn(const Touch &Load, ArrayRef<Touch> All) {
    return any_of(All, [&](const Touch &Store) {
      return Store.Overwrites && !Store.Length && !Load.Length &&
             !Load.Writes && Store.Bytes >= Load.Bytes &&
             SE.getSCEV(Store.Pointer) == SE.getSCEV(Load.Pointer) &&
             DT.dominates(Store.I, Load.I);
    });
  }

  static void anywhere(Usage &U, uint32_t Does) {
    if (Does != FERRY_DOES_OVERWRITE)
      U.Accesses.push_back({Does | FERRY_DOES_ANYWHERE, 0, {}, {}});
  }

  void describe(const Touch &T, uint32_t Does, Usage &U) {
    BasicBlock *BB = T.I->getParent();
    const SCEV *Address = SE.getSCEVAtScope(T.Pointer, LI.getLoopFor(BB));
    auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
    if (!Base || Base->getValue() != Root)
      return anywhere(U, Does);
    const SCEV *Offset = SE.removePointerBase(Address);
    int64_t Distance = 0;
    if (auto *C = dyn_cast<SCEVConstant>(Offset)) {
      Distance = C->getAPInt().getSExtValue();
      Offset = SE.getZero(Offset->getType());
    } else if (auto *Sum = dyn_cast<SCEVAddExpr>(Offset)) {
      if (auto *First = dyn_cast<SCEVConstant>(Sum->getOperand(0))) {
        Distance = First->getAPInt().getSExtValue();
        Offset = SE.getMinusSCEV(Offset, First);
      }
    }
    int64_t End;
    if (AddOverflow(Distance, static_cast<int64_t>(T.Length ? 1 : T.Bytes),
                    End) ||
        T.Bytes > INT64_MAX)
      return anywhere(U, Does);
    Runs[{BB, Offset, T.Length, Does}].push_back({Distance, End});
  }

  /// Makes accesses of what belongs together. Reads and writes may have gaps.
  void join(Usage &U) {
    for (auto &[K, Parts] : Runs) {
      sort(Parts);
      SmallVector<std::pair<int64_t, int64_t>> Joined;
      for (auto [From, To] : Parts) {
        if (!Joined.empty() &&
            (K.Does != FERRY_DOES_OVERWRITE || From <= Joined.back().second))
          Joined.back().second = std::max(Joined.back().second, To);
        else
          Joined.push_back({From, To});
      }
      for (auto [From, To] : Joined)
        addAccess(K, From, To - From, U);
    }
  }

  void addAccess(const Key &K, int64_t From, uint64_t Bytes, Usage &U) {
    Access A;
    A.Does = K.Does;
    A.Bytes = Bytes;
    const Loop *At = LI.getLoopFor(K.Block);
    if (K.Does == FERRY_DOES_OVERWRITE) {
      std::optional<std::vector<Condition>> When = Control.sufficient(*K.Block);
      if (!When)
        return;
      A.Conditions = std::move(*When);
    } else {
      A.Conditions = Control.necessary(*K.Block);
    }
    std::vector<Condition> Fits;
    std::optional<Sum> Offset = Formulas.sum(K.Rest, At, Fits);
    if (!Offset)
      return anywhere(U, K.Does);
    add(*Offset, {constant(From), {}});
    if (K.Length && !addLength(*K.Length, At, *Offset))
      return anywhere(U, K.Does);
    A.Offset = std::move(*Offset);
    append_range(A.Conditions, Fits);
    if (At && A.Does != FERRY_DOES_OVERWRITE && splitFirstTurn(A, *At, U))
      return;
    finish(std::move(A), U);
  }

  /// Of a loop that nobody has counted the first turn comes unasked, and the
  /// others after what ends it has been asked.
  bool splitFirstTurn(const Access &A, const Loop &L, Usage &U) {
    unsigned Turns = Formulas.turnsOf(L);
    auto Counts = [&](const Term &T) { return T.Symbol == Turns; };
    if (!Formulas.Symbols[Turns].Count.empty() ||
        none_of(A.Offset.Terms, Counts))
      return false;
    std::optional<std::vector<Condition>> Later = Control.repeats(L);
    if (!Later)
      return false;
    Access First = A, Others = A;
    erase_if(First.Offset.Terms, Counts);
    for (Condition &C : First.Conditions)
      erase_if(C.Value.Terms, Counts);
    append_range(Others.Conditions, *Later);
    finish(std::move(First), U);
    finish(std::move(Others), U);
    return true;
  }

  static void finish(Access A, Usage &U) {
    dropRepeated(A.Conditions);
    if (A.Does != FERRY_DOES_OVERWRITE)
      dropSurplus(A.Conditions);
    if (A.Conditions.size() > FERRY_MOST_CONDITIONS ||
        A.Offset.Base.size() > FERRY_MOST_OPS ||
        A.Offset.Terms.size() > FERRY_MOST_TERMS)
      return anywhere(U, A.Does);
    U.Accesses.push_back(std::move(A));
  }

  static bool same(const Formula &A, const Formula &B) {
    return A.size() == B.size() &&
           std::equal(A.begin(), A.end(), B.begin(), [](auto &X, auto &Y) {
             return X.code == Y.code && X.value == Y.value;
           });
  }

  static bool same(const Condition &A, const Condition &B) {
    auto &S = A.Value.Terms, &T = B.Value.Terms;
    return A.Relation == B.Relation && A.Width == B.Width &&
           A.Turns == B.Turns && same(A.Bound, B.Bound) &&
           same(A.Value.Base, B.Value.Base) && S.size() == T.size() &&
           std::equal(S.begin(), S.end(), T.begin(), [](auto &X, auto &Y) {
             return X.Symbol == Y.Symbol && same(X.Stride, Y.Stride);
           });
  }

  static void dropRepeated(std::vector<Condition> &Conditions) {
    std::vector<Condition> Kept;
    for (Condition &C : Conditions)
      if (none_of(Kept, [&](const Condition &K) { return same(K, C); }))
        Kept.push_back(std::move(C));
    Conditions = std::move(Kept);
  }

  /// Leaves out comparisons that there is no room for. The outer ones matter
  /// least: an inner one often implies them.
  static void dropSurplus(std::vector<Condition> &Conditions) {
    while (Conditions.size() > FERRY_MOST_CONDITIONS) {
      auto Comparison = find_if(Conditions, [](const Condition &C) {
        return C.Relation < FERRY_WHEN_FITS_UNSIGNED;
      });
      if (Comparison == Conditions.end())
        return;
      Conditions.erase(Comparison);
    }
  }

  /// The bytes of a memset count like the turns of a loop that writes them.
  bool addLength(Value &Length, const Loop *At, Sum &Offset) {
    const SCEV *L = SE.getSCEVAtScope(&Length, const_cast<Loop *>(At));
    std::optional<Formula> Count = Formulas.formula(L);
    if (!Count)
      return false;
    Formula C = wrapped(std::move(*Count), FERRY_OP_ZEXT,
                        SE.getTypeSizeInBits(L->getType()));
    if (C.size() > FERRY_MOST_OPS)
      return false;
    unsigned Byte = Formulas.addSymbol("byte", std::move(C));
    add(Offset, {constant(0), {{Byte, constant(1)}}});
    return true;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The stage
//===----------------------------------------------------------------------===//

std::vector<KernelUsage> analyseAccess(const LaunchPlan &Plan,
                                       const DeviceProgram &Program) {
  std::unique_ptr<Module> M = CloneModule(*Program.M);
  // What a slot holds is a number, whatever it was made of.
  for (const Kernel &K : Plan.Kernels)
    for (Argument &A : M->getFunction(K.Symbol)->args())
      A.addAttr(Attribute::NoUndef);
  // A query gives the same answer anywhere: it may leave a loop.
  for (Function &F : *M)
    if (queryFor(F))
      F.addFnAttr(Attribute::Speculatable);
  optimise(*M);

  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);

  std::vector<KernelUsage> Result;
  for (auto [K, DK] : zip(Plan.Kernels, Program.Kernels)) {
    Function &F = *M->getFunction(K.Symbol);
    KernelReader Reader(K, DK, F, FAM);
    KernelUsage &Of = Result.emplace_back();
    for (Argument &A : F.args())
      Of.Slots.push_back(A.getType()->isPointerTy() ? Reader.read(A) : Usage());
    for (unsigned Index : DK.Globals)
      Of.Globals.push_back(
          Reader.read(*M->getNamedGlobal(Program.Globals[Index].Symbol)));
    Of.Panics = Reader.panics();
    Of.Symbols = Reader.symbols();
  }
  return Result;
}

} // namespace ferry
