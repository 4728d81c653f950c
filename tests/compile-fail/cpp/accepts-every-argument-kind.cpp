// Every kind of kernel and argument that compiles, as opposed to the tests
// beside this one.
//
// RUN: %accepted

#include <ferry/ferry.h>

#include <array>
#include <complex>
#include <memory>
#include <string>
#include <vector>

enum Unscoped { Zero, One };
enum class Scoped : short { A, B };
struct Inner { char C; double D; };
struct Padded { bool B; Inner I[2]; short S; };
struct Large { float V[1 << 18]; };
struct Empty {};
class Private {
  int Value = 0;

public:
  explicit Private(int V) : Value(V) {}
  Private() = delete;
};

// Kernels: a function, noexcept, an instance of a template, a static member, in
// a namespace, a captureless lambda as value and as variable, no parameters.
void nothing() {}
void scalars(signed char, short, int, long, long long, __int128, unsigned char,
             unsigned short, unsigned, unsigned long, unsigned long long,
             unsigned __int128, bool, char, wchar_t, char8_t, char16_t, char32_t,
             _Float16, float, double, Unscoped, Scoped, Padded) noexcept {}
template <class T, std::size_t N> void fixed(std::span<T, N>) {}
struct Owner { static void member(std::span<const Padded>) {} };
namespace inside { template <class T> void blur(std::span<T>) {} }
constexpr auto Lambda = [](std::span<int> v) { v[0] = 1; };

void kernels(ferry::over_shape n, std::vector<int> &v, std::array<int, 3> &a) {
  ferry::launch<nothing>(n);
  ferry::launch<fixed<int, 3>>(n, a);
  ferry::launch<Owner::member>(n, std::vector<Padded>(3));
  ferry::launch<inside::blur<int>>(n, v);
  ferry::launch<&inside::blur<int>>(n, v);
  ferry::launch<Lambda>(n, v);
  ferry::launch<[](std::span<int> w) { w[0] = 1; }>(n, v);
  if (ferry::status s = ferry::try_launch<Lambda>(n, v); !s)
    (void)s.message();
}

// Numbers: the same type, lossless widening, constants that fit.
void sizes(std::size_t, unsigned char, short, unsigned) {}
void wide(long, double, float, int, unsigned __int128) {}
void numbers(ferry::over_shape n, bool b, short s, unsigned u, _Float16 h) {
  ferry::launch<scalars>(n, static_cast<signed char>(1), static_cast<short>(2), 3, 4l,
                         5ll, __int128(6), static_cast<unsigned char>(7),
                         static_cast<unsigned short>(8), 9u, 10ul, 11ull,
                         static_cast<unsigned __int128>(12), b, 'c', L'x', u8'x',
                         u'y', U'z', h, 1.f, 1.0, One, Scoped::B, Padded());
  ferry::launch<scalars>(n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, b, 'c', 65, u8'x',
                         u'y', U'z', h, h, 1.f, Zero, Scoped::A, Padded());
  const int Seven = 7;
  ferry::launch<sizes>(n, 8, 255, -3, Seven);
  ferry::launch<sizes>(n, u, b, s, 0);
  ferry::launch<wide>(n, s, 1.f, s, Zero, u);
}

// Classes and arrays by value; an array as std::array.
void values(Empty, std::complex<float>, Private, std::array<int, 4>) {}
void classes(ferry::over_shape n, std::array<int, 4> a) {
  int c[4] = {};
  ferry::launch<values>(n, Empty(), std::complex<float>(1, 2), Private(1), a);
  ferry::launch<values>(n, Empty(), 1.f, Private(1), c);
}

// References: variables, and to const also temporaries and wider numbers.
void references(const Large &, int &, const double &, std::array<int, 3> &,
                const int (&)[4], const std::span<const int> &) {}
void variables(ferry::over_shape n, Large &large, int &x, std::array<int, 3> &a,
               const int (&c)[4], std::vector<int> &v) {
  double d = 1;
  ferry::launch<references>(n, large, x, d, a, c, v);
  ferry::launch<references>(n, large, x, 2.0, a, c, std::span(v));
  ferry::launch<references>(n, large, x, 2.f, a, c, a);
}

// Arrays: containers, spans, C arrays; in, out and inout of each.
void pointers(const float *, float *, float *__restrict) {}
void extents(std::span<const int, 4>, std::span<int, 3>, std::span<const int>) {}
void letters(std::span<const char>) {}
void arrays(ferry::over_shape n, std::vector<int> &v, std::array<int, 3> &a,
            const std::vector<int> &constant, std::unique_ptr<float[]> &p) {
  float f[10];
  int c[4] = {};
  ferry::launch<pointers>(n, ferry::in(f, 10), ferry::out(f), ferry::inout(p.get(), 3));
  ferry::launch<pointers>(n, ferry::inout(f), ferry::out(f + 1, 2), ferry::inout(f));
  ferry::launch<extents>(n, c, a, constant);
  ferry::launch<extents>(n, constant, v, std::vector<int>(3));
  ferry::launch<extents>(n, ferry::in(v), ferry::out(v), ferry::in(constant));
  ferry::launch<extents>(n, std::array{1, 2, 3, 4}, std::span(v).first<3>(), c);
  ferry::launch<letters>(n, "abc");
  ferry::launch<letters>(n, std::string("abc"));
  ferry::launch<letters>(n, std::string_view("abc"));
}

// Shapes: up to three dimensions, signed counts, a device, shared memory.
void shapes(int nx, long ny, std::size_t nz) {
  ferry::launch<nothing>(ferry::over(nx, ny, nz).device(0));
  ferry::launch<nothing>(ferry::blocks(nx, ny).threads(32, 4).shared(64).device(1));
  ferry::launch<nothing>(ferry::blocks(nx, ny, nz).threads(8, 8, 8));
}

// Lambdas with captured values, mutable ones, another integer as index.
void lambdas(ferry::over_shape n, std::vector<int> &v, float f) {
  int table[4] = {};
  ferry::parallel_for(
      n, [=](std::size_t i, std::span<int> w, unsigned k) mutable {
        f += table[i % 4] + k;
        w[i] = static_cast<int>(f);
      },
      v, 3);
  ferry::parallel_for(ferry::over(2, 3), [](int) {});
}
