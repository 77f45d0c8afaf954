// The network of planes in integers, bit-identical to planes/reference.py, which describes the packing: a warp
// evaluates one position.
//
// Lanes share the wide layer, two nodes per word, and have one narrow node each. The numbers stay in the GPU's global
// memory.

#pragma once

#include "networks/piece_counting.h"

namespace evo::planes {

// One warp's scratch: the columns of a position's pieces, the wide layer's nodes, two per word, and the narrow ones.
struct alignas(16) Scratch {
    u32 columns[32], nodes[NODE_WORDS];
    float narrow[32], partial[16];
};

DEVICE int low_short(u32 x) { return int(x << 16) >> 16; }
DEVICE int high_short(u32 x) { return int(x) >> 16; }
DEVICE u32 clipped(int x) { return u32(x < 0 ? 0 : x > ONE ? int(ONE) : x); }

// The network's part of a position's value; not inlined into the search, so that other players' code stays short.
NOINLINE float value_of(const float* packed, Scratch& scratch, u32 own, u32 opp, u32 kings) {
    const u32* numbers = (const u32*)packed + HEADER;
    const int words = int(packed[WIDTH]) / 2, count = popcount(own | opp);
    const u32 *second = numbers + SECOND * words, *biases = numbers + BIASES * words;
    const float* output = (const float*)biases + 32;
    warp_sync();
    FOR_LANES(lane) if ((own | opp) >> lane & 1) {
        int column = 1 + lane + 32 * int(opp >> lane & 1) + 64 * int(kings >> lane & 1);
        scratch.columns[popcount((own | opp) & below(lane))] = u32(column * words);
    }
    warp_sync();
    ROLLED for (int first = 0; first < words; first += 32) FOR_LANES(lane) if (first + lane < words) {
        u32 x = numbers[first + lane];
        int low = low_short(x), high = high_short(x);
        UNROLLED_BY(4) for (int piece = 0; piece < count; ++piece) {
            u32 more = numbers[scratch.columns[piece] + first + lane];
            low += low_short(more), high += high_short(more);
        }
        scratch.nodes[first + lane] = clipped(low) | clipped(high) << 16;
    }
    warp_sync();
    FOR_LANES(lane) {
        int total = int(biases[lane]);
        UNROLLED_BY(4) for (int pair = 0; pair < words; ++pair) {
            u32 x = scratch.nodes[pair], weight = second[32 * pair + lane];
            total += low_short(x) * low_short(weight) + high_short(x) * high_short(weight);
        }
        float node = float(total) * PLANES_UNIT;
        node = node > 0.0f ? node : 0.0f;
        scratch.narrow[lane] = node < 1.0f ? node : 1.0f;
    }
    warp_sync();
    FOR_LANES(lane) if (lane < 16) {
        float sum = fma(scratch.narrow[lane], output[lane], lane == 0 ? packed[OUTPUT_BIAS] : 0.0f);
        scratch.partial[lane] = fma(scratch.narrow[lane + 16], output[lane + 16], sum);
    }
    warp_sync();
    float sums[16];
    UNROLLED for (int i = 0; i < 16; ++i) sums[i] = scratch.partial[i];
    UNROLLED for (int half = 8; half > 0; half /= 2) UNROLLED for (int i = 0; i < half; ++i) sums[i] = sums[i] + sums[i + half];
    return sums[0];
}

struct Kind {
    enum : int { SHARED_NUMBERS = 0, TOGETHER = 1, IS_NETWORK = 1 };
    typedef planes::Scratch Scratch;

    static DEVICE bool plays(int kind) { return kind == KIND_PLANES; }
    static DEVICE float king_value(const float* numbers) { return numbers[KING_VALUE]; }
    static DEVICE void find_margins(int, const float* numbers, float* margins) {
        margins[0] = numbers[LEAST], margins[1] = numbers[MOST];
    }

    static DEVICE int evaluate(int, const float* numbers, Scratch& scratch, const PerLane<u32>& own, const PerLane<u32>& opp,
                               const PerLane<u32>& kings, int at, int, u64, PerLane<float>& values) {
        const u32 mine = at_lane(own, at), theirs = at_lane(opp, at), crowned = at_lane(kings, at);
        float value = value_of(numbers, scratch, mine, theirs, crowned);
        value = value + input_sum(numbers[KING_VALUE], mine, theirs, crowned);
        FOR_LANES(lane) if (lane == at) values[lane] = value;
        return 1;
    }
};

}  // namespace evo::planes
