//===- Reach.cpp - What kernels need from the host module -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A breadth-first walk from the shims over everything that instructions and
// initialisers name. Breadth-first, so that the chain shown to the user is a
// shortest one. Three kinds of edges are not followed: into panic entries
// (with the whole program visible they would drag all of a standard library's
// formatting along), into Ferry's own functions, and from virtual tables to
// type descriptions, which no device has.
//
//===----------------------------------------------------------------------===//

#include "Outline/Reach.h"
#include "Diagnostics/Diagnostics.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace ferry {

const Function *calledFunction(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
}

static bool isTypeDescription(const GlobalValue &G) {
  return G.getName().starts_with("_ZTI") || G.getName().starts_with("_ZTS");
}

bool comesAlong(const GlobalValue &G) {
  if (auto *F = dyn_cast<Function>(&G))
    return !F->isDeclaration() && !F->getName().starts_with("__ferry_") &&
           !isPanicEntry(*F);
  return !isTypeDescription(G);
}

namespace {
struct Walker {
  Reach R;
  SmallPtrSet<const Constant *, 32> Seen;

  void see(const GlobalValue &G, const GlobalValue *From) {
    if (auto *F = dyn_cast<Function>(&G); F && F->isIntrinsic())
      return;
    if (R.Values.insert(&G))
      R.From[&G] = From;
  }

  void visitConstant(const Constant *C, const GlobalValue *From) {
    if (auto *G = dyn_cast<GlobalValue>(C))
      return see(*G, From);
    if (!C->getNumOperands() || !Seen.insert(C).second)
      return;
    for (const Use &U : C->operands())
      if (auto *Operand = dyn_cast<Constant>(U))
        visitConstant(Operand, From);
  }

  void visitBody(const Function &F) {
    for (const Instruction &I : instructions(F))
      if (!I.isEHPad())
        for (const Use &U : I.operands())
          if (auto *C = dyn_cast<Constant>(U)) {
            Seen.clear();
            visitConstant(C, &F);
          }
  }

  void visit(const GlobalValue &G) {
    if (!comesAlong(G))
      return;
    Seen.clear();
    if (auto *F = dyn_cast<Function>(&G))
      visitBody(*F);
    else if (auto *V = dyn_cast<GlobalVariable>(&G)) {
      // A mutable global's value comes from the host, not from here.
      if (V->isConstant() && V->hasInitializer())
        visitConstant(V->getInitializer(), V);
    } else if (auto *A = dyn_cast<GlobalAlias>(&G))
      visitConstant(A->getAliasee(), A);
    else if (auto *I = dyn_cast<GlobalIFunc>(&G))
      visitConstant(I->getResolver(), I);
  }
};
} // namespace

Reach reachFrom(const LaunchPlan &Plan) {
  Walker W;
  for (const Kernel &K : Plan.Kernels)
    W.see(*K.Shim, nullptr);
  for (unsigned I = 0; I != W.R.Values.size(); ++I)
    W.visit(*W.R.Values[I]);
  return std::move(W.R);
}

std::vector<std::string> Reach::chainTo(StringRef Name) const {
  std::vector<std::string> Chain;
  const auto *Found =
      find_if(Values, [&](auto *G) { return G->getName() == Name; });
  if (Found == Values.end())
    return Chain;
  for (const GlobalValue *G = *Found; G; G = From.lookup(G))
    if (isa<Function>(G) && !isPlumbing(demangle(G->getName())))
      Chain.push_back(userName(G->getName()));
  std::reverse(Chain.begin(), Chain.end());
  return Chain;
}

} // namespace ferry
