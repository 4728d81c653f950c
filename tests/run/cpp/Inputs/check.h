// What the programs of this folder share: a check that names its line.
#ifndef CHECK_H
#define CHECK_H
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ferry/ferry.h>
#include <span>
#include <vector>

#define CHECK(...)                                                             \
  do {                                                                         \
    if (!(__VA_ARGS__)) {                                                      \
      std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", __FILE__, __LINE__,    \
                   #__VA_ARGS__);                                              \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

/// All bytes are the same, NaNs and negative zeros too.
template <class T> bool sameBits(const T &A, const T &B) {
  return std::memcmp(&A, &B, sizeof(T)) == 0;
}
#endif
