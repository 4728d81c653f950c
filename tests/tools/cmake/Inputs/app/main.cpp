#include <ferry/ferry.h>

#include <cstdio>
#include <vector>

extern "C" int plain(void);
void addOne(std::vector<int> &V);
void twice(std::span<int> V) { V[ferry::global_id()] *= 2; }

int main() {
  std::vector<int> V(100, plain());
  ferry::launch<twice>(ferry::over(V.size()), V);
  addOne(V);
  std::printf("%s: %d %d\n", ferry::device_name(ferry::current_device()).c_str(),
              V[0], V[99]);
}
