// Kernels whose threads work together, as a front end hands them to the plugin.

#include <ferry/markers.h>
#include <string.h>

extern "C" int __ferry_launch(...);

using u32 = uint32_t;
using u64 = uint64_t;

struct Block {
  u32 *In, *Out;
  u64 N;
};

static Block unpack(const void *Raw) {
  Block B;
  memcpy(&B, Raw, sizeof(B));
  return B;
}

static const char A = 0, C = 0;
template <typename T> static T *shared(const char *Site, u64 Count) {
  return static_cast<T *>(
      __ferry_shared(Site, nullptr, Count * sizeof(T), alignof(T)));
}

static u32 thread() {
  return (__ferry_thread_idx(2) * __ferry_block_dim(1) +
          __ferry_thread_idx(1)) *
             __ferry_block_dim(0) +
         __ferry_thread_idx(0);
}
static u32 threads() {
  return __ferry_block_dim(0) * __ferry_block_dim(1) * __ferry_block_dim(2);
}
static u64 place() { return u64(__ferry_block_idx(0)) * threads() + thread(); }

// Sum of the block's values, to all of its threads.
static u32 sumOfBlock(u32 V, u32 *Room) {
  Room[thread()] = V;
  __ferry_sync_threads();
  for (u32 Half = threads() / 2; Half; Half /= 2) {
    if (thread() < Half)
      Room[thread()] += Room[thread() + Half];
    __ferry_sync_threads();
  }
  u32 Sum = Room[0];
  __ferry_sync_threads();
  return Sum;
}

static void reduce(const void *Raw) {
  Block B = unpack(Raw);
  u32 *Room = shared<u32>(&A, 1024);
  B.Out[place()] = sumOfBlock(B.In[place()], Room) +
                   2 * sumOfBlock(thread(), shared<u32>(&C, 1024));
}

// Threads past N leave before the barriers.
static void early(const void *Raw) {
  Block B = unpack(Raw);
  u32 *Room = shared<u32>(&A, 1024);
  Room[thread()] = 0;
  if (thread() >= B.N)
    return;
  Room[thread()] = B.In[place()];
  __ferry_sync_threads();
  u32 Next = Room[(thread() + 1) % B.N];
  __ferry_sync_threads();
  Room[thread()] = Next;
  __ferry_sync_threads();
  B.Out[place()] = Room[(thread() + 1) % B.N];
}

// What an optimizer may make of one barrier: copies, in a loop too.
static void copies(const void *Raw) {
  Block B = unpack(Raw);
  u32 *Room = shared<u32>(&A, 1024);
  u32 V = B.In[place()], W = 0;
  for (u32 I = 0; I < 3; ++I) {
    if (V % 2) {
      Room[thread()] = V * 3;
      W = V;
      __ferry_sync_threads();
      W += Room[(thread() + 1) % threads()];
    } else {
      Room[thread()] = V / 2;
      __ferry_sync_threads();
      W = Room[(thread() + threads() - 1) % threads()] - V;
    }
    if (W & 4) {
      V += W;
      __ferry_sync_threads();
    } else {
      __ferry_sync_threads();
      V ^= W;
    }
  }
  B.Out[place()] = V;
}

static void dynamic(const void *Raw) {
  Block B = unpack(Raw);
  auto *Room = static_cast<u32 *>(__ferry_dynamic_shared());
  u32 *Fixed = shared<u32>(&A, 1024);
  Fixed[thread()] = ~0u;
  Room[thread()] = B.In[place()];
  __ferry_sync_threads();
  B.Out[place()] = Room[threads() - 1 - thread()] + Fixed[0] +
                   u32(__ferry_dynamic_shared_bytes());
}

// 128 KB of static shared memory, with dynamic after it.
static void large(const void *Raw) {
  Block B = unpack(Raw);
  u32 *Front = shared<u32>(&A, 16384), *Back = shared<u32>(&C, 16384);
  auto *Room = static_cast<u32 *>(__ferry_dynamic_shared());
  Front[thread() * 16] = B.In[place()];
  Back[thread() * 16] = thread();
  Room[thread()] = 7;
  __ferry_sync_threads();
  u32 From = threads() - 1 - thread();
  B.Out[place()] = Front[From * 16] + Back[From * 16] * 1000 + Room[From];
}

static void warps(const void *Raw) {
  Block B = unpack(Raw);
  u32 V = B.In[place()], Lane = __ferry_warp_lane(), Size = __ferry_warp_size();
  // To all: threads of the last warp are fewer.
  u64 Odd = __ferry_warp_ballot(V & 1);
  u32 Next = __ferry_warp_shuffle(V, Lane + 1);
  u32 R = u32(Odd ^ Odd >> 32) + Next * 3;
  // Where the ways part: those who are here.
  if (Lane % 3 == 1) {
    u64 Here = __ferry_warp_ballot(1);
    R += u32(Here ^ Here >> 32) * 5 + __ferry_warp_shuffle(V, Lane / 3 * 3 + 1);
  }
  // And where they met again.
  for (u32 I = 0; I < Lane % 5; ++I)
    R += V >> I;
  u64 All = __ferry_warp_ballot(R & 2);
  R ^= u32(All ^ All >> 32);
  // Together by twos, by fours...
  for (u32 Distance = 1; Distance < Size; Distance *= 2)
    R += __ferry_warp_shuffle(R, Lane ^ Distance);
  B.Out[place()] = R;
}

// A loop that threads leave one after the other.
static void leaving(const void *Raw) {
  Block B = unpack(Raw);
  u32 R = 0;
  for (u32 I = 0; I < 1 + thread() * 7 % 5; ++I) {
    u64 Here = __ferry_warp_ballot(1);
    R = R * 3 + u32(Here ^ Here >> 32);
  }
  u64 All = __ferry_warp_ballot(R & 1);
  B.Out[place()] = R ^ u32(All ^ All >> 32);
}

#define LAUNCH(SHIM)                                                           \
  __ferry_launch(u64(FERRY_MARKER_VERSION), (void *)SHIM, #SHIM,               \
                 u64(sizeof(#SHIM) - 1), __FILE__, u64(sizeof(__FILE__) - 1),  \
                 u64(__LINE__), u64(1), u64(FERRY_BLOCKS), N, N, N, N, N, N,  \
                 N, u64(-1), u64(3), u64(0x71), In, N * 4,  \
                 u64(0x71), Out, N * 4, u64(0), &N, u64(8))

void launchAll(u32 *In, u32 *Out, u64 N) {
  LAUNCH(reduce);
  LAUNCH(early);
  LAUNCH(copies);
  LAUNCH(dynamic);
  LAUNCH(large);
  LAUNCH(warps);
  LAUNCH(leaving);
}
