// Signal handlers look at what is on the device: through a global pointer and at a
// global, after raise, a signal from the system, and one sent by another thread.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <csignal>
#include <pthread.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

static int *Data, Fixed[N];
static volatile std::sig_atomic_t First, Last, Change;
static void handler(int) {
  First = Data[0] + Fixed[0];
  Last = Data[N - 1];
  if (Change)
    Data[0] = 7777;
}

static void raised() {
  std::vector<int> V(N);
  Data = V.data();
  std::signal(SIGUSR1, handler);
  for (int I = 0; I < 4; ++I) {
    Change = I % 2;
    ferry::launch<fill>(Whole, V, I);
    ferry::launch<fill>(Whole, Fixed, I);
    std::raise(SIGUSR1);
    CHECK(First == 2 * I && Last == I + N - 1);
    CHECK(deviceTotal(V) == filled(I) + (I % 2 ? 7777 - I : 0));
  }
  Change = 0;
}

static void timer() {
  std::vector<int> V(N);
  Data = V.data();
  std::signal(SIGALRM, handler);
  sigset_t Blocked, Before;
  sigemptyset(&Blocked), sigaddset(&Blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &Blocked, &Before);
  ferry::launch<fill>(Whole, V, 1);
  ferry::launch<add>(Whole, V, 1);
  itimerval Soon{{0, 0}, {0, 1000}};
  setitimer(ITIMER_REAL, &Soon, nullptr);
  sigsuspend(&Before);
  sigprocmask(SIG_SETMASK, &Before, nullptr);
  CHECK(Last == N + 1);
}

// The handler runs on the thread that launched; another one sends the signal, at a
// time that only the flag tells.
static void sentByThread() {
  static std::vector<int> V(N);
  Data = V.data();
  Last = -1;
  ferry::launch<fill>(Whole, V, 8);
  std::thread([Self = pthread_self()] { pthread_kill(Self, SIGUSR1); }).join();
  while (Last == -1)
    ;
  CHECK(Last == 8 + N - 1);
}

int main() {
  raised();
  timer();
  sentByThread();
}
