//===- Stores.cpp - Where the forward sweep keeps values ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of a block that runs once at most is kept in a local variable. One of
// a loop whose length is known before it begins has an array with an element
// for each round. Nested loops have one array for all their rounds together, if
// the length of the inner one is the same in all rounds of the outer one. The
// arrays of one such nest are one block, an area, that is allocated before it:
//
//   - as a local variable, if it is small and its size is constant;
//   - on the heap, if the nest is in no other loop;
//   - else on a stack of the derivative's own.
//
// That stack also takes what nobody knows the number of: what a block computes
// in a loop of unknown length, or after wild jumps, is pushed at its end, all
// that undoing the block will need side by side. The reverse sweep undoes
// blocks in the opposite order, so what is on top is always the right record,
// or the right area. The stack grows by doubling and may move, so that offsets
// are kept, no addresses. There is one check for room per push, none to pop.
//
// The arrays overlap nothing else; metadata says so.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Stores.h"
#include "Autodiff/Helpers.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ferry::ad {

BasicBlock *homeOf(Instruction &I) {
  // What an invoke returns is there behind it.
  auto *Invoke = dyn_cast<InvokeInst>(&I);
  return Invoke ? Invoke->getNormalDest() : I.getParent();
}

/// Single bits are kept as bytes.
static Type *keptType(Type *T) {
  return T->isIntegerTy(1) ? Type::getInt8Ty(T->getContext()) : T;
}

static uint64_t sizeOf(const Instruction &I) {
  return I.getDataLayout()
      .getTypeAllocSize(keptType(I.getType()))
      .getKnownMinValue();
}

Value *Stores::loadFrom(Value *P, Align A, Instruction &I, IRBuilderBase &B) {
  Type *T = keptType(I.getType());
  LoadInst *Load = B.CreateAlignedLoad(T, P, A);
  Accesses.emplace_back(Load, &I);
  return T == I.getType() ? static_cast<Value *>(Load)
                          : B.CreateTrunc(Load, I.getType());
}

void Stores::storeTo(Value *P, Align A, Instruction &I, IRBuilderBase &B) {
  Type *T = keptType(I.getType());
  Value *V = T == I.getType() ? static_cast<Value *>(&I) : B.CreateZExt(&I, T);
  Accesses.emplace_back(B.CreateAlignedStore(V, P, A), &I);
}

//===----------------------------------------------------------------------===//
// The stack
//===----------------------------------------------------------------------===//

void Stores::makeStack() {
  if (Top)
    return;
  IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
  Value *Null = ConstantPointerNull::get(AtEntry.getPtrTy());
  for (AllocaInst **Variable : {&Base, &Top, &Limit}) {
    *Variable = AtEntry.CreateAlloca(AtEntry.getPtrTy());
    AtEntry.CreateStore(Null, *Variable);
  }
}

/// Makes room for so many bytes.
static CallInst *reserve(IRBuilderBase &B, Value *Bytes,
                         ArrayRef<AllocaInst *> Stack) {
  SmallVector<Value *> Arguments;
  for (AllocaInst *Variable : Stack)
    Arguments.push_back(B.CreateLoad(B.getPtrTy(), Variable));
  Arguments.push_back(Bytes);
  Module &M = *B.GetInsertBlock()->getModule();
  CallInst *New = B.CreateCall(tapeReserveFunction(M), Arguments);
  for (auto [N, Variable] : enumerate(Stack))
    B.CreateStore(B.CreateExtractValue(New, static_cast<unsigned>(N)),
                  Variable);
  return New;
}

//===----------------------------------------------------------------------===//
// Areas
//===----------------------------------------------------------------------===//

/// Whether the rounds of the loops `Inner`, the outermost last, can be numbered
/// together with those of `Outer`, which is around them.
bool Stores::fitsInto(Loop &Outer, ArrayRef<Loop *> Inner) {
  ScalarEvolution &SE = R.evolution();
  SCEVExpander Expander(SE, "");
  Instruction *Before = Outer.getLoopPreheader()->getTerminator();
  const SCEV *Last = R.lastRound(Outer);
  if (!Last || !Expander.isSafeToExpandAt(Last, Before) ||
      !R.guards(*Inner.back()))
    return false;
  return all_of(Inner, [&](Loop *L) {
    const SCEV *Its = R.lastRound(*L);
    auto Guards = R.guards(*L);
    return SE.isLoopInvariant(Its, &Outer) &&
           Expander.isSafeToExpandAt(Its, Before) &&
           all_of(*Guards, [&](const Rounds::Guard &G) {
             return Outer.isLoopInvariant(G.If);
           });
  });
}

