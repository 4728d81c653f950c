#include <ferry/ferry.h>

#include <vector>

static void increment(std::span<int> V) { V[ferry::global_id()] += 1; }
void addOne(std::vector<int> &V) {
  ferry::launch<increment>(ferry::over(V.size()), V);
}
