//===- Panics.cpp - Calls that end a thread with a report -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Standard libraries report errors through functions that never return. On a
// device such a call becomes
//
//   call void @__ferry_panic(i32 site, i64 v0, i64 v1, i64 v2, i64 v3)
//
// where the site is a row of a table that stays on the host: text and source
// place, known at compile time. Only numbers travel. The functions and what
// their arguments mean stand in one table; a standard library function that
// never returns and is not in it is reported by its name.
//
// Calls are converted after inlining, when Rust's caller locations, which
// travel as arguments, have become constants.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"
#include "Outline/Outline.h"
#include "Outline/RustFormat.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ferry {

namespace {
/// How an entry's arguments say what went wrong.
enum class Text {
  Fixed,      ///< Message as it stands; {0:u} is argument 0, and so on
  Argument,   ///< Message, then the C string in argument 0
  Slice,      ///< the text of arguments 0 (pointer) and 1 (length)
  Format,     ///< core::fmt::Arguments in arguments 0 and 1
  Comparison, ///< core::panicking::assert_failed
  CAssert,    ///< __assert_fail(expression, file, line, function)
  CxxAssert,  ///< std::__glibcxx_assert_fail(file, line, function, condition)
  Sanitizer,  ///< __ubsan_handle_<check>, named after the check
  Throw,      ///< __cxa_throw(object, type, destructor)
};

struct Entry {
  StringRef Name; ///< exact linkage name, or prefix of the demangled one
  Text Kind;
  StringRef Message;
};
} // namespace

static constexpr Entry ByLinkageName[] = {
    {"__assert_fail", Text::CAssert, ""},
    {"__cxa_throw", Text::Throw, ""},
    {"__cxa_allocate_exception", Text::Fixed, "threw an exception"},
    {"__cxa_rethrow", Text::Fixed, "rethrew an exception"},
    {"__cxa_bad_cast", Text::Fixed, "threw std::bad_cast"},
    {"__cxa_throw_bad_array_new_length", Text::Fixed,
     "threw std::bad_array_new_length"},
    {"__cxa_pure_virtual", Text::Fixed, "called a pure virtual function"},
    {"__clang_call_terminate", Text::Fixed, "called std::terminate()"},
    {"abort", Text::Fixed, "called abort()"},
    {"exit", Text::Fixed, "called exit()"},
    {"_exit", Text::Fixed, "called _exit()"},
    {"quick_exit", Text::Fixed, "called quick_exit()"},
    // -D_GLIBCXX_DEBUG: where a failed check starts to build its message.
    {"_ZN11__gnu_debug16_Error_formatter5_S_atEPKcjS2_", Text::Fixed,
     "a check of -D_GLIBCXX_DEBUG failed"},
    {"__stack_chk_fail", Text::Fixed, "overran a stack buffer"},
};