Stores::Nest *Stores::nestOf(Loop &L) {
  auto [Found, New] = Nests.try_emplace(&L);
  if (!New)
    return Found->second.get();
  SCEVExpander Expander(R.evolution(), "");
  const SCEV *Last = R.lastRound(L);
  if (!Last ||
      !Expander.isSafeToExpandAt(Last, L.getLoopPreheader()->getTerminator()))
    return nullptr;
  auto Result = std::make_unique<Nest>();
  Result->Loops.push_back(&L);
  while (Loop *Outer = R.outer(*Result->Loops.back())) {
    if (!fitsInto(*Outer, Result->Loops))
      break;
    Result->Loops.push_back(Outer);
  }
  std::reverse(Result->Loops.begin(), Result->Loops.end());
  Result->In = &areaOf(*Result->Loops.front());
  return (Nests[&L] = std::move(Result)).get();
}

Stores::Area &Stores::areaOf(Loop &Outermost) {
  std::unique_ptr<Area> &Found = Areas[&Outermost];
  if (Found)
    return *Found;
  Found = std::make_unique<Area>();
  Area &A = *Found;
  A.Top = &Outermost;
  BasicBlock *Before = Outermost.getLoopPreheader();
  A.OnStack = R.outer(Outermost) || R.isIrregular(*Before);
  IRBuilder<> B(Before->getTerminator());
  A.Size = B.getInt64(0);
  if (!A.OnStack) {
    A.Allocation = B.CreateCall(tapeAllocateFunction(*F.getParent()), {A.Size});
    A.Base = A.Allocation;
    return A;
  }
  makeStack();
  A.Allocation = reserve(B, A.Size, {Base, Top, Limit});
  Value *Old = B.CreateExtractValue(A.Allocation, 1);
  Value *Bottom = B.CreateExtractValue(A.Allocation, 0);
  A.Base =
      cast<Instruction>(B.CreateSub(B.CreatePtrToInt(Old, B.getInt64Ty()),
                                    B.CreatePtrToInt(Bottom, B.getInt64Ty())));
  Offsets.insert(A.Base);
  return A;
}

/// How many rounds `L` has at most, where `In` begins.
Value *Stores::lengthOf(Loop &L, Area &In) {
  Value *&Length = In.Lengths[&L];
  if (Length)
    return Length;
  SCEVExpander Expander(R.evolution(), "last");
  Value *Last = Expander.expandCodeFor(R.lastRound(L), nullptr,
                                       In.Allocation->getIterator());
  IRBuilder<> B(In.Allocation);
  Length = B.CreateAdd(B.CreateZExt(Last, B.getInt64Ty()), B.getInt64(1));
  // Where the loop is not entered its length may be anything.
  if (&L == In.Top)
    return Length;
  auto Guards = R.guards(L);
  for (const Rounds::Guard &G : *Guards) {
    Value *Zero = B.getInt64(0);
    Length = G.Then ? B.CreateSelect(G.If, Length, Zero)
                    : B.CreateSelect(G.If, Zero, Length);
  }
  return Length;
}

Stores::Array &Stores::arrayOf(Instruction &I, Nest &Of) {
  Array &A = Arrays[&I];
  if (A.Begin)
    return A;
  A.Of = &Of;
  Area &In = *Of.In;
  Value *Bytes = In.Sizes.lookup({Of.Loops.back(), sizeOf(I)});
  if (!Bytes) {
    Bytes = ConstantInt::get(In.Size->getType(), sizeOf(I));
    for (Loop *L : Of.Loops) {
      Value *Length = lengthOf(*L, In);
      Bytes = IRBuilder<>(In.Allocation).CreateMul(Bytes, Length);
    }
    IRBuilder<> B(In.Allocation);
    Bytes = B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(15)),
                        B.getInt64(~uint64_t(15)));
    In.Sizes[{Of.Loops.back(), sizeOf(I)}] = Bytes;
  }
  IRBuilder<> Behind(In.Base->getNextNode());
  A.Begin = In.Base;
  if (auto *C = dyn_cast<ConstantInt>(In.Size); !C || !C->isZero())
    A.Begin =
        cast<Instruction>(In.OnStack ? Behind.CreateAdd(In.Base, In.Size)
                                     : Behind.CreatePtrAdd(In.Base, In.Size));
  In.Size = IRBuilder<>(In.Allocation).CreateAdd(In.Size, Bytes);
  return A;
}

