//===- Explain.cpp - What launches move, for people -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libferry evaluates an access's formulas with numbers (runtime/Box.h); this
// does it with names, and says the first byte and the number of bytes as
// polynomials in them:
//
//   4 bytes at 4 * global.x, when global.x < u64(slot 4)
//     -> {"from": "0", "bytes": "4 * min(threads, y.size())"}
//
// A symbol runs from 0 to its count. The three of a thread's number become one,
// whose count is "threads". A condition on one symbol bounds the count. Others
// are left out, so the range is the most that is touched, as libferry's is.
//
// The rest is either up to data, or a formula that only numbers make simple,
// and is said to be worked out at the launch.
//
//===----------------------------------------------------------------------===//

#include "Transfer/Explain.h"
#include "Diagnostics/Diagnostics.h"
#include "Discover/Discover.h"
#include "Transfer/Polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/JSON.h"
#include <set>
#include <tuple>

using namespace llvm;

namespace ferry {

namespace {

/// Part of an offset: Stride times each of 0 ... Count - 1.
struct Run {
  std::string Name;
  Polynomial Stride, Count;
};

/// The bytes that an access touches.
struct Piece {
  Polynomial From, Bytes;
  bool operator==(const Piece &) const = default;
};

/// An access and what is known of its place.
struct Touch {
  uint32_t Does;
  std::optional<Piece> Where;
  bool DependsOnData;
};

class Explainer {
public:
  Explainer(const Kernel &K, const KernelUsage &Of) : K(K), Of(Of) {
    for (const Field &F : K.Fields)
      for (unsigned I = 0; I != F.slots(); ++I)
        SlotNames.push_back(F.Name.empty()
                                ? "argument " + std::to_string(SlotNames.size())
                                : F.Name);
  }

  json::Object usage(const Usage &U) {
    std::vector<Touch> Touches;
    for (const Access &A : U.Accesses) {
      DependsOnData = false;
      std::optional<Piece> Where = piece(A);
      Touches.push_back({A.Does, std::move(Where), DependsOnData});
    }
    json::Array Reads, Writes;
    bool Overwritten = false, Unsure = false;
    for (const Touch &T : Touches) {
      if (T.Does & FERRY_DOES_READ)
        addRange(Reads, T);
      if (T.Does & FERRY_DOES_WRITE)
        addRange(Writes, T);
      Overwritten |= (T.Does & FERRY_DOES_OVERWRITE) != 0;
      Unsure |= (T.Does & FERRY_DOES_WRITE) && !isOverwritten(T, Touches);
    }
    return json::Object{{"reads", std::move(Reads)},
                        {"writes", std::move(Writes)},
                        {"overwrites", Overwritten && !Unsure},
                        {"room_for_all", U.Room == UINT64_MAX}};
  }

private:
  const Kernel &K;
  const KernelUsage &Of;
  std::vector<std::string> SlotNames;
  bool DependsOnData = false; ///< a formula had a value that nobody knows

  /// What may be written is certainly written, says this record or another.
  static bool isOverwritten(const Touch &T, ArrayRef<Touch> All) {
    return (T.Does & FERRY_DOES_OVERWRITE) ||
           (T.Where && any_of(All, [&](const Touch &Other) {
              return (Other.Does & FERRY_DOES_OVERWRITE) &&
                     Other.Where == T.Where;
            }));
  }

  static void addRange(json::Array &To, const Touch &T) {
    json::Object Range;
    if (const std::optional<Piece> &P = T.Where)
      Range = json::Object{{"from", json::fixUTF8(P->From.text())},
                           {"bytes", json::fixUTF8(P->Bytes.text())}};
    else if (T.Does & FERRY_DOES_ANYWHERE)
      Range = json::Object{{"anywhere", true}};
    else
      Range = json::Object{{T.DependsOnData ? "data" : "computed", true}};
    json::Value New = std::move(Range);
    if (!is_contained(To, New))
      To.push_back(std::move(New));
  }

  //===--- Formulas -------------------------------------------------------===//

  /// No value for a symbol: it has many.
  std::optional<Polynomial> leaf(const ferry_op &Op) {
    bool IsOver = K.LaunchShape == Shape::Over;
    std::string Axis;
    if (Op.value >= 0 && Op.value < 3)
      Axis = "xyz"[Op.value];
    switch (Op.code) {
    case FERRY_OP_CONSTANT:
      return Polynomial(Op.value);
    case FERRY_OP_SLOT:
      return Polynomial::name(SlotNames[Op.value]);
    case FERRY_OP_EXTENT:
      return Polynomial::name((IsOver ? "threads." : "blocks.") + Axis);
    case FERRY_OP_BLOCK:
      return Polynomial::name("block." + Axis);
    case FERRY_OP_GRID:
      return Polynomial::name("blocks." + Axis);
    default:
      return std::nullopt;
    }
  }