static constexpr Entry ByDemangledName[] = {
    {"std::terminate", Text::Fixed, "called std::terminate()"},
    {"std::__glibcxx_assert_fail", Text::CxxAssert, ""},
    {"std::__throw_out_of_range_fmt", Text::Argument,
     "threw std::out_of_range: "},
    {"std::__throw_out_of_range", Text::Argument, "threw std::out_of_range: "},
    {"std::__throw_length_error", Text::Argument, "threw std::length_error: "},
    {"std::__throw_invalid_argument", Text::Argument,
     "threw std::invalid_argument: "},
    {"std::__throw_logic_error", Text::Argument, "threw std::logic_error: "},
    {"std::__throw_domain_error", Text::Argument, "threw std::domain_error: "},
    {"std::__throw_runtime_error", Text::Argument,
     "threw std::runtime_error: "},
    {"std::__throw_bad_optional_access", Text::Fixed,
     "threw std::bad_optional_access"},
    {"std::__throw_bad_variant_access", Text::Fixed,
     "threw std::bad_variant_access"},
    {"std::__throw_bad_function_call", Text::Fixed,
     "threw std::bad_function_call"},
    {"std::__throw_", Text::Fixed, "threw a standard exception"},
    {"core::panicking::panic_bounds_check", Text::Fixed,
     "index {0:u} out of bounds (len {1:u})"},
    {"core::panicking::panic_const::panic_const_add_overflow", Text::Fixed,
     "attempt to add with overflow"},
    {"core::panicking::panic_const::panic_const_sub_overflow", Text::Fixed,
     "attempt to subtract with overflow"},
    {"core::panicking::panic_const::panic_const_mul_overflow", Text::Fixed,
     "attempt to multiply with overflow"},
    {"core::panicking::panic_const::panic_const_div_overflow", Text::Fixed,
     "attempt to divide with overflow"},
    {"core::panicking::panic_const::panic_const_rem_overflow", Text::Fixed,
     "attempt to calculate the remainder with overflow"},
    {"core::panicking::panic_const::panic_const_neg_overflow", Text::Fixed,
     "attempt to negate with overflow"},
    {"core::panicking::panic_const::panic_const_shr_overflow", Text::Fixed,
     "attempt to shift right with overflow"},
    {"core::panicking::panic_const::panic_const_shl_overflow", Text::Fixed,
     "attempt to shift left with overflow"},
    {"core::panicking::panic_const::panic_const_div_by_zero", Text::Fixed,
     "attempt to divide by zero"},
    {"core::panicking::panic_const::panic_const_rem_by_zero", Text::Fixed,
     "attempt to calculate the remainder with a divisor of zero"},
    {"core::panicking::panic_nounwind_fmt", Text::Format, ""},
    {"core::panicking::panic_fmt", Text::Format, ""},
    {"core::panicking::panic_explicit", Text::Fixed, "explicit panic"},
    {"core::panicking::panic_nounwind", Text::Slice, ""},
    {"core::panicking::panic_str", Text::Slice, ""},
    {"core::panicking::assert_failed", Text::Comparison, ""},
    {"core::panicking::unreachable_display", Text::Fixed,
     "internal error: entered unreachable code"},
    {"core::panicking::panic_cannot_unwind", Text::Fixed,
     "panic in a function that cannot unwind"},
    {"core::panicking::panic_in_cleanup", Text::Fixed,
     "panic in a destructor during cleanup"},
    {"core::panicking::panic_misaligned_pointer_dereference", Text::Fixed,
     "misaligned pointer dereference: address must be a multiple of {0:u}"},
    {"core::panicking::panic_null_pointer_dereference", Text::Fixed,
     "null pointer dereference"},
    {"core::panicking::panic_invalid_enum_construction", Text::Fixed,
     "invalid value {0:u} for an enum"},
    {"core::panicking::panic", Text::Slice, ""},
    {"std::panicking::begin_panic", Text::Slice, ""},
    {"core::option::unwrap_failed", Text::Fixed,
     "called `Option::unwrap()` on a `None` value"},
    {"core::option::expect_failed", Text::Slice, ""},
    {"core::result::unwrap_failed", Text::Slice, ""},
    {"core::slice::index::slice_index_fail", Text::Fixed,
     "range start {0:u}, end {1:u} out of bounds (len {2:u})"},
    {"core::slice::copy_from_slice_impl::len_mismatch_fail", Text::Fixed,
     "copy_from_slice: destination has {0:u} elements, source {1:u}"},
    {"core::str::slice_error_fail", Text::Fixed,
     "string index out of bounds or inside a character"},
    {"std::process::exit", Text::Fixed, "called std::process::exit()"},
    {"std::process::abort", Text::Fixed, "called std::process::abort()"},
    {"core::cell::panic_already_borrowed", Text::Fixed, "already borrowed"},
    {"core::cell::panic_already_mutably_borrowed", Text::Fixed,
     "already mutably borrowed"},
    {"alloc::raw_vec::capacity_overflow", Text::Fixed, "capacity overflow"},
};

/// The parts of Rust's and C++'s standard libraries that may stand behind a
/// function without a row of its own.
static bool isStandardLibrary(StringRef Linkage, StringRef Demangled) {
  if (Linkage.starts_with("_R") &&
      (Linkage.contains("_4core") || Linkage.contains("_3std") ||
       Linkage.contains("_5alloc")))
    return true;
  return Demangled.starts_with("core::") || Demangled.starts_with("std::") ||
         Demangled.starts_with("alloc::");
}

static std::optional<Entry> entryFor(const Function &F) {
  StringRef Linkage = F.getName();
  for (const Entry &E : ByLinkageName)
    if (E.Name == Linkage)
      return E;
  // -fsanitize=undefined: the check has failed.
  if (Linkage.starts_with("__ubsan_handle_"))
    return Entry{Linkage, Text::Sanitizer, ""};
  // Demangling is dear; only what never returns is worth it.
  if (!F.doesNotReturn() ||
      !(Linkage.starts_with("_Z") || Linkage.starts_with("_R")))
    return std::nullopt;
  std::string Demangled = demangle(Linkage);
  for (const Entry &E : ByDemangledName)
    if (StringRef(Demangled).starts_with(E.Name))
      return E;
  if (isStandardLibrary(Linkage, Demangled))
    return Entry{Linkage, Text::Fixed, ""};
  return std::nullopt;
}