/// The element of the round that `Read` knows the numbers of.
Value *Stores::address(Array A, Instruction &I, IRBuilderBase &B, Reader Read) {
  Value *Index = nullptr;
  for (Loop *L : A.Of->Loops) {
    Value *Round = Read(R.counter(*L));
    if (!Index) {
      Index = Round;
      continue;
    }
    Value *Length = Read(A.Of->In->Lengths[L]);
    Index = B.CreateAdd(B.CreateMul(Index, Length, "", true), Round, "", true);
  }
  Value *Begin = Read(A.Begin);
  if (!A.Of->In->OnStack)
    return B.CreateInBoundsGEP(keptType(I.getType()), Begin, Index);
  Value *Offset = B.CreateAdd(Begin, B.CreateMul(Index, B.getInt64(sizeOf(I))));
  return B.CreatePtrAdd(B.CreateLoad(B.getPtrTy(), Base), Offset);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// Blocks on the heap are aligned to 16 bytes, records to 8.
static Align alignmentOf(const Instruction &I, bool OnStack) {
  return std::min(I.getDataLayout().getABITypeAlign(keptType(I.getType())),
                  Align(OnStack ? 8 : 16));
}

Value *Stores::load(Instruction &I, BasicBlock &Block, IRBuilderBase &B,
                    BasicBlock &Reversed, Reader Read) {
  BasicBlock *Home = homeOf(I);
  Loop *L = R.loopOf(*Home);
  if (!L && !R.isIrregular(*Home)) {
    AllocaInst *&Slot = Slots[&I];
    if (!Slot)
      Slot = IRBuilder<>(&F.getEntryBlock(), F.getEntryBlock().begin())
                 .CreateAlloca(I.getType());
    return B.CreateLoad(I.getType(), Slot);
  }
  if (Nest *N = L && !R.isIrregular(*Home) ? nestOf(*L) : nullptr) {
    Array A = arrayOf(I, *N);
    return loadFrom(address(A, I, B, Read), alignmentOf(I, N->In->OnStack), I,
                    B);
  }
  makeStack();
  Record &Rec = Records[&Block];
  Rec.Reversed = &Reversed;
  if (!Rec.End)
    Rec.End =
        IRBuilder<>(&Reversed, Reversed.begin()).CreateLoad(B.getPtrTy(), Top);
  Rec.Size += alignTo(sizeOf(I), 8);
  Rec.Places[&I] = Rec.Size;
  Value *At =
      B.CreatePtrAdd(Rec.End, B.getInt64(-static_cast<int64_t>(Rec.Size)));
  return loadFrom(At, alignmentOf(I, true), I, B);
}

//===----------------------------------------------------------------------===//
// The forward sweep
//===----------------------------------------------------------------------===//

void Stores::writeArrays() {
  for (auto &[I, A] : Arrays) {
    IRBuilder<> B(homeOf(*I)->getTerminator());
    Value *P = address(A, *I, B, [](Value *V) { return V; });
    storeTo(P, alignmentOf(*I, A.Of->In->OnStack), *I, B);
  }
  for (auto &[L, A] : Areas) {
    A->Allocation->setArgOperand(A->Allocation->arg_size() - 1, A->Size);
    if (!A->OnStack)
      continue;
    IRBuilder<> B(A->Top->getLoopPreheader()->getTerminator());
    Value *Old = B.CreateExtractValue(A->Allocation, 1);
    B.CreateStore(B.CreatePtrAdd(Old, A->Size), Top);
  }
}

void Stores::writeRecords() {
  for (auto &[Block, Rec] : Records) {
    // An area that begins here lies above the record.
    Instruction *End = Block->getTerminator();
    for (auto &[L, A] : Areas)
      if (A->OnStack && A->Allocation->getParent() == Block)
        End = cast<Instruction>(A->Allocation->getArgOperand(0));
    IRBuilder<> B(End);
    reserve(B, B.getInt64(Rec.Size), {Base, Top, Limit});
    Value *NewTop =
        B.CreatePtrAdd(B.CreateLoad(B.getPtrTy(), Top), B.getInt64(Rec.Size));
    for (auto [I, Place] : Rec.Places) {
      Value *At =
          B.CreatePtrAdd(NewTop, B.getInt64(-static_cast<int64_t>(Place)));
      storeTo(At, alignmentOf(*I, true), *I, B);
    }
    B.CreateStore(NewTop, Top);
    IRBuilder<> Undo(Rec.Reversed->getTerminator());
    Undo.CreateStore(
        Undo.CreatePtrAdd(Rec.End,
                          Undo.getInt64(-static_cast<int64_t>(Rec.Size))),
        Top);
  }
}

/// Nothing else in the function gets at what is kept, and no array at another.
void Stores::markAccesses() {
  constexpr unsigned MostScopes = 64;
  if (Accesses.empty())
    return;
  MDBuilder MDB(F.getContext());
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain("ferry.tape");
  DenseMap<Instruction *, unsigned> Numbers;
  SmallVector<Metadata *> Scopes{
      MDB.createAnonymousAliasScope(Domain, "stack")};
  for (auto [Access, I] : Accesses) {
    if (!Arrays.count(I) || Numbers.contains(I) || Scopes.size() == MostScopes)
      continue;
    Numbers[I] = static_cast<unsigned>(Scopes.size());
    Scopes.push_back(MDB.createAnonymousAliasScope(Domain));
  }
  LLVMContext &C = F.getContext();
  DenseSet<Instruction *> Ours;
  for (auto [Access, I] : Accesses) {
    unsigned Number = Numbers.lookup(I);
    SmallVector<Metadata *> Others(Scopes);
    Others.erase(Others.begin() + Number);
    Access->setMetadata(LLVMContext::MD_alias_scope,
                        MDNode::get(C, Scopes[Number]));
    if (!Others.empty())
      Access->setMetadata(LLVMContext::MD_noalias, MDNode::get(C, Others));
    Ours.insert(Access);
  }
  MDNode *All = MDNode::get(C, Scopes);
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (isa<LoadInst, StoreInst, MemIntrinsic>(I) && !Ours.contains(&I))
        I.setMetadata(LLVMContext::MD_noalias, All);
}

/// How large constant areas may be, all together, to be local variables.
static constexpr uint64_t MostLocalBytes = 16384;

void Stores::write(function_ref<BasicBlock *(BasicBlock *)> ReversedOf,
                   function_ref<Value *(Value *, BasicBlock &)> Read,
                   Instruction &End) {
  // To read is to keep: all reads come first.
  SmallVector<Value *> Begins;
  for (size_t N = 0; N != Areas.size(); ++N) {
    Area &A = *(Areas.begin() + N)->second;
    Begins.push_back(Read(A.Base, *A.Top->getHeader()));
  }
  uint64_t Local = 0;
  Type *I8 = Type::getInt8Ty(F.getContext());
  for (auto &&[Entry, Begin] : zip(Areas, Begins)) {
    Area &A = *Entry.second;
    BasicBlock *Undoes = ReversedOf(A.Top->getLoopPreheader());
    if (A.OnStack) {
      IRBuilder<> B(Undoes, Undoes->begin());
      Value *Bottom = B.CreateLoad(B.getPtrTy(), Base);
      B.CreateStore(B.CreatePtrAdd(Bottom, Begin), Top);
      continue;
    }
    auto *Size = dyn_cast<ConstantInt>(A.Size);
    if (Size && Local + Size->getZExtValue() <= MostLocalBytes) {
      Local += Size->getZExtValue();
      IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
      AllocaInst *Room =
          AtEntry.CreateAlloca(ArrayType::get(I8, Size->getZExtValue()));
      Room->setAlignment(Align(16));
      A.Local = Room;
      continue;
    }
    IRBuilder<> B(Undoes->getTerminator());
    B.CreateCall(
        F.getParent()->getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()),
        {Begin});
  }
  writeArrays();
  for (auto [I, Slot] : Slots)
    IRBuilder<>(homeOf(*I)->getTerminator()).CreateStore(I, Slot);
  writeRecords();
  if (Base) {
    IRBuilder<> B(&End);
    B.CreateCall(
        F.getParent()->getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()),
        {B.CreateLoad(B.getPtrTy(), Base)});
  }
  for (auto &[L, A] : Areas)
    if (A->Local) {
      A->Allocation->replaceAllUsesWith(A->Local);
      A->Allocation->eraseFromParent();
    }
  markAccesses();
}

} // namespace ferry::ad
