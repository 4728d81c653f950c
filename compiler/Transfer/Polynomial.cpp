//===- Polynomial.cpp - Formulas as people write them ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transfer/Polynomial.h"
#include <algorithm>

namespace ferry {

Polynomial Polynomial::name(std::string Name) {
  Polynomial P;
  P.add({std::move(Name)}, 1);
  return P;
}

/// Numbers wrap, as the kernel's do.
static int64_t wrapped(uint64_t Value) { return static_cast<int64_t>(Value); }

void Polynomial::add(const Product &Names, int64_t Times) {
  int64_t &Old = Products[Names];
  Old = wrapped(uint64_t(Old) + uint64_t(Times));
  if (Old == 0)
    Products.erase(Names);
}

Polynomial Polynomial::operator+(const Polynomial &Other) const {
  Polynomial Sum = *this;
  for (const auto &[Names, Times] : Other.Products)
    Sum.add(Names, Times);
  return Sum;
}

Polynomial Polynomial::operator-(const Polynomial &Other) const {
  return *this + Polynomial(-1) * Other;
}

Polynomial Polynomial::operator*(const Polynomial &Other) const {
  Polynomial Result;
  for (const auto &[Left, X] : Products)
    for (const auto &[Right, Y] : Other.Products) {
      Product Both = Left;
      Both.insert(Both.end(), Right.begin(), Right.end());
      std::sort(Both.begin(), Both.end());
      Result.add(Both, wrapped(uint64_t(X) * uint64_t(Y)));
    }
  return Result;
}

std::optional<int64_t> Polynomial::constant() const {
  if (Products.empty())
    return 0;
  if (Products.size() == 1 && Products.begin()->first.empty())
    return Products.begin()->second;
  return std::nullopt;
}

std::string Polynomial::text() const {
  if (Products.empty())
    return "0";
  std::string Text;
  // The constant, whose product is the least, goes last.
  for (auto I = Products.rbegin(); I != Products.rend(); ++I) {
    const auto &[Names, Times] = *I;
    uint64_t Size = Times < 0 ? -uint64_t(Times) : Times;
    if (Text.empty())
      Text = Times < 0 ? "-" : "";
    else
      Text += Times < 0 ? " - " : " + ";
    bool First = Size != 1 || Names.empty();
    if (First)
      Text += std::to_string(Size);
    for (const std::string &Name : Names) {
      if (First)
        Text += " * ";
      Text += Name;
      First = true;
    }
  }
  return Text;
}

std::string Polynomial::factor() const {
  return Products.size() > 1 ? "(" + text() + ")" : text();
}

Polynomial least(const Polynomial &A, const Polynomial &B) {
  if (std::optional<int64_t> More = (A - B).constant())
    return *More < 0 ? A : B;
  return Polynomial::name("min(" + A.text() + ", " + B.text() + ")");
}

} // namespace ferry
