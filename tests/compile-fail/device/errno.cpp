// errno is a thread-local behind a call.
// RUN: %refused
#include <cerrno>
#include <ferry/ferry.h>

void setsErrno(std::span<int> V) {
  // CHECK: errno.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'setsErrno' cannot run on a device: {{.*}}errno
  errno = V[0];
}

int main() {
  int V[1] = {2};
  ferry::launch<setsErrno>(ferry::over(1), V);
}
