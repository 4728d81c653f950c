//===- Polynomial.h - Formulas as people write them -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_TRANSFER_POLYNOMIAL_H
#define FERRY_COMPILER_TRANSFER_POLYNOMIAL_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ferry {

/// A sum of products of names: "4 * w * threads + 20". What has no meaning as
/// one, such as a quotient, is a name by itself. For people to read: widths of
/// numbers are left out.
class Polynomial {
public:
  Polynomial() = default;
  Polynomial(int64_t Constant) { add({}, Constant); }
  static Polynomial name(std::string Name);

  Polynomial operator+(const Polynomial &Other) const;
  Polynomial operator-(const Polynomial &Other) const;
  Polynomial operator*(const Polynomial &Other) const;
  bool operator==(const Polynomial &) const = default;

  /// The value, when there are no names in it.
  std::optional<int64_t> constant() const;
  std::string text() const;
  /// The text, in parentheses if it's a sum.
  std::string factor() const;

private:
  using Product = std::vector<std::string>; ///< sorted names
  std::map<Product, int64_t> Products;      ///< without zeros

  void add(const Product &Names, int64_t Times);
};

/// "min(a, b)", or whichever is plainly the lesser.
Polynomial least(const Polynomial &A, const Polynomial &B);

} // namespace ferry

#endif // FERRY_COMPILER_TRANSFER_POLYNOMIAL_H
