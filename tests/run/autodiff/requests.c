// Enzyme's convention in C: what marks an argument, and what comes back.
//
// RUN: %clang -std=gnu17 -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clang -std=gnu17 -I%include -fpass-plugin=%plugin -O1 %s -lm -o %t && %t
// RUN: %clang -std=gnu17 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t
// RUN: %clang -std=gnu17 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t

#include <stdio.h>

// Declared as it suits each use; all names contain the function that is meant.
extern double __enzyme_fwddiff(void *, ...);
extern float __enzyme_fwddiff_float(void *, ...);
struct Pair {
  double First, Second;
};
struct Floats {
  float First, Second;
};
struct Three {
  double First, Second, Third;
};
extern struct Pair __enzyme_fwddiff_pair(void *, ...);
extern struct Floats __enzyme_fwddiff_floats(void *, ...);
extern struct Three __enzyme_fwddiff_three(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);
extern double __enzyme_autodiff(void *, ...);
extern float __enzyme_autodiff_float(void *, ...);
extern struct Pair __enzyme_autodiff_pair(void *, ...);
extern struct Floats __enzyme_autodiff_floats(void *, ...);
extern struct Three __enzyme_autodiff_three(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
struct Lanes {
  double X[2], Y[2];
};
extern struct Lanes __enzyme_autodiff_lanes(void *, ...);
int enzyme_out, enzyme_const_return;
double __enzyme_fwddiff_old_style();
int enzyme_dup, enzyme_const, enzyme_width, enzyme_dupv, enzyme_interleave;
int enzyme_primal_return;
extern int enzyme_dupnoneed; // no definition anywhere

static int Failures;
static void check(const char *What, double Got, double Want) {
  if (Got != Want) {
    printf("%s: got %.17g, want %.17g\n", What, Got, Want);
    ++Failures;
  }
}

static double product(double x, double y) { return x * y; }
static float floatProduct(float x, float y) { return x * y; }
static double sum(const double *x, int n, double scale) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += scale * x[i];
  return s;
}
static void twice(const double *x, double *y) { *y = 2 * *x; }
static double byChar(char c, float f, short s) { return c * f * s; }

// The function behind constants, variables and choices.
static double (*const Constant)(double, double) = product;
static double quotient(double x, double y) { return x / y; }
static double either(int which, double x, double dx) {
  return __enzyme_fwddiff((void *)(which ? product : quotient), x, dx, 4.0, 0.0);
}
static double through(double (*f)(double, double), double x, double dx) {
  return __enzyme_fwddiff((void *)f, x, dx, 3.0, 0.0);
}

