//===- Print.cpp - Shows what kernels do to their arguments ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `opt -passes=ferry-access` prints: a line an access, with formulas as
// people write them.
//
//   kernel saxpy
//     slot 3 'y'
//       write 4 bytes at 4 * global.x, when global.x <u slot 4
//
//===----------------------------------------------------------------------===//

#include "Transfer/Access.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ferry {

namespace {
class Printer {
public:
  Printer(const KernelUsage &Of, raw_ostream &OS) : Of(Of), OS(OS) {}

  void symbols() {
    for (const Symbol &S : Of.Symbols) {
      StringRef Name = S.Name;
      if (Name.starts_with("turn.") || Name == "byte")
        OS << "  " << S.Name << " < " << (S.Count.empty() ? "?" : text(S.Count))
           << "\n";
    }
  }

  void panics() {
    for (const Access &A : Of.Panics) {
      OS << "  panic";
      conditions(A);
    }
  }

  void usage(const Usage &U) {
    if (U.Accesses.empty())
      OS << "    unused\n";
    if (U.Room == UINT64_MAX)
      OS << "    room for all of it\n";
    else if (U.Room)
      OS << "    room for " << U.Room << " bytes\n";
    for (const Access &A : U.Accesses)
      access(A);
  }

private:
  const KernelUsage &Of;
  raw_ostream &OS;

  void access(const Access &A) {
    OS << "    ";
    ListSeparator And(" and ");
    if (A.Does & FERRY_DOES_READ)
      OS << And << "read";
    if (A.Does & FERRY_DOES_WRITE)
      OS << And << "write";
    if (A.Does & FERRY_DOES_OVERWRITE)
      OS << And << "overwrite";
    if (A.Does & FERRY_DOES_ANYWHERE) {
      OS << " anywhere\n";
      return;
    }
    OS << " " << A.Bytes << " bytes at " << text(A.Offset);
    conditions(A);
  }

  void conditions(const Access &A) {
    for (const Condition &C : A.Conditions)
      OS << (&C == A.Conditions.data() ? ", when " : ", ") << text(C);
    OS << "\n";
  }

  std::string text(const Condition &C) {
    static const char *const Names[] = {" <u ",  " >=u ", " <s ",
                                        " >=s ", " == ",  " != "};
    uint32_t Relation = C.Relation & ~(FERRY_WHEN_LOOP | FERRY_WHEN_BEFORE);
    if (Relation == FERRY_WHEN_EXACT)
      return "all of " + Of.Symbols[C.Turns].Name;
    std::string Value = text(C.Value);
    if (Relation == FERRY_WHEN_FITS_UNSIGNED)
      return Value + " fits u" + std::to_string(C.Width);
    if (Relation == FERRY_WHEN_FITS_SIGNED)
      return Value + " fits i" + std::to_string(C.Width);
    std::string Text = Value + Names[Relation] + text(C.Bound);
    if (C.Relation & FERRY_WHEN_LOOP)
      Text = "while " + Text;
    return Text;
  }

  std::string text(const Sum &S) {
    std::string Text;
    for (const Term &T : S.Terms) {
      std::string Stride = text(T.Stride);
      if (!Text.empty())
        Text += " + ";
      if (Stride != "1")
        Text += Stride + " * ";
      Text += Of.Symbols[T.Symbol].Name;
    }
    std::string Base = text(S.Base);
    if (Text.empty())
      return Base;
    return Base == "0" ? Text : Text + " + " + Base;
  }

  std::string leaf(const ferry_op &Op) {
    std::string Number = std::to_string(Op.value);
    std::string Axis =
        Op.value >= 0 && Op.value < 3 ? std::string(1, "xyz"[Op.value]) : "";
    switch (Op.code) {
    case FERRY_OP_CONSTANT:
      return Number;
    case FERRY_OP_SLOT:
      return "slot" + Number;
    case FERRY_OP_EXTENT:
      return "extent." + Axis;
    case FERRY_OP_BLOCK:
      return "blockdim." + Axis;
    case FERRY_OP_GRID:
      return "griddim." + Axis;
    default:
      return "any " + Of.Symbols[Op.value].Name;
    }
  }

  static std::string joined(uint32_t Code, StringRef Left, StringRef Right) {
    struct Notation {
      const char *Before, *Between, *After;
    };
    static constexpr Notation Notations[] = {
        {"(", " + ", ")"},  {"(", " * ", ")"},   {"(", " / ", ")"},
        {"(", " % ", ")"},  {"min(", ", ", ")"}, {"max(", ", ", ")"},
        {"[", " to ", "]"}, {"(", " == ", ")"},  {"(", " < ", ")"}};
    const Notation &N = Notations[Code - FERRY_OP_ADD];
    return (Twine(N.Before) + Left + N.Between + Right + N.After).str();
  }

  std::string text(const Formula &F) {
    std::vector<std::string> Stack;
    for (const ferry_op &Op : F) {
      if (Op.code <= FERRY_OP_SYMBOL) {
        Stack.push_back(leaf(Op));
        continue;
      }
      if (Op.code == FERRY_OP_ZEXT || Op.code == FERRY_OP_SEXT) {
        Stack.back() = (Op.code == FERRY_OP_ZEXT ? "u" : "i") +
                       std::to_string(Op.value) + "(" + Stack.back() + ")";
        continue;
      }
      std::string Right = std::move(Stack.back());
      Stack.pop_back();
      std::string &Left = Stack.back();
      Left = joined(Op.code, Left, Right);
    }
    return Stack.empty() ? "?" : Stack.back();
  }
};
} // namespace

void print(const LaunchPlan &Plan, const DeviceProgram &Program,
           ArrayRef<KernelUsage> Usages, raw_ostream &OS) {
  for (auto [K, DK, Of] : zip(Plan.Kernels, Program.Kernels, Usages)) {
    OS << "kernel " << K.Name << "\n";
    Printer P(Of, OS);
    P.symbols();
    P.panics();
    unsigned Slot = 0;
    for (const Field &F : K.Fields) {
      if (F.IsBuffer || F.isLarge()) {
        OS << "  slot" << Slot;
        if (!F.Name.empty())
          OS << " '" << F.Name << "'";
        OS << "\n";
        P.usage(Of.Slots[Slot]);
      }
      Slot += F.slots();
    }
    for (auto [Index, U] : zip(DK.Globals, Of.Globals)) {
      OS << "  global '" << Program.Globals[Index].Name << "'\n";
      P.usage(U);
    }
  }
}

} // namespace ferry
