// Reverse mode of functions that call themselves or each other: results, memory
// that is overwritten on the way, trees, pointers that are returned, exceptions.
//
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O1 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 -g %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t
// RUN: env FERRY_AD_RECOMPUTE=0 %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O1 -fsanitize=address %s -lm -o %t && %t

#include "Inputs/check.h"
#include <cmath>
#include <cstdlib>
#include <vector>

// A number.
static double power(double x, int n) { return n ? x * power(x, n - 1) : 1; }

// Two calls, and a value that is used after them.
static double fibonacci(double a, double b, int n) {
  if (n == 0)
    return std::sin(a);
  if (n == 1)
    return a * b;
  double x = fibonacci(a * b, a, n - 1), y = fibonacci(b, a + b, n - 2);
  return x * y + std::cos(x) * a;
}

// Each other.
static double odd(double x, int n);
static double even(double x, int n) { return n ? x + odd(x * x, n - 1) : x; }
static double odd(double x, int n) {
  return n ? x * even(std::sin(x), n - 1) : 2 * x;
}

// Memory that each call overwrites, with a local array that is used after it.
static void blend(double *v, int n) {
  if (n < 2)
    return;
  double keep[4] = {v[0], v[1], v[n - 1], v[n / 2]};
  for (int i = 0; i + 1 < n; ++i)
    v[i] = v[i] * v[i + 1] + std::sin(keep[i % 4]);
  blend(v, n / 2);
  blend(v + n / 2, n - n / 2);
  for (int i = 0; i < n; ++i)
    v[i] += keep[i % 4] * v[n - 1 - i];
}

// A tree of pointers that calls return.
struct Node {
  double value;
  Node *left, *right;
};
static Node *build(Node *&room, double x, int depth) {
  Node *n = room++;
  n->value = x * depth;
  n->left = depth ? build(room, std::sin(x), depth - 1) : nullptr;
  n->right = depth ? build(room, x * x, depth - 1) : nullptr;
  return n;
}
static double sum(const Node *n) {
  return n ? n->value * (1 + sum(n->left)) + sum(n->right) : 0;
}
static double tree(double x) {
  Node nodes[32], *room = nodes;
  return sum(build(room, x, 3));
}

// A loop of calls whose number depends on the values.
static double walk(const double *x, int n, double scale) {
  double s = 0;
  for (int i = 0; i < n && s < 3; ++i)
    s += scale * x[i] * walk(x, i, scale * 0.5) + x[i];
  return s;
}

// Through exceptions.
static double careful(double x, int n) {
  if (n == 0)
    throw n;
  try {
    return x * careful(x + 1, n - 1);
  } catch (int) {
    return n > 1 ? 2 * x : x * x;
  }
}

static double blended(double *v) {
  blend(v, 8);
  double s = 0;
  for (int i = 0; i < 8; ++i)
    s += v[i] * (i + 1);
  return s;
}
static double walked(const double *x) { return walk(x, 5, 1.5); }

struct Two {
  double a, b;
};

int main() {
  checkNear("power", __enzyme_autodiff<double>((void *)power, 1.5, 7),
             7 * std::pow(1.5, 6));
  auto both = [](double a, double b) {
    return __enzyme_fwddiff<double>((void *)fibonacci, a, 1.0, b, 0.0, 6);
  };
  Two g = __enzyme_autodiff<Two>((void *)fibonacci, 0.7, 0.9, 6);
  checkNear("fibonacci, first", g.a, both(0.7, 0.9));
  checkNear(
      "fibonacci, second", g.b,
      __enzyme_fwddiff<double>((void *)fibonacci, 0.7, 0.0, 0.9, 1.0, 6));
  checkNear("even and odd", __enzyme_autodiff<double>((void *)even, 0.8, 5),
             __enzyme_fwddiff<double>((void *)even, 0.8, 1.0, 5));

  double start[8] = {0.3, -0.2, 0.5, 0.7, -0.4, 0.1, 0.9, -0.6}, gradient[8] = {};
  {
    std::vector<double> v(start, start + 8);
    __enzyme_autodiff<void>((void *)blended, enzyme_dup, v.data(), gradient);
  }
  for (int i = 0; i < 8; ++i) {
    std::vector<double> v(start, start + 8), d(8);
    d[i] = 1;
    checkNear("blend", gradient[i],
               __enzyme_fwddiff<double>((void *)blended, enzyme_dup, v.data(),
                                        d.data()));
  }
  checkNear("tree", __enzyme_autodiff<double>((void *)tree, 0.6),
             __enzyme_fwddiff<double>((void *)tree, 0.6, 1.0));

  double dx[5] = {};
  __enzyme_autodiff<void>((void *)walked, enzyme_dup, start, dx);
  for (int i = 0; i < 5; ++i) {
    double d[5] = {};
    d[i] = 1;
    checkNear("walk", dx[i],
               __enzyme_fwddiff<double>((void *)walked, enzyme_dup, start, d));
  }
  checkNear("careful", __enzyme_autodiff<double>((void *)careful, 0.5, 4),
             __enzyme_fwddiff<double>((void *)careful, 0.5, 1.0, 4));
  return report();
}
