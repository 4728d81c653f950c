// Prints what became of a launch.
#ifndef SHOW_H
#define SHOW_H
#include "check.h"

inline void show(const ferry::status &S) {
  std::printf("%d %s\n", static_cast<int>(S.code()), S ? "fine" : S.message().c_str());
}
#endif