  static Polynomial joined(uint32_t Code, const Polynomial &A,
                           const Polynomial &B) {
    auto Between = [&](const char *Sign) {
      return Polynomial::name("(" + A.factor() + Sign + B.factor() + ")");
    };
    switch (Code) {
    case FERRY_OP_ADD:
      return A + B;
    case FERRY_OP_MUL:
      return A * B;
    case FERRY_OP_UDIV:
      return Between(" / ");
    case FERRY_OP_UREM:
      return Between(" % ");
    case FERRY_OP_MIN:
      return least(A, B);
    case FERRY_OP_MAX:
      return Polynomial::name("max(" + A.text() + ", " + B.text() + ")");
    case FERRY_OP_EQUAL:
      return Between(" == ");
    default:
      return Between(" < ");
    }
  }

  std::optional<Polynomial> value(const Formula &F) {
    std::vector<Polynomial> Stack;
    for (const ferry_op &Op : F) {
      if (Op.code == FERRY_OP_ZEXT || Op.code == FERRY_OP_SEXT)
        continue;
      if (Op.code <= FERRY_OP_SYMBOL) {
        std::optional<Polynomial> Leaf = leaf(Op);
        if (!Leaf)
          return std::nullopt;
        Stack.push_back(std::move(*Leaf));
        continue;
      }
      if (Op.code == FERRY_OP_HULL) {
        DependsOnData = true;
        return std::nullopt;
      }
      Polynomial Right = std::move(Stack.back());
      Stack.pop_back();
      Stack.back() = joined(Op.code, Stack.back(), Right);
    }
    if (Stack.empty())
      return std::nullopt;
    return Stack.back();
  }

  //===--- Sums -----------------------------------------------------------===//

  std::optional<std::vector<Run>> runs(const Sum &S) {
    std::vector<Run> Runs;
    for (const Term &T : S.Terms) {
      const Symbol &Counted = Of.Symbols[T.Symbol];
      std::optional<Polynomial> Stride = value(T.Stride),
                                Count = value(Counted.Count);
      if (!Stride || !Count)
        return std::nullopt;
      Runs.push_back({Counted.Name, *Stride, *Count});
    }
    joinThreads(Runs);
    return Runs;
  }

  /// x + y * extent.x + z * extent.x * extent.y is the thread's number.
  static void joinThreads(std::vector<Run> &Runs) {
    auto Find = [&](StringRef Name) {
      return find_if(Runs, [&](const Run &R) { return R.Name == Name; });
    };
    auto X = Find("global.x"), Y = Find("global.y"), Z = Find("global.z");
    if (X == Runs.end() || Y == Runs.end() || Z == Runs.end() ||
        !(Y->Stride == X->Stride * X->Count) ||
        !(Z->Stride == Y->Stride * Y->Count))
      return;
    Run Thread = {"thread", X->Stride, Polynomial::name("threads")};
    erase_if(Runs, [](const Run &R) {
      return StringRef(R.Name).starts_with("global.");
    });
    Runs.push_back(Thread);
  }

  /// Lets a condition on one symbol bound what that runs through.
  void bound(Run &R, Polynomial &From, const Condition &C) {
    std::optional<std::vector<Run>> Of = runs(C.Value);
    std::optional<Polynomial> Base = value(C.Value.Base),
                              Limit = value(C.Bound);
    if (!Of || Of->size() != 1 || Of->front().Name != R.Name || !Base ||
        !Limit || Of->front().Stride.constant() != 1)
      return;
    uint32_t Relation = C.Relation & ~(FERRY_WHEN_LOOP | FERRY_WHEN_BEFORE);
    if (Relation == FERRY_WHEN_ULT || Relation == FERRY_WHEN_SLT) {
      R.Count = least(R.Count, *Limit - *Base);
    } else if (Relation == FERRY_WHEN_EQ) {
      From = From + R.Stride * (*Limit - *Base);
      R.Count = 1;
    }
  }

