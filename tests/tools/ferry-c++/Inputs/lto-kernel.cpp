#include <ferry/ferry.h>

void kernel(std::span<int> V) { V[ferry::global_id()] *= 2; }
