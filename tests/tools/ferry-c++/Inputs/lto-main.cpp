#include <ferry/ferry.h>

#include <cstdio>
#include <vector>

void kernel(std::span<int> V);

int main() {
  std::vector<int> V(100, 21);
  ferry::launch<kernel>(ferry::over(V.size()), V);
  std::printf("%d %d\n", V[0], V[99]);
}