bool isPanicEntry(const Function &F) { return entryFor(F).has_value(); }

namespace {
/// Reads one call of an entry into a site.
class SiteReader {
public:
  SiteReader(CallBase &Call, const Entry &E)
      : Call(Call), B(&Call), DL(Call.getDataLayout()) {
    Site.Message = E.Message.str();
    if (DebugLoc Loc = userLocation(Call.getDebugLoc())) {
      Site.File = fileName(*Loc);
      Site.Line = Loc->getLine();
      Site.Column = Loc->getColumn();
    }
    readRustLocation();
    readText(E);
  }

  PanicSite Site;
  PanicValues Values;

private:
  CallBase &Call;
  IRBuilder<> B;
  const DataLayout &DL;

  /// `Length` bytes, or up to the terminator.
  std::string text(const Value *V, std::optional<uint64_t> Length = {}) {
    StringRef Str;
    if (!getConstantStringInfo(V, Str, /*TrimAtNul=*/!Length))
      return "";
    return (Length ? Str.take_front(*Length) : Str).str();
  }

  std::optional<uint64_t> number(unsigned I) {
    if (auto *C = dyn_cast<ConstantInt>(Call.getArgOperand(I)))
      return C->getZExtValue();
    return std::nullopt;
  }

  Constant *load(GlobalVariable &G, Type *T, uint64_t Offset) {
    return ConstantFoldLoadFromConst(G.getInitializer(), T, APInt(64, Offset),
                                     DL);
  }

  /// core::panic::Location {file: *const str, line: u32, column: u32} is the
  /// last argument of every entry that is #[track_caller].
  void readRustLocation() {
    if (!Call.arg_size())
      return;
    auto *G = dyn_cast<GlobalVariable>(
        Call.getArgOperand(Call.arg_size() - 1)->stripPointerCasts());
    if (!G || !G->isConstant() || !G->hasInitializer() ||
        DL.getTypeAllocSize(G->getValueType()) != 24)
      return;
    LLVMContext &Ctx = Call.getContext();
    Type *I32 = Type::getInt32Ty(Ctx), *I64 = Type::getInt64Ty(Ctx);
    Constant *File = load(*G, PointerType::get(Ctx, 0), 0);
    auto *Length = dyn_cast_or_null<ConstantInt>(load(*G, I64, 8));
    auto *Line = dyn_cast_or_null<ConstantInt>(load(*G, I32, 16));
    auto *Column = dyn_cast_or_null<ConstantInt>(load(*G, I32, 20));
    if (!File || !Length || !Line || !Column)
      return;
    std::string Name = text(File, Length->getZExtValue());
    if (Name.empty())
      return;
    Site.File = Name;
    Site.Line = Line->getZExtValue();
    Site.Column = Column->getZExtValue();
  }

  /// core::panicking::assert_failed::<L, R>(kind, &left, &right, ...)
  void readComparison() {
    static const char *const Operators[] = {"left == right", "left != right",
                                            "left matches right"};
    std::optional<uint64_t> Kind = number(0);
    Site.Message = std::string("assertion `") +
                   Operators[std::min<uint64_t>(Kind.value_or(0), 2)] +
                   "` failed";
    std::string Demangled = demangle(calledFunction(Call)->getName());
    auto [Left, Right] = StringRef(Demangled).rsplit("::<").second.split(", ");
    if (Right.consume_back(">"))
      Site.Message += ": left " + Values.add(B, Left, Call.getArgOperand(1)) +
                      ", right " + Values.add(B, Right, Call.getArgOperand(2));
  }

  Value *asI64(Value *V) {
    if (V->getType()->isPointerTy())
      return B.CreatePtrToInt(V, B.getInt64Ty());
    if (V->getType()->isIntegerTy())
      return B.CreateZExtOrTrunc(V, B.getInt64Ty());
    return B.getInt64(0);
  }

  /// A fixed message names arguments of the call by their numbers.
  void readFixed(const Entry &E) {
    if (Site.Message.empty())
      Site.Message = "panic in " + userName(E.Name);
    for (unsigned I = 0; I != PanicValues::Most && I < Call.arg_size(); ++I)
      if (StringRef(Site.Message).contains("{" + std::to_string(I) + ":"))
        Values.Values.push_back(asI64(Call.getArgOperand(I)));
  }

