//===- matrices.h - Jacobians and Hessians ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derivatives of functions of a span of numbers. A Hessian times a vector is a
// forward derivative of the gradient. A Jacobian is computed column by column
// in forward mode or row by row in reverse mode, whichever are fewer.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_MATRICES_H
#define FERRY_DETAIL_MATRICES_H

#include <ferry/autodiff.h>

namespace ferry {

/// A matrix, row by row.
template <class T> class matrix {
public:
  matrix(std::size_t Rows, std::size_t Columns)
      : Rows(Rows), Columns(Columns), Elements(Rows * Columns) {}

  std::size_t rows() const { return Rows; }
  std::size_t columns() const { return Columns; }
  T &operator()(std::size_t Row, std::size_t Column) {
    return Elements[Row * Columns + Column];
  }
  const T &operator()(std::size_t Row, std::size_t Column) const {
    return Elements[Row * Columns + Column];
  }
  std::span<T> row(std::size_t Row) {
    return std::span<T>(Elements).subspan(Row * Columns, Columns);
  }
  T *data() { return Elements.data(); }
  const T *data() const { return Elements.data(); }

private:
  std::size_t Rows, Columns;
  std::vector<T> Elements;
};

namespace detail::ad {

/// `R f(std::span<const T>)` or `void f(std::span<const T>, std::span<T>)`.
template <class F> struct OfSpan {
  static constexpr bool IsKnown = false;
  using Number = double;
  using Result = void;
};
template <class R, class T> struct OfSpan<R (*)(std::span<const T>)> {
  static constexpr bool IsKnown = std::is_floating_point_v<T>;
  static constexpr bool ToSpan = false;
  using Number = T;
  using Result = R;
};
template <class T> struct OfSpan<void (*)(std::span<const T>, std::span<T>)> {
  static constexpr bool IsKnown = std::is_floating_point_v<T>;
  static constexpr bool ToSpan = true;
  using Number = T;
  using Result = void;
};
template <class R, class... P>
struct OfSpan<R (*)(P...) noexcept> : OfSpan<R (*)(P...)> {};

template <auto Function, class T> T callOnSpan(const T *X, std::size_t N) {
  return Function(std::span<const T>(X, N));
}

template <auto Function, class T>
void addGradient(const T *X, T *Gradient, std::size_t N) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(&callOnSpan<Function, T>),
                          enzyme_dup, X, Gradient, enzyme_const, N);
}

/// `Function`, its result or results stored one after the other.
template <auto Function, class T>
void callIntoSpan(const T *X, std::size_t N, T *Y, std::size_t M) {
  using Types = OfSpan<decltype(+Function)>;
  if constexpr (Types::ToSpan) {
    Function(std::span<const T>(X, N), std::span<T>(Y, M));
  } else {
    auto Result = Function(std::span<const T>(X, N));
    for (std::size_t I = 0; I != M; ++I)
      Y[I] = Result[I];
  }
}

template <auto Function, class T>
matrix<T> jacobianOf(std::span<const T> X, std::size_t Rows) {
  matrix<T> J(Rows, X.size());
  std::vector<T> Y(Rows);
  void *Target = reinterpret_cast<void *>(&callIntoSpan<Function, T>);
  if (X.size() <= Rows) {
    std::vector<T> Direction(X.size()), Column(Rows);
    for (std::size_t C = 0; C != X.size(); ++C) {
      Direction[C] = 1;
      Column.assign(Rows, 0);
      __enzyme_fwddiff<void>(Target, enzyme_dup, X.data(), Direction.data(),
                             enzyme_const, X.size(), enzyme_dup, Y.data(),
                             Column.data(), enzyme_const, Rows);
      for (std::size_t R = 0; R != Rows; ++R)
        J(R, C) = Column[R];
      Direction[C] = 0;
    }
    return J;
  }
  std::vector<T> Weights(Rows);
  for (std::size_t R = 0; R != Rows; ++R) {
    Weights.assign(Rows, 0);
    Weights[R] = 1;
    __enzyme_autodiff<void>(Target, enzyme_dup, X.data(), J.row(R).data(),
                            enzyme_const, X.size(), enzyme_dup, Y.data(),
                            Weights.data(), enzyme_const, Rows);
  }
  return J;
}

template <class X, class T>
concept Numbers = Array<X> && std::is_same_v<Element<X>, T>;

} // namespace detail::ad

