// A file like many: templates, exceptions, virtual functions, threads, iostreams,
// inline assembly, thread-locals, global constructors.
#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {
thread_local int Depth = 0;
std::atomic<long> Total{0};
std::map<std::string, int> Registry{{"one", 1}, {"two", 2}};

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
template <int N> struct Polygon : Shape {
  double Side;
  explicit Polygon(double S) : Side(S) {}
  double area() const override { return N * Side * Side / 4; }
};
} // namespace

double areas(int Count) {
  std::vector<std::unique_ptr<Shape>> All;
  for (int I = 0; I < Count; ++I)
    if (I % 2)
      All.push_back(std::make_unique<Polygon<3>>(I));
    else
      All.push_back(std::make_unique<Polygon<4>>(I));
  std::sort(All.begin(), All.end(), [](auto &A, auto &B) { return A->area() < B->area(); });
  double Sum = 0;
  for (auto &S : All)
    Sum += S->area();
  return Sum;
}

int parse(const std::string &Text) {
  ++Depth;
  try {
    std::istringstream In(Text);
    int V;
    if (!(In >> V))
      throw std::runtime_error("no number in " + Text);
    return V;
  } catch (const std::exception &E) {
    std::cerr << E.what() << "\n";
    return Registry[Text];
  }
}

unsigned long ticks() {
  unsigned Low, High;
  asm volatile("rdtsc" : "=a"(Low), "=d"(High));
  return static_cast<unsigned long>(High) << 32 | Low;
}

void inParallel(std::function<void(int)> F) {
  std::vector<std::thread> Threads;
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back([=] {
      F(I);
      Total += Depth;
    });
  for (auto &T : Threads)
    T.join();
}
