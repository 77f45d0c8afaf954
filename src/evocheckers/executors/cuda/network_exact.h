// The spatial network in single precision, with the bits of evaluation/: two positions at once, a warp for both.
//
// The packed layout suits a warp: in the second layer lane 4 g + p holds the partial sums p of five nodes. The second layer's
// weights stay in registers, the others in shared memory.

#pragma once

#include "packed.h"

namespace evo {

// How many positions the network takes at once.
enum : int { TOGETHER = 2 };

struct alignas(16) Four {
    float at[4];
};

// One warp's room for two positions: their pieces as columns to add, and the activations.
struct alignas(16) Scratch {
    float first[TOGETHER][COLUMN], second[TOGETHER][40], third[TOGETHER][12];
    u32 columns[TOGETHER][32];
    float values[TOGETHER][32];
};

// The network as one warp searches with it.
struct Network {
    const float* near;
    PerLane<float> second[115];
    DEVICE float king_value() const { return near[COLUMNS + KING_VALUE]; }
};

// What lies in shared memory: the columns and the tail.
enum : int { NEAR = COLUMNS + TAIL_SIZE };
DEVICE float near_number(const float* weights, int i) { return weights[i < COLUMNS ? i : i - COLUMNS + TAIL]; }

DEVICE void load_network(Network& e, const float* weights, const float* near) {
    e.near = near;
    UNROLLED for (int i = 0; i < 115; ++i) FOR_LANES(lane) e.second[i][lane] = weights[SECOND + 32 * i + lane];
}

// The node whose sum is in accumulator r of a lane.
DEVICE int sum_node(int r, int lane) { return second_node(2 * r + (lane >> 4), (lane >> 2) & 3); }

DEVICE float tanh_of(float x) {
    x = x > -8.5f ? x : -8.5f;
    x = x < 8.5f ? x : 8.5f;
    float u = x * x;
    float p = fma(fma(fma(1.079586232e-05f, u, 2.889941159e-03f), u, 1.286754588e-01f), u, 9.999989537e-01f);
    float q = fma(fma(fma(fma(2.262295185e-07f, u, 2.301997068e-04f), u, 2.356218008e-02f), u, 4.620050779e-01f), u, 1.0f);
    return divide(x * p, q);
}

// List a position's pieces in the order in which their columns are added, and nothing with no weight behind them.
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

// The network's part of the value of two positions, those in the lanes `at` and `at + 1`.
DEVICE void evaluate_network(const Network& e, Scratch& scratch, const PerLane<u32>& own, const PerLane<u32>& opp,
                             const PerLane<u32>& kings, int at, PerLane<float>& values) {
    const float *columns = e.near, *w = e.near + COLUMNS;
    int most = 0;
    warp_sync();
    for (int k = 0; k < TOGETHER; ++k) {
        int from = (at + k) & 31;
        int count = list_columns(scratch, k, w[KING_VALUE], at_lane(own, from), at_lane(opp, from), at_lane(kings, from));
        most = count > most ? count : most;
    }
    warp_sync();
    PerLane<float> sums[TOGETHER][5];
    for (int k = 0; k < TOGETHER; ++k)
        for (int i = 0; i < 3; ++i) FOR_LANES(lane) sums[k][i][lane] = columns[32 * COLUMN + 32 * i + lane];
    for (int next = 0; next < most; next += 4) UNROLLED for (int piece = next; piece < next + 4; ++piece)
        for (int k = 0; k < TOGETHER; ++k) {
            const float* column = columns + scratch.columns[k][piece];
            float value = scratch.values[k][piece];
            for (int i = 0; i < 3; ++i) FOR_LANES(lane) sums[k][i][lane] = fma(value, column[32 * i + lane], sums[k][i][lane]);
        }
    for (int k = 0; k < TOGETHER; ++k)
        for (int i = 0; i < 3; ++i)
            FOR_LANES(lane) scratch.first[k][first_place(32 * i + lane)] = tanh_of(sums[k][i][lane]);
    warp_sync();
    for (int k = 0; k < TOGETHER; ++k)
        for (int r = 0; r < 5; ++r) FOR_LANES(lane) sums[k][r][lane] = w[SECOND_BIASES + 32 * r + lane];
    UNROLLED for (int s = 0; s < 24; s += 4) for (int k = 0; k < TOGETHER; ++k) {
        PerLane<Four> x;
        FOR_LANES(lane) x[lane] = *(const Four*)(scratch.first[k] + 24 * (lane & 3) + s);
        for (int i = s; i < s + 4 && i < 23; ++i)
            for (int r = 0; r < 5; ++r)
                FOR_LANES(lane) sums[k][r][lane] = fma(x[lane].at[i - s], e.second[5 * i + r][lane], sums[k][r][lane]);
    }
    for (int k = 0; k < TOGETHER; ++k)
        for (int r = 0; r < 5; ++r) {
            add_across(sums[k][r], 1);
            add_across(sums[k][r], 2);
        }
    FOR_LANES(lane) {
        int p = lane & 3;
        for (int k = 0; k < TOGETHER; ++k) {
            PerLane<float>* sum = sums[k];
            float mine = p == 0 ? sum[0][lane] : p == 1 ? sum[1][lane] : p == 2 ? sum[2][lane] : sum[3][lane];
            scratch.second[k][sum_node(p, lane)] = tanh_of(mine);
        }
        float last = tanh_of(p == 0 ? sums[0][4][lane] : sums[1][4][lane]);
        if (p < TOGETHER) scratch.second[p][sum_node(4, lane)] = last;
    }
    warp_sync();
    PerLane<float> low[TOGETHER], high[TOGETHER];
    for (int k = 0; k < TOGETHER; ++k) FOR_LANES(lane) {
        low[k][lane] = w[THIRD_BIASES + lane];
        high[k][lane] = w[THIRD_BIASES + 32 + (lane & 15)];
    }
    UNROLLED for (int s = 0; s < 10; ++s) for (int k = 0; k < TOGETHER; ++k) FOR_LANES(lane) {
        float x = scratch.second[k][4 * s + (lane & 3)];
        low[k][lane] = fma(x, w[THIRD + 48 * s + lane], low[k][lane]);
        high[k][lane] = fma(x, w[THIRD + 48 * s + 32 + (lane & 15)], high[k][lane]);
    }
    for (int k = 0; k < TOGETHER; ++k) {
        add_across(low[k], 1);
        add_across(low[k], 2);
        add_across(high[k], 1);
        add_across(high[k], 2);
    }
    FOR_LANES(lane) {
        int k = lane & 1, is_high = lane & 2;
        float mine = tanh_of(is_high ? (k ? high[1][lane] : high[0][lane]) : (k ? low[1][lane] : low[0][lane]));
        if (!is_high) scratch.third[k][lane >> 2] = mine;
        else if (lane < 16) scratch.third[k][8 + (lane >> 2)] = mine;
    }
    warp_sync();
    PerLane<float> result;
    FOR_LANES(lane) {
        const float* third = scratch.third[lane & 1];
        float p[4] = {w[OUTPUT + 12], w[OUTPUT + 13], w[OUTPUT + 14], w[OUTPUT + 15]};
        for (int i = 0; i < 12; ++i) p[i & 3] = fma(third[i], w[OUTPUT + i], p[i & 3]);
        result[lane] = (p[0] + p[1]) + (p[2] + p[3]);
    }
    for (int k = 0; k < TOGETHER; ++k) {
        float value = at_lane(result, k);
        FOR_LANES(lane) if (lane == at + k) values[lane] = value;
    }
}

}  // namespace evo