  std::optional<Piece> piece(const Access &A) {
    if (A.Does & FERRY_DOES_ANYWHERE)
      return std::nullopt;
    std::optional<Polynomial> From = value(A.Offset.Base);
    std::optional<std::vector<Run>> Runs = runs(A.Offset);
    if (!From || !Runs)
      return std::nullopt;
    Polynomial Bytes(static_cast<int64_t>(A.Bytes));
    for (Run &R : *Runs) {
      for (const Condition &C : A.Conditions)
        bound(R, *From, C);
      Polynomial Length = R.Stride * (R.Count - 1);
      if (std::optional<int64_t> Stride = R.Stride.constant();
          Stride && *Stride < 0) {
        *From = *From + Length;
        Bytes = Bytes - Length;
      } else {
        Bytes = Bytes + Length;
      }
    }
    return Piece{*From, Bytes};
  }
};

} // namespace

/// "main.cpp:12:5", in the order of files and lines.
static std::vector<std::string> launchPlaces(const LaunchPlan &Plan,
                                             unsigned KernelIndex) {
  std::set<std::tuple<std::string, unsigned, unsigned>> Places;
  for (const Launch &L : Plan.Launches)
    if (L.KernelIndex == KernelIndex)
      for (const DebugLoc &Loc : launchLocations(L))
        Places.emplace(fileName(*Loc), Loc.getLine(), Loc.getCol());
  std::vector<std::string> Texts;
  Texts.reserve(Places.size());
  for (const auto &[File, Line, Column] : Places)
    Texts.push_back(
        (Twine(File) + ":" + Twine(Line) + ":" + Twine(Column)).str());
  return Texts;
}

static json::Object explainKernel(const LaunchPlan &Plan, unsigned Index,
                                  const DeviceProgram &Program,
                                  const KernelUsage &Of) {
  const Kernel &K = Plan.Kernels[Index];
  const DeviceKernel &DK = Program.Kernels[Index];
  Explainer Words(K, Of);
  json::Array Arguments, Launches;
  unsigned Slot = 0;
  for (const Field &F : K.Fields) {
    json::Object Argument;
    if (F.IsBuffer || F.isLarge()) {
      Argument = Words.usage(Of.Slots[Slot]);
      Argument["kind"] = F.isScratch() ? "scratch" : "buffer";
      Argument["passed"] = F.isInput() ? "in" : F.Reads ? "inout" : "out";
    } else {
      Argument = json::Object{{"kind", "value"}, {"bytes", F.Bytes}};
    }
    Argument["name"] = json::fixUTF8(F.Name);
    Arguments.push_back(std::move(Argument));
    Slot += F.slots();
  }
  for (auto [Global, U] : zip(DK.Globals, Of.Globals)) {
    json::Object Argument = Words.usage(U);
    Argument["kind"] = "global";
    Argument["passed"] = "inout";
    Argument["name"] = json::fixUTF8(Program.Globals[Global].Name);
    Arguments.push_back(std::move(Argument));
  }
  for (const std::string &Place : launchPlaces(Plan, Index))
    Launches.push_back(json::fixUTF8(Place));
  return json::Object{
      {"kernel", json::fixUTF8(K.Name)},
      {"shape", K.LaunchShape == Shape::Over ? "over" : "blocks"},
      {"can_panic", DK.CanPanic},
      {"prints", DK.Prints},
      {"launches", std::move(Launches)},
      {"arguments", std::move(Arguments)}};
}

std::string explain(const LaunchPlan &Plan, const DeviceProgram &Program,
                    ArrayRef<KernelUsage> Usages) {
  json::Array Kernels;
  for (unsigned I = 0; I != Plan.Kernels.size(); ++I)
    Kernels.push_back(explainKernel(Plan, I, Program, Usages[I]));
  std::string Text;
  raw_string_ostream OS(Text);
  OS << json::Value(
      json::Object{{"version", 1}, {"kernels", std::move(Kernels)}});
  return Text;
}

void embedExplanation(Module &M, StringRef Line) {
  std::string Assembly;
  raw_string_ostream OS(Assembly);
  OS << ".pushsection " << ExplanationSection << ",\"\",@progbits\n.ascii \"";
  for (unsigned char C : Line)
    if (C == '"' || C == '\\')
      OS << '\\' << C;
    else if (C >= ' ' && C < 127)
      OS << C;
    else
      OS << '\\' << char('0' + C / 64) << char('0' + C / 8 % 8)
         << char('0' + C % 8);
  OS << "\\n\"\n.popsection";
  M.appendModuleInlineAsm(Assembly);
}

} // namespace ferry
