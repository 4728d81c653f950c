// The other translation unit. Compiled without looking at what calls it.
#include "kept.h"

long totalOf(const int *P, std::size_t Count) { return std::accumulate(P, P + Count, 0l); }
void fillFrom(int *P, std::size_t Count, int A) { std::iota(P, P + Count, A); }
long totalOfVector(const std::vector<int> &V) { return totalOf(V.data(), V.size()); }

static int *Kept;
static std::size_t KeptCount;
void keep(int *P, std::size_t Count) { Kept = P, KeptCount = Count; }
long totalOfKept() { return totalOf(Kept, KeptCount); }
void fillKept(int A) { fillFrom(Kept, KeptCount, A); }
int *kept() { return Kept; }

static std::uintptr_t Number;
void keepNumber(std::uintptr_t N) { Number = N; }
std::uintptr_t keptNumber() { return Number; }

void call(void (*F)(void *), void *Data) { F(Data); }
void throwIf(bool Wanted, int What) {
  if (Wanted)
    throw What;
}

namespace {
struct Total : Visitor {
  long visit(int *P, std::size_t Count) override { return totalOf(P, Count); }
};
struct Fill : Visitor {
  long visit(int *P, std::size_t Count) override { return fillFrom(P, Count, 5), 0; }
};
} // namespace
Visitor &totalVisitor() {
  static Total V;
  return V;
}
Visitor &fillVisitor() {
  static Fill V;
  return V;
}
static volatile bool Yes = true;
bool yes() { return Yes; }
bool no() { return !Yes; }
