//===- RustFormat.cpp - What a Rust panic's message is made of ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// core::fmt::Arguments (library/core/src/fmt/mod.rs, since Rust 1.93) is two
// pointers. A literal is its bytes and, in place of the second pointer, length
// * 2 + 1. Anything else is a template, runs of text behind their length and
// 0xC0 for the next argument, and an array of {value, function} pairs, where
// the function is an instance of Display or Debug and so names the value's
// type.
//
// The pairs are stored to an alloca just before the panic. Their values are
// loaded there and travel as numbers; the host puts them into the text.
//
//===----------------------------------------------------------------------===//

#include "Outline/RustFormat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace ferry {

namespace {
enum class Number { Unsigned, Signed, Float };
struct NumberType {
  Number Kind;
  unsigned Bits;
};
} // namespace

static std::optional<NumberType> numberType(StringRef Rust) {
  return StringSwitch<std::optional<NumberType>>(Rust)
      .Cases({"bool", "u8"}, NumberType{Number::Unsigned, 8})
      .Case("u16", NumberType{Number::Unsigned, 16})
      .Cases({"u32", "char"}, NumberType{Number::Unsigned, 32})
      .Cases({"u64", "usize"}, NumberType{Number::Unsigned, 64})
      .Case("i8", NumberType{Number::Signed, 8})
      .Case("i16", NumberType{Number::Signed, 16})
      .Case("i32", NumberType{Number::Signed, 32})
      .Cases({"i64", "isize"}, NumberType{Number::Signed, 64})
      .Case("f32", NumberType{Number::Float, 32})
      .Case("f64", NumberType{Number::Float, 64})
      .Default(std::nullopt);
}

std::string escapeText(StringRef Text) {
  std::string Escaped;
  for (char C : Text)
    Escaped.append(C == '{' ? 2 : 1, C);
  return Escaped;
}

std::string PanicValues::add(IRBuilder<> &B, StringRef Rust, Value *Address) {
  std::optional<NumberType> T = numberType(Rust);
  if (!T || Values.size() == Most)
    return "…";
  std::string Name = "{" + std::to_string(Values.size());
  Type *I64 = B.getInt64Ty();
  if (T->Kind == Number::Float) {
    Value *V =
        B.CreateLoad(T->Bits == 32 ? B.getFloatTy() : B.getDoubleTy(), Address);
    Values.push_back(B.CreateBitCast(B.CreateFPExt(V, B.getDoubleTy()), I64));
    return Name + ":f}";
  }
  bool Signed = T->Kind == Number::Signed;
  Value *V = B.CreateLoad(B.getIntNTy(T->Bits), Address);
  Values.push_back(B.CreateIntCast(V, I64, Signed));
  return Name + (Signed ? ":i}" : ":u}");
}

/// "<i32 as core::fmt::Display>::fmt" -> "i32"
static std::string formattedType(const Value *FormatFunction) {
  auto *F = dyn_cast_or_null<Function>(FormatFunction);
  std::string Demangled = F ? demangle(F->getName()) : "";
  StringRef D = Demangled;
  if (!D.consume_front("<"))
    return "";
  for (StringRef Trait :
       {" as core::fmt::Display>::fmt", " as core::fmt::Debug>::fmt"})
    if (D.consume_back(Trait))
      return D.str();
  return "";
}

/// The one value that is stored at `Offset` behind `Base`; null: unknown.
static Value *storedAt(Value *Base, uint64_t Offset, const DataLayout &DL) {
  Value *Stored = nullptr;
  SmallVector<Value *> Derived{Base};
  for (unsigned I = 0; I != Derived.size(); ++I)
    for (User *U : Derived[I]->users()) {
      if (isa<GetElementPtrInst>(U)) {
        Derived.push_back(U);
        continue;
      }
      auto *Store = dyn_cast<StoreInst>(U);
      if (!Store || Store->getPointerOperand() != Derived[I])
        continue;
      APInt At(64, 0);
      if (Store->getPointerOperand()->stripAndAccumulateConstantOffsets(
              DL, At, /*AllowNonInbounds=*/true) != Base)
        return nullptr;
      if (At != Offset)
        continue;
      if (Stored)
        return nullptr;
      Stored = Store->getValueOperand();
    }
  return Stored;
}

std::string rustMessage(IRBuilder<> &B, Value *Template, Value *Args,
                        PanicValues &Values) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  StringRef Bytes;
  if (!getConstantStringInfo(Template, Bytes, /*TrimAtNul=*/false))
    return "explicit panic";
  if (auto *C = dyn_cast<Constant>(Args))
    if (auto *Literal = dyn_cast_or_null<ConstantInt>(ConstantFoldConstant(
            ConstantExpr::getPtrToInt(C, B.getInt64Ty()), DL)))
      return escapeText(Bytes.take_front(Literal->getZExtValue() / 2));

  std::string Text;
  for (unsigned Argument = 0; !Bytes.empty() && Bytes.front();) {
    uint8_t Code = Bytes.front();
    Bytes = Bytes.drop_front();
    if (Code == 0xC0) {
      Value *Address = storedAt(Args, 16 * Argument, DL);
      std::string Type = formattedType(storedAt(Args, 16 * Argument + 8, DL));
      Text += Address ? Values.add(B, Type, Address) : "…";
      ++Argument;
    } else if (Code < 0x80) {
      Text += escapeText(Bytes.take_front(Code));
      Bytes = Bytes.drop_front(std::min<size_t>(Code, Bytes.size()));
    } else {
      Text += "…"; // width, precision and the like: the library's own encoding
      break;
    }
  }
  return Text;
}

} // namespace ferry