int main(void) {
  double x[3] = {1, 2, 3};
  struct {
    double Lane[2][3];
  } d = {{{1, 0, 0}, {0, 1, 10}}};

  check("defaults", __enzyme_fwddiff((void *)product, 2.0, 1.0, 3.0, 10.0), 23);
  check("const", __enzyme_fwddiff((void *)product, enzyme_const, 2.0, 3.0, 10.0), 20);
  check("address of a marker",
        __enzyme_fwddiff((void *)product, &enzyme_const, 2.0, &enzyme_dup, 3.0, 10.0), 20);
  check("without a prototype",
        __enzyme_fwddiff_old_style((void *)product, 2.0, 1.0, 3.0, 10.0), 23);
  check("pointer", __enzyme_fwddiff((void *)sum, enzyme_dup, x, d.Lane[1], 3, enzyme_const, 2.0), 22);
  check("undefined marker", __enzyme_fwddiff((void *)sum, enzyme_dupnoneed, x, d.Lane[1], 3, enzyme_const, 2.0), 22);
  check("float", __enzyme_fwddiff_float((void *)floatProduct, 2.f, 1.f, 3.f, 10.f), 23);
  check("float as double", __enzyme_fwddiff((void *)floatProduct, 2.f, 1.f, 3.f, 10.f), 23);
  check("promoted", __enzyme_fwddiff((void *)byChar, (char)3, 2.f, 1.f, (short)-5), -15);

  struct Pair p = __enzyme_fwddiff_pair((void *)product, enzyme_primal_return, 2.0, 1.0, 3.0, 10.0);
  check("primal", p.First, 6);
  check("primal's tangent", p.Second, 23);
  struct Floats f = __enzyme_fwddiff_floats((void *)floatProduct, enzyme_primal_return, 2.f, 1.f, 3.f, 10.f);
  check("float primal", f.First, 6);
  check("float primal's tangent", f.Second, 23);

  struct Pair w = __enzyme_fwddiff_pair((void *)sum, enzyme_width, 2, enzyme_dup, x, d.Lane[0], d.Lane[1], 3, enzyme_const, 2.0);
  check("lane 0", w.First, 2);
  check("lane 1", w.Second, 22);
  w = __enzyme_fwddiff_pair((void *)sum, enzyme_width, 2, enzyme_dupv, sizeof d.Lane[0], x, d.Lane, 3, enzyme_const, 2.0);
  check("strided lane 0", w.First, 2);
  check("strided lane 1", w.Second, 22);
  struct Three t = __enzyme_fwddiff_three((void *)product, enzyme_width, 3, 2.0, 1.0, 2.0, 3.0, 5.0, 0.0, 1.0, 0.0);
  check("three lanes: 0", t.First, 5);
  check("three lanes: 1", t.Second, 12);
  check("three lanes: 2", t.Third, 15);
  check("interleave", __enzyme_fwddiff((void *)product, enzyme_dup, 2.0, enzyme_dup, 3.0, enzyme_interleave, 1.0, 10.0), 23);

  double y = 0, dy = 0;
  __enzyme_fwddiff_void((void *)twice, x, d.Lane[0], &y, &dy);
  check("void's value", y, 2);
  check("void's tangent", dy, 2);

  check("constant", __enzyme_fwddiff((void *)Constant, 2.0, 1.0, 3.0, 10.0), 23);
  double (*variable)(double, double) = product;
  check("variable", __enzyme_fwddiff((void *)variable, 2.0, 1.0, 3.0, 10.0), 23);
  check("choice 1", either(1, 2, 1), 4);
  check("choice 2", either(0, 2, 1), 0.25);
  check("wrapper", through(product, 2, 1), 3);
  check("wrapper again", through(quotient, 6, 3), 1);

  // Reverse mode.
  struct Pair g = __enzyme_autodiff_pair((void *)product, 2.0, 3.0);
  check("gradient 1", g.First, 3);
  check("gradient 2", g.Second, 2);
  check("first of two", __enzyme_autodiff((void *)product, 2.0, 3.0), 3);
  check("the other", __enzyme_autodiff((void *)product, enzyme_const, 2.0, enzyme_out, 3.0), 2);
  struct Floats h = __enzyme_autodiff_floats((void *)floatProduct, 2.f, 3.f);
  check("float gradient 1", h.First, 3);
  check("float gradient 2", h.Second, 2);
  check("float gradient as double", __enzyme_autodiff((void *)floatProduct, 2.f, 3.f), 3);
  struct Three v = __enzyme_autodiff_three((void *)product, enzyme_primal_return, 2.0, 3.0);
  check("value", v.First, 6);
  check("value's gradient 1", v.Second, 3);
  check("value's gradient 2", v.Third, 2);
  struct Lanes l = __enzyme_autodiff_lanes((void *)product, enzyme_width, 2, 2.0, 3.0);
  check("lanes", l.X[0] + 10 * l.X[1] + 100 * l.Y[0] + 1000 * l.Y[1], 2233);
  double dx[3] = {100, 0, 0};
  check("with memory", __enzyme_autodiff((void *)sum, x, dx, 3, 2.0), 6);
  check("memory is added to", dx[0], 102);
  check("memory", dx[2], 2);
  double e0[3] = {0}, e1[3] = {0};
  __enzyme_autodiff_void((void *)sum, enzyme_width, 2, enzyme_dup, x, e0, e1, 3, enzyme_const, 2.0);
  check("memory, lane 0", e0[1], 2);
  check("memory, lane 1", e1[2], 2);
  y = 0, dy = 5;
  dx[0] = 1;
  __enzyme_autodiff_void((void *)twice, x, dx, &y, &dy);
  check("through memory", dx[0], 11);
  check("a consumed seed", dy, 0);
  dx[0] = 0;
  __enzyme_autodiff_void((void *)sum, enzyme_const_return, x, dx, 3, enzyme_const, 2.0);
  check("a constant result", dx[0], 0);
  puts(Failures ? "failed" : "passed");
  return Failures != 0;
}
