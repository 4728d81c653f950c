//===- Callees.cpp - What functions without a body do ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of which only the name is known stops a derivative unless it is
// in one of these tables. "Inactive" is a strong word: such a function neither
// returns something that depends on a floating-point argument nor writes a
// floating-point number or a pointer where the program could find it.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Callees.h"
#include "Autodiff/Request.h"
#include "Autodiff/Rules.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry::ad {

static constexpr StringRef Allocations[] = {
    "malloc", "calloc", "realloc", "aligned_alloc", "_Znwm", "_Znam",
    // with an alignment, without exceptions
    "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t", "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
    // Rust's, whatever allocator the program has
    "__rust_alloc", "__rust_alloc_zeroed"};

static constexpr StringRef Releases[] = {"free",
                                         "_ZdlPv",
                                         "_ZdaPv",
                                         "_ZdlPvm",
                                         "_ZdaPvm",
                                         "_ZdlPvSt11align_val_t",
                                         "_ZdaPvSt11align_val_t",
                                         "_ZdlPvmSt11align_val_t",
                                         "_ZdaPvmSt11align_val_t",
                                         "__rust_dealloc"};

static constexpr StringRef Inactives[] = {
    // output and the end of the program
    "printf", "fprintf", "puts", "putchar", "fputs", "fputc", "putc", "fflush",
    "perror", "abort", "exit", "_exit", "__assert_fail", "__stack_chk_fail",
    // strings and memory that is only looked at
    "strlen", "strcmp", "strncmp", "memcmp", "bcmp", "memchr", "strchr",
    "strrchr", "strstr", "atoi", "atol",
    // floating-point numbers to integers
    "lround", "llround", "lrint", "llrint", "lroundf", "llroundf", "lrintf",
    "llrintf", "ilogb", "ilogbf", "__isnan", "__isinf", "__finite", "__isnanf",
    "__isinff", "__finitef", "__fpclassify", "__signbit",
    // chance and time
    "rand", "srand", "time", "clock", "drand48", "omp_get_wtime",
    // C++: exceptions, and the checks of the standard library
    "__cxa_begin_catch", "__cxa_end_catch", "__cxa_rethrow", "__cxa_throw",
    "__cxa_allocate_exception", "__cxa_free_exception",
    "__clang_call_terminate", "_ZSt9terminatev", "_ZSt17__throw_bad_allocv",
    "_ZSt28__throw_bad_array_new_lengthv", "_ZSt20__throw_length_errorPKc",
    "_ZSt20__throw_out_of_rangePKc", "_ZSt24__throw_out_of_range_fmtPKcz",
    "_ZSt19__throw_logic_errorPKc", "_ZSt21__throw_runtime_errorPKc",
    "_ZSt24__throw_invalid_argumentPKc", "_ZSt25__throw_bad_function_callv",
    "_ZSt21__glibcxx_assert_failPKciS0_S0_", "_ZNSt13runtime_errorC1EPKc",
    "_ZNSt13runtime_errorD1Ev", "_ZNSt11logic_errorC1EPKc",
    "_ZNSt11logic_errorD1Ev", "_ZNSt16invalid_argumentC1EPKc",
    "_ZNSt16invalid_argumentD1Ev", "_ZNSt12domain_errorC1EPKc",
    "_ZNSt12domain_errorD1Ev", "_ZNSt12out_of_rangeC1EPKc",
    "_ZNSt12out_of_rangeD1Ev",
    // Rust
    "__rust_no_alloc_shim_is_unstable_v2"};

/// Of Rust, whatever the crates' hashes: text is made of numbers, and none of
/// it goes back.
static constexpr StringRef InactivesOfRust[] = {
    "5alloc3fmt6format", "5alloc3fmt6format12format_inner", "4core3fmt5write",
    "3std2io5stdio6__print", "3std2io5stdio7__eprint"};

/// Rust mangles its allocator's functions: _RNvCs1a2B_7___rustc12___rust_alloc.
static StringRef knownName(StringRef Name) {
  size_t Start = Name.contains("7___rustc") ? Name.rfind("__rust_") : 0;
  return Start == StringRef::npos ? Name : Name.substr(Start);
}

bool isRustRealloc(const Function &F) {
  return knownName(F.getName()) == "__rust_realloc";
}

Function *calledFunction(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
}

/// Intrinsics that leave numbers and pointers alone.
static bool isInactiveIntrinsic(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::prefetch:
  case Intrinsic::donothing:
  case Intrinsic::sideeffect:
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap:
  case Intrinsic::is_constant:
  case Intrinsic::objectsize:
  case Intrinsic::is_fpclass:
  case Intrinsic::eh_typeid_for:
  case Intrinsic::lround:
  case Intrinsic::llround:
  case Intrinsic::lrint:
  case Intrinsic::llrint:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
    return true;
  default:
    break;
  }
  // Arithmetic on integers: no pointer, no floating-point number anywhere.
  auto IsInteger = [](const Type *T) {
    if (auto *S = dyn_cast<StructType>(T))
      return all_of(S->elements(),
                    [](Type *E) { return E->isIntOrIntVectorTy(); });
    return T->isIntOrIntVectorTy() || T->isMetadataTy();
  };
  return IsInteger(I.getType()) && all_of(I.args(), [&](const Use &U) {
           return IsInteger(U->getType());
         });
}

Callee classify(const CallBase &Call) {
  if (Call.hasFnAttr("enzyme_inactive"))
    return Callee::Inactive;
  const Function *F = calledFunction(Call);
  if (!F)
    return Callee::Unknown;
  if (findRule(Call))
    return Callee::Rule;
  if (auto *I = dyn_cast<IntrinsicInst>(&Call)) {
    if (isa<MemIntrinsic>(I))
      return Callee::Memory;
    return isInactiveIntrinsic(*I) ? Callee::Inactive : Callee::Unknown;
  }
  if (isHint(Call))
    return Callee::Inactive;
  StringRef Name = knownName(F->getName());
  if (is_contained(Allocations, Name))
    return Callee::Allocation;
  if (is_contained(Releases, Name))
    return Callee::Release;
  if (is_contained(Inactives, Name) ||
      (Name.starts_with("_R") && any_of(InactivesOfRust, [&](StringRef End) {
         return Name.ends_with(End);
       })))
    return Callee::Inactive;
  return F->isDeclaration() ? Callee::Unknown : Callee::Defined;
}

} // namespace ferry::ad