/// The Jacobian of `Function` at `At`: element (i, j) is the derivative of
/// result i in argument j. `Function` takes a `std::span<const T>` and returns
/// a container of `T`.
///
///   std::vector<double> polar(std::span<const double> x);
///   ferry::matrix<double> j = ferry::jacobian<polar>(std::array{1.0, 2.0});
template <auto Function, class X> auto jacobian(const X &At) {
  using Types = detail::ad::OfSpan<decltype(+Function)>;
  using T = typename Types::Number;
  static_assert(
      Types::IsKnown && detail::ad::Array<typename Types::Result>,
      "ferry: jacobian is for functions of a std::span<const T> that "
      "return a container of T, or of a std::span<T> for the results as "
      "well, whose number is given then");
  static_assert(!Types::IsKnown || detail::ad::Numbers<X, T>,
                "ferry: the function takes numbers of another type");
  if constexpr (Types::IsKnown && detail::ad::Array<typename Types::Result> &&
                detail::ad::Numbers<X, T>) {
    std::span<const T> Point(At);
    return detail::ad::jacobianOf<Function>(Point,
                                            std::ranges::size(Function(Point)));
  }
}

/// The same for `void Function(std::span<const T> x, std::span<T> y)`, which
/// stores `Results` results.
template <auto Function, class X>
auto jacobian(const X &At, std::size_t Results) {
  using Types = detail::ad::OfSpan<decltype(+Function)>;
  using T = typename Types::Number;
  static_assert(
      Types::IsKnown && std::is_void_v<typename Types::Result>,
      "ferry: the number of results is given for functions that store "
      "them in a std::span<T>");
  static_assert(!Types::IsKnown || detail::ad::Numbers<X, T>,
                "ferry: the function takes numbers of another type");
  if constexpr (Types::IsKnown && std::is_void_v<typename Types::Result> &&
                detail::ad::Numbers<X, T>)
    return detail::ad::jacobianOf<Function>(std::span<const T>(At), Results);
}

/// The Hessian of `Function` at `At` times `Vector`, at about the cost of two
/// gradients. `Function` takes a `std::span<const T>` and returns a `T`.
template <auto Function, class X, class V>
auto hvp(const X &At, const V &Vector) {
  using Types = detail::ad::OfSpan<decltype(+Function)>;
  using T = typename Types::Number;
  static_assert(Types::IsKnown && std::is_same_v<typename Types::Result, T>,
                "ferry: Hessians are of functions of a std::span<const T> that "
                "return a T");
  static_assert(!Types::IsKnown ||
                    (detail::ad::Numbers<X, T> && detail::ad::Numbers<V, T>),
                "ferry: the function takes numbers of another type");
  std::vector<T> Product;
  if constexpr (Types::IsKnown && std::is_same_v<typename Types::Result, T> &&
                detail::ad::Numbers<X, T> && detail::ad::Numbers<V, T>) {
    detail::ad::checkLength(At, Vector);
    std::size_t N = std::ranges::size(At);
    Product.resize(N);
    std::vector<T> Gradient(N);
    __enzyme_fwddiff<void>(
        reinterpret_cast<void *>(&detail::ad::addGradient<Function, T>),
        enzyme_dup, std::ranges::data(At), std::ranges::data(Vector),
        enzyme_dup, Gradient.data(), Product.data(), enzyme_const, N);
  }
  return Product;
}

/// The Hessian of `Function` at `At`, row by row. `Function` takes a
/// `std::span<const T>` and returns a `T`.
///
///   double rosenbrock(std::span<const double> x);
///   auto h = ferry::hessian<rosenbrock>(std::vector{1.0, 1.0});
template <auto Function, class X> auto hessian(const X &At) {
  using T = typename detail::ad::OfSpan<decltype(+Function)>::Number;
  std::size_t N = std::ranges::size(At);
  matrix<T> H(N, N);
  std::vector<T> Direction(N);
  for (std::size_t R = 0; R != N; ++R) {
    Direction[R] = 1;
    std::vector<T> Row = hvp<Function>(At, Direction);
    for (std::size_t C = 0; C != Row.size(); ++C)
      H(R, C) = Row[C];
    Direction[R] = 0;
  }
  return H;
}

} // namespace ferry

#endif // FERRY_DETAIL_MATRICES_H
