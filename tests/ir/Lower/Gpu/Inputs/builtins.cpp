// Calls the functions of Builtins.c, renamed to ferry_*, beside the host's.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

using Wide = __int128;
using UWide = unsigned __int128;

struct Complex {
  double Real, Imaginary;
};

extern "C" {
double ferry___floatuntidf(UWide), ferry___floattidf(Wide);
float ferry___floatuntisf(UWide), ferry___floattisf(Wide);
UWide ferry___fixunsdfti(double);
Wide ferry___fixdfti(double), ferry___fixsfti(float),
    ferry___modti3(Wide, Wide);
double ferry_scalbn(double, int);
float ferry_scalbnf(float, int);
Complex ferry___muldc3(double, double, double, double);
Complex ferry___divdc3(double, double, double, double);
Complex __muldc3(double, double, double, double);
Complex __divdc3(double, double, double, double);
int ferry_memcmp(const void *, const void *, size_t);
int ferry_bcmp(const void *, const void *, size_t);
size_t ferry_strlen(const char *);
}

static uint64_t random64() {
  static uint64_t State = 88172645463325252;
  State ^= State << 13;
  State ^= State >> 7;
  return State ^= State << 17;
}

/// Of any length, often with a long tail of zeros or ones.
static UWide randomWide() {
  UWide X = (UWide(random64()) << 64 | random64()) >> random64() % 128;
  if (random64() % 3 == 0)
    X &= ~((UWide(1) << random64() % 120) - 1);
  return random64() % 5 == 0 ? ~X : X;
}

template <class To, class From> static To bits(From X) {
  To Result;
  std::memcpy(&Result, &X, sizeof(Result));
  return Result;
}

static unsigned long Differences;

template <class T> static void same(T A, T B) {
  if (!(std::isnan(double(A)) && std::isnan(double(B))))
    Differences += std::memcmp(&A, &B, sizeof(T)) != 0;
}

static void finish(const char *Title) {
  std::printf("%s: %lu differ\n", Title, Differences);
  Differences = 0;
}

static void checkConversions() {
  for (int I = 0; I != 1000000; ++I) {
    UWide X = randomWide();
    same(ferry___floatuntidf(X), double(X));
    same(ferry___floatuntisf(X), float(X));
    same(ferry___floattidf(X), double(Wide(X)));
    same(ferry___floattisf(X), float(Wide(X)));
  }
  finish("wide integers to floating point");
  for (int I = 0; I != 1000000; ++I) {
    double X = double(Wide(randomWide())) / double(1 + random64() % 9);
    if (std::fabs(X) < 0x1p127) {
      same(ferry___fixdfti(X), Wide(X));
      same(ferry___fixunsdfti(std::fabs(X)), UWide(std::fabs(X)));
      same(ferry___fixsfti(float(X / 2)), Wide(float(X / 2)));
    }
  }
  finish("floating point to wide integers");
}

static void checkScaling() {
  for (int I = 0; I != 2000000; ++I) {
    uint64_t Pattern = random64();
    int Exponent = I % 7 ? int(random64() % 4800) - 2400 : int(random64());
    same(ferry_scalbn(bits<double>(Pattern), Exponent),
         std::scalbn(bits<double>(Pattern), Exponent));
    same(ferry_scalbnf(bits<float>(uint32_t(Pattern)), Exponent / 8),
         std::scalbn(bits<float>(uint32_t(Pattern)), Exponent / 8));
  }
  finish("scaling");
}

template <class F> static void forComplex(F Function) {
  static const double Values[] = {0, -0.0, 1,        -1,        2.5,
                                  3, -4,   INFINITY, -INFINITY, NAN};
  for (double A : Values)
    for (double B : Values)
      for (double C : Values)
        for (double D : Values)
          Function(A, B, C, D);
}

static void near(double A, double B) {
  if (!(std::fabs(A - B) <= 4e-15 * std::fabs(B)))
    same(A, B);
}

static void checkComplex() {
  forComplex([](double A, double B, double C, double D) {
    Complex X = ferry___muldc3(A, B, C, D), Y = __muldc3(A, B, C, D);
    same(X.Real, Y.Real);
    same(X.Imaginary, Y.Imaginary);
  });
  finish("complex multiplication");
  forComplex([](double A, double B, double C, double D) {
    Complex X = ferry___divdc3(A, B, C, D), Y = __divdc3(A, B, C, D);
    near(X.Real, Y.Real);
    near(X.Imaginary, Y.Imaginary);
  });
  finish("complex division");
}

static void checkMemory() {
  same(ferry_memcmp("abd", "abc", 3) > 0, true);
  same(ferry_memcmp("ab\xff", "abc", 3) > 0, true);
  same(ferry_memcmp("abc", "abd", 2), 0);
  same(ferry_bcmp("abc", "abd", 3) != 0, true);
  same(ferry_strlen("hello"), size_t(5));
  finish("memory");
}

int main() {
  checkConversions();
  checkScaling();
  checkComplex();
  checkMemory();
}
