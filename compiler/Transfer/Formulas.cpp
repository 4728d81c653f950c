//===- Formulas.cpp - From scalar evolution to formulas -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's scalar evolution has brought addresses, loop counts and conditions
// into a normal form already; here that becomes what libferry can evaluate. The
// leaves are the kernel's slots, the shape, and the symbols: the thread's place
// and the turns of loops.
//
// A formula stands for a number modulo 2^bits: additions, products and
// truncations are those of whole numbers, and only where the kernel looks at a
// number as such (it extends, divides or compares it) an operation takes the
// one that fits. In a sum an extension of something with symbols in it is taken
// for the thing itself, and the condition that it fits goes along.
//
//===----------------------------------------------------------------------===//

#include "Transfer/Formulas.h"
#include "llvm/Analysis/ScalarEvolutionPatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace llvm::SCEVPatternMatch;

namespace ferry {

/// ferry_kernel::formula_slots has a bit for each.
static constexpr unsigned MostSlots = 64;

static Formula leaf(uint32_t Code, int64_t Value) { return {{Code, 0, Value}}; }

Formula constant(int64_t Value) { return leaf(FERRY_OP_CONSTANT, Value); }

static bool isConstant(const Formula &F, int64_t Value) {
  return F.size() == 1 && F[0].code == FERRY_OP_CONSTANT && F[0].value == Value;
}

Formula combine(Formula A, const Formula &B, uint32_t Code) {
  if (Code == FERRY_OP_ADD && isConstant(A, 0))
    return B;
  if (Code == FERRY_OP_ADD && isConstant(B, 0))
    return A;
  if (Code == FERRY_OP_MUL && isConstant(A, 1))
    return B;
  if (Code == FERRY_OP_MUL && isConstant(B, 1))
    return A;
  if (Code == FERRY_OP_MUL && (isConstant(A, 0) || isConstant(B, 0)))
    return constant(0);
  if (Code == FERRY_OP_MUL && A.size() == 1 && B.size() == 1 &&
      A[0].code == FERRY_OP_CONSTANT && B[0].code == FERRY_OP_CONSTANT) {
    int64_t Product;
    if (!MulOverflow(A[0].value, B[0].value, Product))
      return constant(Product);
  }
  A.insert(A.end(), B.begin(), B.end());
  A.push_back({Code, 0, 0});
  return A;
}

Formula wrapped(Formula F, uint32_t Code, uint64_t Bits) {
  if (F.size() == 1 && F[0].code == FERRY_OP_CONSTANT) {
    APInt V(64, F[0].value, /*isSigned=*/true);
    if (Code == FERRY_OP_SEXT)
      return constant(V.sextOrTrunc(Bits).getSExtValue());
    if (Bits < 64)
      return constant(V.trunc(Bits).getZExtValue());
  }
  F.push_back({Code, 0, static_cast<int64_t>(Bits)});
  return F;
}

void add(Sum &To, const Sum &Other) {
  To.Base = combine(std::move(To.Base), Other.Base, FERRY_OP_ADD);
  for (const Term &T : Other.Terms) {
    auto Known = find_if(
        To.Terms, [&](const Term &Old) { return Old.Symbol == T.Symbol; });
    if (Known == To.Terms.end())
      To.Terms.push_back(T);
    else
      Known->Stride = combine(std::move(Known->Stride), T.Stride, FERRY_OP_ADD);
  }
}

void scale(Sum &S, const Formula &By) {
  S.Base = combine(std::move(S.Base), By, FERRY_OP_MUL);
  for (Term &T : S.Terms)
    T.Stride = combine(std::move(T.Stride), By, FERRY_OP_MUL);
}

static bool isSmall(const Formula &F) { return F.size() <= FERRY_MOST_OPS; }

static bool isSmall(const Sum &S) {
  return isSmall(S.Base) && S.Terms.size() <= FERRY_MOST_TERMS &&
         all_of(S.Terms, [](const Term &T) { return isSmall(T.Stride); });
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The first symbols are the thread's place: its coordinates in `over`, and
/// those in its block and of its block in `blocks`.
static constexpr unsigned Global = 0, Thread = 0, Block = 3;

FormulaReader::FormulaReader(const Kernel &K, Function &F, ScalarEvolution &SE)
    : K(K), F(F), SE(SE) {
  auto AddPlace = [&](const char *Name, uint32_t Code) {
    for (unsigned D = 0; D != 3; ++D)
      addSymbol(Twine(Name) + StringRef("xyz").substr(D, 1), leaf(Code, D));
  };
  if (K.LaunchShape == Shape::Over) {
    AddPlace("global.", FERRY_OP_EXTENT);
  } else {
    AddPlace("thread.", FERRY_OP_BLOCK);
    AddPlace("block.", FERRY_OP_EXTENT);
  }
}

unsigned FormulaReader::addSymbol(const Twine &Name, Formula Count) {
  Symbols.push_back({Name.str(), std::move(Count)});
  return Symbols.size() - 1;
}

unsigned FormulaReader::turnsOf(const Loop &L) {
  auto Known = Turns.find(&L);
  if (Known != Turns.end())
    return Known->second;
  unsigned Number = addSymbol("turn." + Twine(Turns.size()), {});
  Turns[&L] = Number;
  const SCEV *Count = SE.getCouldNotCompute();
  bool Exact = false;
  if (BasicBlock *Latch = L.getLoopLatch(); Latch && L.isLoopExiting(Latch)) {
    Count = SE.getExitCount(&L, Latch);
    Exact = !isa<SCEVCouldNotCompute>(Count);
  }
  if (!Exact)
    Count = SE.getSymbolicMaxBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    return Number;
  std::optional<Formula> Taken = formula(Count);
  if (!Taken)
    return Number;
  uint64_t Bits = SE.getTypeSizeInBits(Count->getType());
  Formula C = combine(wrapped(std::move(*Taken), FERRY_OP_ZEXT, Bits),
                      constant(1), FERRY_OP_ADD);
  if (!isSmall(C))
    return Number;
  Symbols[Number].Count = std::move(C);
  if (Exact)
    Counted.insert(&L);
  return Number;
}

//===----------------------------------------------------------------------===//
// The thread's place
//===----------------------------------------------------------------------===//

static Formula blockDim(unsigned D) { return leaf(FERRY_OP_BLOCK, D); }

/// Threads along a dimension.
static Formula globalDim(const Kernel &K, unsigned D) {
  Formula Extent = leaf(FERRY_OP_EXTENT, D);
  return K.LaunchShape == Shape::Over
             ? Extent
             : combine(Extent, blockDim(D), FERRY_OP_MUL);
}

Sum FormulaReader::position(unsigned D) {
  if (K.LaunchShape == Shape::Over)
    return {constant(0), {{Global + D, constant(1)}}};
  return {constant(0), {{Thread + D, constant(1)}, {Block + D, blockDim(D)}}};
}

/// No value: not a query, or one whose answer is no sum of symbols.
std::optional<Sum> FormulaReader::place(Value *V) {
  auto *Call = dyn_cast<CallInst>(V);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  std::optional<Query> Q = Callee ? queryFor(*Callee) : std::nullopt;
  if (!Q)
    return std::nullopt;
  unsigned D = 0;
  if (Call->arg_size()) {
    auto *Dimension = dyn_cast<ConstantInt>(Call->getArgOperand(0));
    if (!Dimension || Dimension->getZExtValue() > 2)
      return std::nullopt;
    D = Dimension->getZExtValue();
  }
  bool Over = K.LaunchShape == Shape::Over;
  auto Plain = [](Formula F) { return Sum{std::move(F), {}}; };
  auto Below = [](Formula F) {
    return combine(constant(0),
                   combine(std::move(F), constant(-1), FERRY_OP_ADD),
                   FERRY_OP_HULL);
  };
  switch (*Q) {
  case Query::ThreadIdx:
    if (Over)
      return Plain(Below(blockDim(D)));
    return Sum{constant(0), {{Thread + D, constant(1)}}};
  case Query::BlockIdx:
    if (Over)
      return Plain(Below(leaf(FERRY_OP_GRID, D)));
    return Sum{constant(0), {{Block + D, constant(1)}}};
  case Query::BlockDim:
    return Plain(blockDim(D));
  case Query::GridDim:
    return Plain(leaf(FERRY_OP_GRID, D));
  case Query::GlobalIdx:
    return position(D);
  case Query::GlobalDim:
    return Plain(globalDim(K, D));
  case Query::GlobalId: {
    Sum Id = position(2);
    for (unsigned Next : {1, 0}) {
      scale(Id, globalDim(K, Next));
      add(Id, position(Next));
    }
    return Id;
  }
  case Query::WarpSize:
    return Plain(combine(constant(1), constant(64), FERRY_OP_HULL));
  case Query::WarpLane:
    return Plain(combine(constant(0), constant(63), FERRY_OP_HULL));
  case Query::DynamicSharedBytes:
    return std::nullopt;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

Formula flatten(const Sum &S) {
  Formula F = S.Base;
  for (const Term &T : S.Terms)
    F = combine(
        std::move(F),
        combine(leaf(FERRY_OP_SYMBOL, T.Symbol), T.Stride, FERRY_OP_MUL),
        FERRY_OP_ADD);
  return F;
}

/// What LLVM knows of a number that means nothing here.
std::optional<Formula> FormulaReader::rangeOf(const SCEV *S) {
  auto Hull = [](int64_t Least, int64_t Largest) {
    return combine(constant(Least), constant(Largest), FERRY_OP_HULL);
  };
  unsigned Bits = SE.getTypeSizeInBits(S->getType());
  ConstantRange U = SE.getUnsignedRange(S);
  if (U.getActiveBits() < std::min(Bits, 63u))
    return Hull(U.getUnsignedMin().getZExtValue(),
                U.getUnsignedMax().getZExtValue());
  ConstantRange I = SE.getSignedRange(S);
  if (I.getMinSignedBits() < Bits)
    return Hull(I.getSignedMin().getSExtValue(),
                I.getSignedMax().getSExtValue());
  return std::nullopt;
}

std::optional<Formula> FormulaReader::unknown(const SCEVUnknown &U) {
  if (std::optional<Sum> Place = place(U.getValue()))
    return flatten(*Place);
  auto *A = dyn_cast<Argument>(U.getValue());
  if (A && A->getParent() == &F && A->getType()->isIntegerTy() &&
      A->getArgNo() < MostSlots)
    return leaf(FERRY_OP_SLOT, A->getArgNo());
  if (auto *S = dyn_cast<SelectInst>(U.getValue()))
    return select(*S);
  return std::nullopt;
}

/// One of two numbers, as a comparison says. Rust's front end makes one of an
/// empty slice's address.
std::optional<Formula> FormulaReader::select(SelectInst &S) {
  auto *Compare = dyn_cast<ICmpInst>(S.getCondition());
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy() ||
      !S.getType()->isIntegerTy())
    return std::nullopt;
  CmpInst::Predicate P = Compare->getPredicate();
  Value *L = Compare->getOperand(0), *R = Compare->getOperand(1);
  Value *True = S.getTrueValue(), *False = S.getFalseValue();
  if (P == CmpInst::ICMP_NE || ICmpInst::isGE(P) || ICmpInst::isLE(P)) {
    P = CmpInst::getInversePredicate(P);
    std::swap(True, False);
  }
  if (ICmpInst::isGT(P)) {
    P = CmpInst::getSwappedPredicate(P);
    std::swap(L, R);
  }
  uint32_t Wrap = CmpInst::isSigned(P) ? FERRY_OP_SEXT : FERRY_OP_ZEXT;
  uint64_t Bits = SE.getTypeSizeInBits(L->getType());
  std::optional<Formula> A = formula(SE.getSCEV(L)), B = formula(SE.getSCEV(R)),
                         T = formula(SE.getSCEV(True)),
                         F = formula(SE.getSCEV(False));
  if (!A || !B || !T || !F)
    return std::nullopt;
  Formula Holds = combine(
      wrapped(std::move(*A), Wrap, Bits), wrapped(std::move(*B), Wrap, Bits),
      P == CmpInst::ICMP_EQ ? FERRY_OP_EQUAL : FERRY_OP_LESS);
  Formula More = combine(std::move(*T), combine(*F, constant(-1), FERRY_OP_MUL),
                         FERRY_OP_ADD);
  Formula Result =
      combine(std::move(*F), combine(std::move(Holds), More, FERRY_OP_MUL),
              FERRY_OP_ADD);
  return isSmall(Result) ? std::optional(Result) : std::nullopt;
}

std::optional<Formula> FormulaReader::fold(const SCEVNAryExpr &S, uint32_t Code,
                                           uint32_t Wrap) {
  std::optional<Formula> Result;
  for (const SCEV *Operand : S.operands()) {
    std::optional<Formula> Each = formula(Operand);
    if (!Each)
      return std::nullopt;
    if (Wrap)
      Each = wrapped(std::move(*Each), Wrap,
                     SE.getTypeSizeInBits(Operand->getType()));
    Result = Result ? combine(std::move(*Result), *Each, Code) : *Each;
    if (!isSmall(*Result))
      return std::nullopt;
  }
  return Result;
}

std::optional<Formula> FormulaReader::formula(const SCEV *S) {
  if (!S->getType()->isIntegerTy() || SE.getTypeSizeInBits(S->getType()) > 64)
    return std::nullopt;
  std::optional<Formula> F = formulaOf(S);
  return F ? F : rangeOf(S);
}

std::optional<Formula> FormulaReader::formulaOf(const SCEV *S) {
  // Counts of loops name other loops' turns.
  if (Depth > 24)
    return std::nullopt;
  SaveAndRestore Deeper(Depth, Depth + 1);
  auto Operand = [&](const SCEV *Of, uint32_t Wrap) {
    std::optional<Formula> F = formula(Of);
    if (F)
      F = wrapped(std::move(*F), Wrap, SE.getTypeSizeInBits(Of->getType()));
    return F && isSmall(*F) ? F : std::nullopt;
  };
  auto Divide = [&](const SCEV *L, const SCEV *R,
                    uint32_t Code) -> std::optional<Formula> {
    std::optional<Formula> A = Operand(L, FERRY_OP_ZEXT),
                           B = Operand(R, FERRY_OP_ZEXT);
    if (!B || (!A && Code == FERRY_OP_UDIV))
      return std::nullopt;
    if (!A) // anything
      A = combine(constant(0),
                  wrapped(constant(-1), FERRY_OP_ZEXT,
                          SE.getTypeSizeInBits(L->getType())),
                  FERRY_OP_HULL);
    Formula F = combine(std::move(*A), *B, Code);
    return isSmall(F) ? std::optional(F) : std::nullopt;
  };
  const SCEV *Left, *Right;
  if (match(S, m_scev_URem(m_SCEV(Left), m_SCEV(Right), SE)))
    return Divide(Left, Right, FERRY_OP_UREM);
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &C = cast<SCEVConstant>(S)->getAPInt();
    return constant(C.getSExtValue());
  }
  case scUnknown:
    return unknown(*cast<SCEVUnknown>(S));
  case scTruncate:
    return formula(cast<SCEVTruncateExpr>(S)->getOperand());
  case scZeroExtend:
    return Operand(cast<SCEVZeroExtendExpr>(S)->getOperand(), FERRY_OP_ZEXT);
  case scSignExtend:
    return Operand(cast<SCEVSignExtendExpr>(S)->getOperand(), FERRY_OP_SEXT);
  case scAddExpr:
    return fold(*cast<SCEVNAryExpr>(S), FERRY_OP_ADD, 0);
  case scMulExpr:
    return fold(*cast<SCEVNAryExpr>(S), FERRY_OP_MUL, 0);
  case scUDivExpr: {
    auto *D = cast<SCEVUDivExpr>(S);
    return Divide(D->getLHS(), D->getRHS(), FERRY_OP_UDIV);
  }
  case scUMaxExpr:
    return fold(*cast<SCEVNAryExpr>(S), FERRY_OP_MAX, FERRY_OP_ZEXT);
  case scSMaxExpr:
    return fold(*cast<SCEVNAryExpr>(S), FERRY_OP_MAX, FERRY_OP_SEXT);
  case scUMinExpr:
  case scSequentialUMinExpr:
    return fold(*cast<SCEVNAryExpr>(S), FERRY_OP_MIN, FERRY_OP_ZEXT);
  case scSMinExpr:
    return fold(*cast<SCEVNAryExpr>(S), FERRY_OP_MIN, FERRY_OP_SEXT);
  case scAddRecExpr: {
    auto *R = cast<SCEVAddRecExpr>(S);
    if (!R->isAffine())
      return std::nullopt;
    std::optional<Formula> Start = formula(R->getStart()),
                           Step = formula(R->getStepRecurrence(SE));
    if (!Start || !Step)
      return std::nullopt;
    Formula F = combine(std::move(*Start),
                        combine(leaf(FERRY_OP_SYMBOL, turnsOf(*R->getLoop())),
                                *Step, FERRY_OP_MUL),
                        FERRY_OP_ADD);
    return isSmall(F) ? std::optional(F) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

bool FormulaReader::hasTerms(const SCEV *S, const Loop *At) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    if (auto *R = dyn_cast<SCEVAddRecExpr>(Part))
      return At && R->getLoop()->contains(At);
    auto *U = dyn_cast<SCEVUnknown>(Part);
    std::optional<Sum> Place = U ? place(U->getValue()) : std::nullopt;
    return Place && !Place->Terms.empty();
  });
}

/// As a factor: -1 is -1 in every type.
std::optional<Formula> FormulaReader::signedFormula(const SCEV *S) {
  std::optional<Formula> F = formula(S);
  uint64_t Bits = SE.getTypeSizeInBits(S->getType());
  if (F && Bits < 64)
    F = wrapped(std::move(*F), FERRY_OP_SEXT, Bits);
  return F;
}

std::optional<Sum> FormulaReader::sumOf(const SCEV *S, const Loop *At,
                                        bool IsSigned,
                                        std::vector<Condition> &Conditions) {
  auto Plain = [&](const SCEV *Of) -> std::optional<Sum> {
    std::optional<Formula> F = formula(Of);
    if (!F)
      return std::nullopt;
    return Sum{std::move(*F), {}};
  };
  if (!hasTerms(S, At)) {
    std::optional<Sum> Result = Plain(S);
    // Part of a 32-bit sum: the number as the kernel will look at it.
    uint64_t Bits = SE.getTypeSizeInBits(S->getType());
    if (Result && Bits < 64)
      Result->Base = wrapped(std::move(Result->Base),
                             IsSigned ? FERRY_OP_SEXT : FERRY_OP_ZEXT, Bits);
    return Result;
  }
  switch (S->getSCEVType()) {
  case scUnknown:
    return place(cast<SCEVUnknown>(S)->getValue());
  case scTruncate:
    return sumOf(cast<SCEVTruncateExpr>(S)->getOperand(), At, IsSigned,
                 Conditions);
  case scZeroExtend:
  case scSignExtend: {
    bool Signed = S->getSCEVType() == scSignExtend;
    const SCEV *Operand = cast<SCEVCastExpr>(S)->getOperand();
    std::optional<Sum> Inner = sumOf(Operand, At, Signed, Conditions);
    if (!Inner)
      return std::nullopt;
    Condition Fits;
    Fits.Value = *Inner;
    Fits.Relation = Signed ? FERRY_WHEN_FITS_SIGNED : FERRY_WHEN_FITS_UNSIGNED;
    Fits.Width = SE.getTypeSizeInBits(Operand->getType());
    Conditions.push_back(std::move(Fits));
    return Inner;
  }
  case scAddExpr: {
    Sum Total{constant(0), {}};
    for (const SCEV *Operand : cast<SCEVAddExpr>(S)->operands()) {
      std::optional<Sum> Each = sumOf(Operand, At, IsSigned, Conditions);
      if (!Each)
        return std::nullopt;
      add(Total, *Each);
      if (!isSmall(Total))
        return std::nullopt;
    }
    return Total;
  }
  case scMulExpr: {
    std::optional<Sum> Product;
    Formula Factor = constant(1);
    for (const SCEV *Operand : cast<SCEVMulExpr>(S)->operands()) {
      if (hasTerms(Operand, At)) {
        if (Product)
          return Plain(S); // the product of two
        Product = sumOf(Operand, At, IsSigned, Conditions);
        if (!Product)
          return std::nullopt;
      } else if (std::optional<Formula> F = signedFormula(Operand)) {
        Factor = combine(std::move(Factor), *F, FERRY_OP_MUL);
      } else {
        return std::nullopt;
      }
    }
    scale(*Product, Factor);
    return isSmall(*Product) ? Product : std::nullopt;
  }
  case scAddRecExpr: {
    auto *R = cast<SCEVAddRecExpr>(S);
    const SCEV *Step = R->getStepRecurrence(SE);
    if (!R->isAffine() || hasTerms(Step, At))
      return Plain(S);
    std::optional<Sum> Result = sumOf(R->getStart(), At, IsSigned, Conditions);
    std::optional<Formula> Stride = signedFormula(Step);
    if (!Result || !Stride)
      return std::nullopt;
    unsigned Turn = turnsOf(*R->getLoop());
    if (At && R->getLoop()->contains(At))
      add(*Result, {constant(0), {{Turn, std::move(*Stride)}}});
    else // of some turn
      add(*Result,
          {combine(leaf(FERRY_OP_SYMBOL, Turn), *Stride, FERRY_OP_MUL), {}});
    return isSmall(*Result) ? Result : std::nullopt;
  }
  default:
    return Plain(S);
  }
}

std::optional<Sum> FormulaReader::sum(const SCEV *S, const Loop *At,
                                      std::vector<Condition> &Conditions,
                                      bool IsSigned) {
  if (!S->getType()->isIntegerTy() || SE.getTypeSizeInBits(S->getType()) > 64)
    return std::nullopt;
  std::optional<Sum> Result = sumOf(S, At, IsSigned, Conditions);
  if (!Result || !isSmall(*Result) || Conditions.size() > FERRY_MOST_CONDITIONS)
    return std::nullopt;
  return Result;
}

} // namespace ferry