  void readText(const Entry &E) {
    switch (E.Kind) {
    case Text::Fixed:
      readFixed(E);
      break;
    case Text::Comparison:
      readComparison();
      break;
    case Text::Argument:
      Site.Message += escapeText(text(Call.getArgOperand(0)));
      break;
    case Text::Slice:
      if (std::optional<uint64_t> Length = number(1))
        Site.Message = escapeText(text(Call.getArgOperand(0), Length));
      if (Site.Message.empty())
        Site.Message = "explicit panic";
      break;
    case Text::Format:
      Site.Message =
          rustMessage(B, Call.getArgOperand(0), Call.getArgOperand(1), Values);
      break;
    case Text::CAssert:
      Site.Message =
          "assertion '" + escapeText(text(Call.getArgOperand(0))) + "' failed";
      Site.File = text(Call.getArgOperand(1));
      if (std::optional<uint64_t> Line = number(2);
          Line && *Line != Site.Line) {
        Site.Line = *Line;
        Site.Column = 0;
      }
      break;
    case Text::CxxAssert:
      Site.Message =
          "assertion '" + escapeText(text(Call.getArgOperand(3))) + "' failed";
      break;
    case Text::Sanitizer: {
      StringRef Check = E.Name;
      Check.consume_front("__ubsan_handle_");
      Check.consume_back("_abort");
      Site.Message = "undefined behaviour: " + Check.str();
      llvm::replace(Site.Message, '_', ' ');
      break;
    }
    case Text::Throw:
      Site.Message = "threw an exception";
      if (auto *Type = dyn_cast<GlobalValue>(
              Call.getArgOperand(1)->stripPointerCasts())) {
        StringRef Name = Type->getName();
        std::string Demangled = demangle(Name);
        StringRef D = Demangled;
        if (D.consume_front("typeinfo for "))
          Site.Message = ("threw an exception of type " + D).str();
      }
      break;
    }
  }
};
} // namespace

unsigned siteIndex(DeviceProgram &Program, const PanicSite &S) {
  for (auto [I, Known] : enumerate(Program.Sites))
    if (Known.Message == S.Message && Known.File == S.File &&
        Known.Line == S.Line && Known.Column == S.Column)
      return I;
  Program.Sites.push_back(S);
  return Program.Sites.size() - 1;
}

FunctionCallee panicFunction(Module &M) {
  Type *I64 = Type::getInt64Ty(M.getContext());
  FunctionCallee Panic = M.getOrInsertFunction(
      "__ferry_panic", Type::getVoidTy(M.getContext()),
      Type::getInt32Ty(M.getContext()), I64, I64, I64, I64);
  auto *F = cast<Function>(Panic.getCallee());
  F->setDoesNotReturn();
  F->setDoesNotThrow();
  F->addFnAttr(Attribute::Cold);
  return Panic;
}

static bool isTrap(const CallBase &Call) {
  Intrinsic::ID ID = Call.getIntrinsicID();
  return ID == Intrinsic::trap || ID == Intrinsic::ubsantrap;
}

static void convert(DeviceProgram &Program, CallBase &Call, const Entry &E) {
  SiteReader Reader(Call, E);
  IRBuilder<> B(&Call);
  SmallVector<Value *> Args{B.getInt32(siteIndex(Program, Reader.Site))};
  Args.append(Reader.Values.Values.begin(), Reader.Values.Values.end());
  Args.resize(1 + PanicValues::Most, B.getInt64(0));
  CallInst *Panic = B.CreateCall(panicFunction(*Program.M), Args);
  Panic->setDoesNotReturn();
  changeToUnreachable(&Call);
}

void convertPanics(DeviceProgram &Program) {
  for (Function &F : *Program.M) {
    SmallVector<std::pair<CallBase *, Entry>> Calls;
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (isTrap(*Call))
        Calls.push_back({Call, {"trap", Text::Fixed, "executed a trap"}});
      else if (const Function *Callee = calledFunction(*Call);
               Callee && Callee->isDeclaration() && !Callee->isIntrinsic())
        if (std::optional<Entry> E = entryFor(*Callee))
          Calls.push_back({Call, *E});
    }
    for (auto &[Call, E] : Calls)
      if (Call->getParent())
        convert(Program, *Call, E);
  }
}

} // namespace ferry
