// A warp of 32 lanes, written so that the same source is CUDA for a GPU and plain C++ for a CPU.
//
// Code outside FOR_LANES is the same in all lanes: on a GPU every lane computes it, on a CPU it is computed once.
// Inside FOR_LANES(lane) each lane does its own part; a lane's data that outlives such a loop is a PerLane, which all
// lanes can read by `at_lane` and `ballot`. Data shared by several warps is read by one lane and passed to the others
// (`shared_load`), so that all lanes see the same value.
//
// Code that does not fit into a multiprocessor's instruction cache runs several times slower: long code occurs only
// once, in a loop that is not unrolled.

#pragma once

#ifdef __CUDACC__
#define DEVICE __device__ __forceinline__
#define FOR_LANES(lane) for (int lane = threadIdx.x & 31, lane##_once = 1; lane##_once; lane##_once = 0)
#define NOINLINE __device__ __noinline__
#define UNROLLED _Pragma("unroll")
#define PRAGMA(text) _Pragma(#text)
#define UNROLLED_BY(n) PRAGMA(unroll n)
#define ROLLED _Pragma("unroll 1")
#else
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#define DEVICE inline
#define FOR_LANES(lane) for (int lane = 0; lane < 32; ++lane)
#define NOINLINE inline
#define UNROLLED
#define UNROLLED_BY(n)
#define ROLLED
#endif

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

