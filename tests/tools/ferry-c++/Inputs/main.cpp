#include <ferry/ferry.h>

#include <cstdio>
#include <vector>

extern "C" int answer();

void addAnswer(std::span<int> V, int A) { V[ferry::global_id()] += A; }

int main() {
  std::vector<int> V(100, 1);
  ferry::launch<addAnswer>(ferry::over(V.size()), V, answer());
  std::printf("%d %d\n", V[0], V[99]);
}
