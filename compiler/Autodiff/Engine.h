//===- Engine.h - Making derivatives, each once -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_ENGINE_H
#define FERRY_COMPILER_AUTODIFF_ENGINE_H

#include "Autodiff/ActiveValues.h"
#include "Autodiff/Prepare.h"
#include "Autodiff/Request.h"
#include "Autodiff/Split.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"
#include <map>
#include <optional>
#include <vector>

namespace ferry::ad {

/// What a derivative of a function is asked for.
struct Signature {
  llvm::Function *F = nullptr;
  std::vector<bool> Active; ///< per parameter
  unsigned Width = 1;
  auto operator<=>(const Signature &) const = default;
};

/// A parameter of a derivative, and its shadows if it has any.
struct ShadowArguments {
  llvm::Argument *Primal = nullptr;
  llvm::SmallVector<llvm::Value *, 1> Lanes;
};

/// The functions and global variables that were made for one module.
class Engine {
public:
  explicit Engine(llvm::Module &M) : M(M) {}
  ~Engine();

  /// Takes each parameter, and behind it its `Width` shadows if it is active.
  /// Returns what the function does or, if that may have a derivative, a struct
  /// of it and its shadows. Null if something was refused.
  llvm::Function *forward(const Signature &S);

  /// Runs the function, then backwards. Takes what `forward` takes, but
  /// numbers, whose adjoints are returned, and the adjoints of the result, one
  /// a lane, at the end. Returns a struct: the function's result, and for each
  /// parameter that is a number, one adjoint a lane. Null if refused.
  llvm::Function *reverse(const Signature &S, bool ActiveReturn);

  /// The arguments, by name, in which the derivative `F` is zero because
  /// nothing that depends on them reaches the result.
  std::vector<std::string> unreached(llvm::Function &F) const {
    return Unreached.lookup(&F);
  }

  /// The same for a function that is called by one that is differentiated.
  /// `ShadowReturned`: its result is a pointer that has shadows. Null if
  /// refused.
  const SplitDerivative *split(const Signature &S, bool ActiveReturn,
                               bool ShadowReturned);

  /// Memory beside `G` that holds its shadow in the derivatives of one mode.
  llvm::Constant *shadowGlobal(llvm::GlobalVariable &G, unsigned Lane, Mode M);
  /// The shadow of a constant, element by element: zeros and shadow pointers.
  llvm::Constant *shadowConstant(llvm::Constant &C, unsigned Lane, Mode M);
  /// Shadows of global variables that `Derivative` leads to. They have to be
  /// zero before it is called; those with pointers are left out.
  std::vector<llvm::GlobalVariable *>
  numbersToReset(llvm::Function &Derivative);

  /// `F` will be differentiated. Functions of the program have to be announced
  /// before the first derivative is made; those that derivatives are part of,
  /// again before their own.
  void announce(llvm::Function &F);
  const ActiveGlobals &globals() const { return TheGlobals; }

private:
  llvm::Module &M;
  Passes ThePasses;
  ActiveGlobals TheGlobals;
  std::map<std::pair<llvm::Function *, bool>, llvm::Function *> Prepared;
  std::map<Signature, llvm::Function *> Forwards;
  std::map<std::pair<Signature, bool>, llvm::Function *> Reverses;
  llvm::DenseMap<llvm::Function *, std::vector<std::string>> Unreached;
  std::map<std::tuple<llvm::GlobalVariable *, unsigned, Mode>,
           llvm::GlobalVariable *>
      Globals;

  std::map<std::tuple<Signature, bool, bool>, SplitDerivative> Splits;

  llvm::Function &prepared(llvm::Function &F, bool ForReverse);
  /// A function that runs both sweeps. `ShadowsReturned` is given if it will be
  /// split: how many shadows of its result the forward sweep returns.
  llvm::Function *bothSweeps(llvm::Function &Body, const Signature &S,
                             bool ActiveReturn,
                             std::optional<unsigned> ShadowsReturned);
  /// A copy of `Body` with shadows among its parameters, then `More`.
  llvm::Function *startDerivative(llvm::Function &Body, const Signature &S,
                                  llvm::Type *Result,
                                  llvm::ArrayRef<llvm::Type *> More,
                                  bool NumbersHaveShadows,
                                  llvm::StringRef Suffix,
                                  std::vector<ShadowArguments> &Shadows);
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_ENGINE_H