namespace evo {

struct alignas(16) Four {
    float at[4];
};

template <class T> struct PerLane {
#ifdef __CUDACC__
    T value;
    DEVICE T& operator[](int) { return value; }
    DEVICE const T& operator[](int) const { return value; }
#else
    T values[32];
    T& operator[](int lane) { return values[lane]; }
    const T& operator[](int lane) const { return values[lane]; }
#endif
};

#ifdef __CUDACC__

DEVICE void warp_sync() { __syncwarp(); }
DEVICE bool first_lane() { return (threadIdx.x & 31) == 0; }
DEVICE void block_sync() { __syncthreads(); }
DEVICE int warp_index() { return threadIdx.x >> 5; }
DEVICE int warp_count() { return blockDim.x >> 5; }

DEVICE int popcount(u32 x) { return __popc(x); }
DEVICE int lowest_bit(u32 x) { return __ffs(x) - 1; }
DEVICE u32 reversed(u32 x) { return __brev(x); }
DEVICE float fma(float x, float y, float z) { return __fmaf_rn(x, y, z); }
DEVICE float divide(float x, float y) { return __fdiv_rn(x, y); }
DEVICE u32 bits_of(float x) { return __float_as_uint(x); }
DEVICE float float_of(u32 x) { return __uint_as_float(x); }

// Add the value of the lane whose index differs in one bit.
DEVICE void add_across(PerLane<float>& x, int bit) { x.value = x.value + __shfl_xor_sync(0xFFFFFFFFu, x.value, bit); }

template <class T> DEVICE T at_lane(const PerLane<T>& x, int lane) { return __shfl_sync(0xFFFFFFFFu, x.value, lane); }
DEVICE u32 ballot(const PerLane<bool>& x) { return __ballot_sync(0xFFFFFFFFu, x.value); }

DEVICE u32 greatest(const PerLane<u32>& x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(0xFFFFFFFFu, x.value);
#else
    u32 most = x.value;
    for (int bit = 1; bit < 32; bit *= 2) most = max(most, __shfl_xor_sync(0xFFFFFFFFu, most, bit));
    return most;
#endif
}

DEVICE u32 handed_out(u32 x) { return __shfl_sync(0xFFFFFFFFu, x, 0); }
DEVICE u32 shared_load(const u32* place) {
    u32 x = 0;
    if (first_lane()) x = *(volatile const u32*)place;
    return handed_out(x);
}
DEVICE u64 shared_load(const u64* place) {
    u64 x = 0;
    if (first_lane()) x = *(volatile const u64*)place;
    return __shfl_sync(0xFFFFFFFFu, x, 0);
}
DEVICE u32 fetch_add(u32* place, u32 amount) {
    u32 x = 0;
    if (first_lane()) x = atomicAdd(place, amount);
    return handed_out(x);
}
DEVICE u32 peek(const u32* place) { return *(volatile const u32*)place; }
DEVICE void poke(u32* place, u32 x) {
    if (first_lane()) *(volatile u32*)place = x;
    __syncwarp();
}
DEVICE u32 exchange(u32* place, u32 x) {
    u32 old = 0;
    if (first_lane()) old = atomicExch(place, x);
    return handed_out(old);
}
DEVICE void atomic_add(u32* place, u32 x) { atomicAdd(place, x); }
DEVICE void atomic_max(u32* place, u32 x) { atomicMax(place, x); }
DEVICE void atomic_max(u64* place, u64 x) { atomicMax(place, x); }
DEVICE void atomic_min(u64* place, u64 x) { atomicMin(place, x); }
DEVICE void atomic_or(u64* place, u64 x) { atomicOr(place, x); }
DEVICE void memory_fence() { __threadfence_block(); }
DEVICE void pause() { __nanosleep(100); }

#else

inline void pause() { std::this_thread::sleep_for(std::chrono::microseconds(5)); }

// On a CPU a thread is a warp, and several threads are a block.
struct Block {
    const int warps;
    std::atomic<int> waiting{0}, round{0};
    explicit Block(int count) : warps(count) {}
    void sync() {
        int now = round;
        if (++waiting == warps) {
            waiting = 0;
            ++round;
        } else {
            while (round == now) pause();
        }
    }
};
struct Place {
    Block* block;
    int warp;
};
inline thread_local Place here = {nullptr, 0};

inline void warp_sync() {}
inline bool first_lane() { return true; }
inline void block_sync() { here.block->sync(); }
inline int warp_index() { return here.warp; }
inline int warp_count() { return here.block->warps; }

inline int popcount(u32 x) { return __builtin_popcount(x); }
inline int lowest_bit(u32 x) { return __builtin_ctz(x); }
inline u32 reversed(u32 x) {
    x = __builtin_bswap32(x);
    x = ((x >> 4) & 0x0F0F0F0Fu) | ((x & 0x0F0F0F0Fu) << 4);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    return ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
}
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline float divide(float x, float y) { return x / y; }
inline u32 bits_of(float x) {
    u32 bits;
    std::memcpy(&bits, &x, 4);
    return bits;
}
inline float float_of(u32 bits) {
    float x;
    std::memcpy(&x, &bits, 4);
    return x;
}

inline void add_across(PerLane<float>& x, int bit) {
    PerLane<float> sum;
    FOR_LANES(lane) sum[lane] = x[lane] + x[lane ^ bit];
    x = sum;
}

template <class T> inline T at_lane(const PerLane<T>& x, int lane) { return x.values[lane]; }
inline u32 ballot(const PerLane<bool>& x) {
    u32 mask = 0;
    FOR_LANES(lane) mask |= u32(x.values[lane]) << lane;
    return mask;
}
inline u32 greatest(const PerLane<u32>& x) {
    u32 most = 0;
    FOR_LANES(lane) if (x.values[lane] > most) most = x.values[lane];
    return most;
}

inline u32 handed_out(u32 x) { return x; }
template <class T> inline T shared_load(const T* place) { return __atomic_load_n(place, __ATOMIC_SEQ_CST); }
inline u32 peek(const u32* place) { return shared_load(place); }
inline void poke(u32* place, u32 x) { __atomic_store_n(place, x, __ATOMIC_SEQ_CST); }
inline u32 exchange(u32* place, u32 x) { return __atomic_exchange_n(place, x, __ATOMIC_SEQ_CST); }
inline u32 fetch_add(u32* place, u32 amount) { return __atomic_fetch_add(place, amount, __ATOMIC_SEQ_CST); }
template <class T> inline void replace(T* place, T x, bool (*better)(T, T)) {
    T old = shared_load(place);
    while (better(x, old) && !__atomic_compare_exchange_n(place, &old, x, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
}
template <class T> inline void atomic_max(T* place, T x) { replace<T>(place, x, [](T a, T b) { return a > b; }); }
template <class T> inline void atomic_min(T* place, T x) { replace<T>(place, x, [](T a, T b) { return a < b; }); }
inline void atomic_add(u32* place, u32 x) { fetch_add(place, x); }
inline void atomic_or(u64* place, u64 x) { __atomic_fetch_or(place, x, __ATOMIC_SEQ_CST); }
inline void memory_fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif

// The lanes below a lane, as a mask.
DEVICE u32 below(int lane) { return (1u << lane) - 1; }

// Floats as integers in the same order, for atomic minima and maxima. Both zeros are equal.
DEVICE u32 ordered(float x) {
    u32 bits = bits_of(x + 0.0f);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
DEVICE float unordered(u32 x) { return float_of(x & 0x80000000u ? x & 0x7FFFFFFFu : ~x); }

// CuPy's compiler treats numbers closer to zero than this as zero.
#define SMALLEST 1.17549435e-38f

DEVICE float size_of(float x) { return x < 0.0f ? -x : x; }

// The next smaller number, skipping those treated as zero.
DEVICE float just_below(float x) {
    if (x == 0.0f) return -SMALLEST;
    if (x == SMALLEST) return 0.0f;
    u32 bits = bits_of(x);
    return float_of(x > 0.0f ? bits - 1 : bits + 1);
}

DEVICE u64 mix(u64 a, u64 b) {
    u64 h = (a ^ (b * 0x9E3779B97F4A7C15ull)) + 0x9E3779B97F4A7C15ull;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
    return h ^ (h >> 31);
}

}  // namespace evo
