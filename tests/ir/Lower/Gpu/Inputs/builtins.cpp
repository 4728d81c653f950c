// Calls the functions of Builtins.c, renamed to ferry_*, beside the host's.

#include <cctype>
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
size_t ferry_strlen(const char *), ferry_strnlen(const char *, size_t);
int ferry_strcmp(const char *, const char *);
int ferry_strncmp(const char *, const char *, size_t);
void *ferry_memchr(const void *, int, size_t);
char *ferry_strchr(const char *, int), *ferry_strrchr(const char *, int);
char *ferry_strcpy(char *, const char *), *ferry_strcat(char *, const char *);
char *ferry_strncpy(char *, const char *, size_t);
int ferry_isdigit(int), ferry_islower(int), ferry_isupper(int),
    ferry_isalpha(int), ferry_isalnum(int), ferry_isblank(int),
    ferry_isspace(int), ferry_iscntrl(int), ferry_isprint(int),
    ferry_isgraph(int), ferry_ispunct(int), ferry_isxdigit(int),
    ferry_tolower(int), ferry_toupper(int);
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

template <class T> static void same(T *A, T *B) { Differences += A != B; }

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

static int sign(int X) { return (X > 0) - (X < 0); }

static void checkStrings() {
  // Short strings of few letters, so that all meet their like.
  for (int I = 0; I != 200000; ++I) {
    char A[9] = {}, B[9] = {}, C[32], D[32];
    for (int J = 0; J != 8; ++J) {
      A[J] = "a\0b\xff"[random64() % 4];
      B[J] = "a\0b\xff"[random64() % 4];
    }
    size_t N = random64() % 9;
    int Wanted = static_cast<int>(random64() % 600) - 300;
    if (I % 2)
      Wanted = A[I % 8];
    same(sign(ferry_strcmp(A, B)), sign(std::strcmp(A, B)));
    same(sign(ferry_strncmp(A, B, N)), sign(std::strncmp(A, B, N)));
    same(ferry_memchr(A, Wanted, N), std::memchr(A, Wanted, N));
    same(ferry_strchr(A, Wanted), std::strchr(A, Wanted));
    same(ferry_strrchr(A, Wanted), std::strrchr(A, Wanted));
    same(ferry_strnlen(A, N), strnlen(A, N));
    std::memset(C, 7, sizeof(C));
    std::memset(D, 7, sizeof(D));
    same(ferry_strncpy(C, A, N), C);
    std::strncpy(D, A, N);
    ferry_strcpy(C + 9, A);
    std::strcpy(D + 9, A);
    ferry_strcat(C + 9, B);
    std::strcat(D + 9, B);
    same(std::memcmp(C, D, sizeof(C)), 0);
  }
  finish("strings");
}

static void checkCharacters() {
  for (int C = -1; C != 256; ++C) {
    same(ferry_isdigit(C) != 0, std::isdigit(C) != 0);
    same(ferry_islower(C) != 0, std::islower(C) != 0);
    same(ferry_isupper(C) != 0, std::isupper(C) != 0);
    same(ferry_isalpha(C) != 0, std::isalpha(C) != 0);
    same(ferry_isalnum(C) != 0, std::isalnum(C) != 0);
    same(ferry_isblank(C) != 0, std::isblank(C) != 0);
    same(ferry_isspace(C) != 0, std::isspace(C) != 0);
    same(ferry_iscntrl(C) != 0, std::iscntrl(C) != 0);
    same(ferry_isprint(C) != 0, std::isprint(C) != 0);
    same(ferry_isgraph(C) != 0, std::isgraph(C) != 0);
    same(ferry_ispunct(C) != 0, std::ispunct(C) != 0);
    same(ferry_isxdigit(C) != 0, std::isxdigit(C) != 0);
    same(ferry_tolower(C), std::tolower(C));
    same(ferry_toupper(C), std::toupper(C));
  }
  finish("characters");
}

int main() {
  checkConversions();
  checkScaling();
  checkComplex();
  checkMemory();
  checkStrings();
  checkCharacters();
}
