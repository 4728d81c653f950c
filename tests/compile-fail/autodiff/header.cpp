// Wrong uses of <ferry/autodiff.h>: each is one error that says what to write.
//
// RUN: not %clangxx -std=c++20 -fsyntax-only -ferror-limit=0 -I%include %s 2>&1 | FileCheck %s --implicit-check-not=error:

#include <ferry/autodiff.h>

double scalar(double x, int n);
double sum(const std::vector<double> &x);
double ofSpan(std::span<const double> x);
double writes(double &x);
std::vector<double> many(std::span<const double> x);

void run(std::vector<double> &v, const std::vector<double> &c, std::vector<float> &f) {
  double x = 1, dx = 0;
  ferry::gradient<scalar>(1.0);
  // CHECK: error: static assertion failed{{.*}}: ferry: the function has another number of parameters
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::gradient<sum>(v);
  // CHECK: error: static assertion failed{{.*}}: ferry: an argument that is no number is passed as dup(argument, shadow) or as constant(argument)
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::gradient<sum>(1.0);
  // CHECK: error: static assertion failed{{.*}}: ferry: the function's parameter is no number; what it refers to is passed as dup(argument, shadow) or as constant(argument)
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::gradient<ofSpan>(ferry::dup(f, f));
  // CHECK: error: static assertion failed{{.*}}: ferry: the function's parameter is of another type than what is given for it
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::gradient<writes>(1.0);
  // CHECK: error: static assertion failed{{.*}}: ferry: the function writes to this parameter: pass dup(number, shadow) or constant(number)
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::gradient<scalar>(ferry::dup(x, dx), 2);
  // CHECK: error: static assertion failed{{.*}}: ferry: a number is passed as it is, and its gradient is returned
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::gradient<many>(ferry::dup(v, v));
  // CHECK: error: static assertion failed{{.*}}: ferry: the function to differentiate returns no number: give it a parameter for its result, and pass dup(result, shadow)
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::dup(v, f);
  // CHECK: error: static assertion failed{{.*}}: ferry: dup's shadow has elements of another type than what it belongs to
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::dup(v, c);
  // CHECK: error: static assertion failed{{.*}}: ferry: dup's shadow is const
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::dup(v, x);
  // CHECK: error: static assertion failed{{.*}}: ferry: dup's shadow has another type than what it belongs to
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::derivative<scalar>(1.0, 2);
  ferry::derivative<sum>(ferry::constant(v));
  // CHECK: error: static assertion failed{{.*}}: ferry: nothing is differentiated: give an argument by dup
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::hessian<scalar>(v);
  // CHECK: error: static assertion failed{{.*}}: ferry: Hessians are of functions of a std::span<const T> that return a T
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::hessian<ofSpan>(f);
  // CHECK: error: static assertion failed{{.*}}: ferry: the function takes numbers of another type
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation

  ferry::jacobian<ofSpan>(v);
  // CHECK: error: static assertion failed{{.*}}: ferry: jacobian is for functions of a std::span<const T> that return a container of T
  // CHECK: header.cpp:[[@LINE-2]]:10: note: in instantiation
}
// CHECK: 14 errors generated.
