// The spatial network in single precision, bit-identical to spatial/vectors.py: a warp evaluates two positions at once.
//
// The packed layout suits a warp: in the second layer, lane 4 g + p holds the partial sums p of five nodes.

#pragma once

#include "networks/spatial/packed.h"

namespace evo::spatial {

// The number of positions evaluated at once.
enum : int { TOGETHER = 2 };

// One warp's scratch for these positions: their pieces as columns to add, the activations, and a layer's partial sums.
struct alignas(16) Scratch {
    float first[TOGETHER][COLUMN], second[TOGETHER][40], third[TOGETHER][12], partial[TOGETHER][160];
    u32 columns[TOGETHER][32];
    float values[TOGETHER][32];
};

// A network's numbers, all in shared memory.
enum : int { NUMBERS = TAIL + TAIL_SIZE };
DEVICE float king_value_of(const float* near) { return near[TAIL + KING_VALUE]; }
DEVICE const float* output_of(const float* near) { return near + TAIL + OUTPUT; }
DEVICE float output_bias_of(const float* near) { return near[TAIL + OUTPUT + 12]; }

DEVICE float tanh_of(float x) {
    x = x > -TANH_LIMIT ? x : -TANH_LIMIT;
    x = x < TANH_LIMIT ? x : TANH_LIMIT;
    float u = x * x;
    float p = fma(fma(fma(TANH_P3, u, TANH_P2), u, TANH_P1), u, TANH_P0);
    float q = fma(fma(fma(fma(TANH_Q4, u, TANH_Q3), u, TANH_Q2), u, TANH_Q1), u, TANH_Q0);
    return divide(x * p, q);
}

// List a position's pieces in the order in which their columns are added, padded with entries of zero weight.
DEVICE int list_columns(Scratch& scratch, int which, float king_value, u32 own, u32 opp, u32 kings) {
    u32 groups[4] = {own & ~kings, opp & ~kings, own & kings, opp & kings};
    int count = popcount(own | opp);
    FOR_LANES(lane) {
        u32 bit = 1u << lane;
        int place = 0;
        for (int i = 0; i < 4; ++i) {
            if (groups[i] & bit) {
                place += popcount(groups[i] & below(lane));
                float size = i < 2 ? 1.0f : king_value;
                scratch.columns[which][place] = lane * COLUMN;
                scratch.values[which][place] = i & 1 ? -size : size;
            }
            place += popcount(groups[i]);
        }
        if (lane >= count) scratch.columns[which][lane] = 0, scratch.values[which][lane] = 0.0f;
    }
    return count;
}

// Where the second layer reads a first-layer node: each of its four partial sums has its inputs side by side.
DEVICE int first_place(int node) { return (node & 3) * 24 + (node >> 2); }

DEVICE float sum_of(const float* partial) {
    Four four = *(const Four*)partial;
    return (four.at[0] + four.at[1]) + (four.at[2] + four.at[3]);
}

// The network's part of the value of two positions, those in the lanes `at` and `at + 1`.
DEVICE void evaluate_network(const float* columns, Scratch& scratch, const PerLane<u32>& own, const PerLane<u32>& opp,
                             const PerLane<u32>& kings, int at, PerLane<float>& values) {
    const float *second = columns + SECOND, *w = columns + TAIL;
    int most = 0;
    warp_sync();
    ROLLED for (int k = 0; k < TOGETHER; ++k) {
        int from = (at + k) & 31;
        int count = list_columns(scratch, k, w[KING_VALUE], at_lane(own, from), at_lane(opp, from), at_lane(kings, from));
        most = count > most ? count : most;
    }
    warp_sync();
    PerLane<float> sums[TOGETHER][5];
    UNROLLED for (int k = 0; k < TOGETHER; ++k)
        UNROLLED for (int i = 0; i < 3; ++i) FOR_LANES(lane) sums[k][i][lane] = columns[32 * COLUMN + 32 * i + lane];
    UNROLLED_BY(2) for (int piece = 0; piece < most; ++piece) UNROLLED for (int k = 0; k < TOGETHER; ++k) {
        const float* column = columns + scratch.columns[k][piece];
        float value = scratch.values[k][piece];
        UNROLLED for (int i = 0; i < 3; ++i)
            FOR_LANES(lane) sums[k][i][lane] = fma(value, column[32 * i + lane], sums[k][i][lane]);
    }
    UNROLLED for (int k = 0; k < TOGETHER; ++k)
        UNROLLED for (int i = 0; i < 3; ++i) FOR_LANES(lane) scratch.partial[k][32 * i + lane] = sums[k][i][lane];
    warp_sync();
    UNROLLED for (int i = 0; i < TOGETHER * COLUMN; i += 32) FOR_LANES(lane) {
        int k = i / COLUMN, node = i % COLUMN + lane;
        scratch.first[k][first_place(node)] = tanh_of(scratch.partial[k][node]);
    }
    warp_sync();
    UNROLLED for (int k = 0; k < TOGETHER; ++k)
        UNROLLED for (int r = 0; r < 5; ++r) FOR_LANES(lane) sums[k][r][lane] = w[SECOND_BIASES + 32 * r + lane];
    UNROLLED_BY(4) for (int s = 0; s < 23; ++s) {
        PerLane<float> x[TOGETHER];
        UNROLLED for (int k = 0; k < TOGETHER; ++k) FOR_LANES(lane) x[k][lane] = scratch.first[k][24 * (lane & 3) + s];
        UNROLLED for (int r = 0; r < 5; ++r) FOR_LANES(lane) {
            float weight = second[160 * s + 32 * r + lane];
            UNROLLED for (int k = 0; k < TOGETHER; ++k) sums[k][r][lane] = fma(x[k][lane], weight, sums[k][r][lane]);
        }
    }
    UNROLLED for (int k = 0; k < TOGETHER; ++k)
        UNROLLED for (int r = 0; r < 5; ++r) FOR_LANES(lane) scratch.partial[k][32 * r + lane] = sums[k][r][lane];
    warp_sync();
    UNROLLED for (int i = 0; i < TOGETHER * 40; i += 32) FOR_LANES(lane) if (i + lane < TOGETHER * 40) {
        int k = (i + lane) / 40, place = (i + lane) % 40;
        scratch.second[k][second_node(place / 4, place % 4)] = tanh_of(sum_of(scratch.partial[k] + 4 * place));
    }
    warp_sync();
    UNROLLED for (int k = 0; k < TOGETHER; ++k) FOR_LANES(lane) {
        sums[k][0][lane] = w[THIRD_BIASES + lane];
        sums[k][1][lane] = w[THIRD_BIASES + 32 + (lane & 15)];
    }
    UNROLLED_BY(5) for (int s = 0; s < 10; ++s) FOR_LANES(lane) {
        float low = w[THIRD + 48 * s + lane], high = w[THIRD + 48 * s + 32 + (lane & 15)];
        UNROLLED for (int k = 0; k < TOGETHER; ++k) {
            float x = scratch.second[k][4 * s + (lane & 3)];
            sums[k][0][lane] = fma(x, low, sums[k][0][lane]);
            sums[k][1][lane] = fma(x, high, sums[k][1][lane]);
        }
    }
    UNROLLED for (int k = 0; k < TOGETHER; ++k) FOR_LANES(lane) {
        scratch.partial[k][lane] = sums[k][0][lane];
        if (lane < 16) scratch.partial[k][32 + lane] = sums[k][1][lane];
    }
    warp_sync();
    FOR_LANES(lane) {
        int k = lane / 12, node = lane % 12;
        if (k < TOGETHER) scratch.third[k][node] = tanh_of(sum_of(scratch.partial[k] + 4 * node));
    }
    warp_sync();
    PerLane<float> result;
    FOR_LANES(lane) {
        const float* third = scratch.third[lane & 1];
        float p[4] = {w[OUTPUT + 12], w[OUTPUT + 13], w[OUTPUT + 14], w[OUTPUT + 15]};
        UNROLLED for (int i = 0; i < 12; ++i) p[i & 3] = fma(third[i], w[OUTPUT + i], p[i & 3]);
        result[lane] = (p[0] + p[1]) + (p[2] + p[3]);
    }
    UNROLLED for (int k = 0; k < TOGETHER; ++k) {
        float value = at_lane(result, k);
        FOR_LANES(lane) if (lane == at + k) values[lane] = value;
    }
}

}  // namespace evo::spatial
