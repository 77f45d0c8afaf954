// What a position is worth: the spatial network of 5046 numbers and piece differential, with the bits of evaluation/.
//
// The network's numbers come packed as evaluation/spatial_vectors.py packs them. That layout suits a warp as well: in the
// second layer lane 4 g + p holds the partial sums p of five nodes, and its weights lie side by side.

#pragma once

#include "rules.h"

namespace evo {

// Places in the packed numbers: columns, second-layer weights, and the tail behind them.
enum : int { COLUMN = 96, COLUMNS = 33 * COLUMN, SECOND = COLUMNS, TAIL = SECOND + 23 * 160 };
// Places in the tail.
enum : int {
    SECOND_BIASES = 0,
    THIRD = 160,
    THIRD_BIASES = THIRD + 10 * 48,
    OUTPUT = THIRD_BIASES + 48,
    KING_VALUE = OUTPUT + 16,
    TAIL_SIZE = KING_VALUE + 16,
};
enum : int { KIND_SPATIAL = 0, KIND_MATERIAL = 4 };
enum : int { FIXED_BIT = 1, MOVER_BIT = 2 };
#define EVALUATION_LIMIT 100000.0f

// One warp's room for a network's activations.
struct Scratch {
    float first[COLUMN], second[40], third[12];
};

// A player as one warp searches for it: the second layer's weights stay in registers.
struct Evaluator {
    int kind, flags;
    const float *columns, *tail;
    PerLane<float> second[115];
};

// `weights` are the packed numbers; `columns` and `tail` the same, or copies nearer by.
DEVICE void load_evaluator(Evaluator& e, int kind, int flags, const float* weights, const float* columns, const float* tail) {
    e.kind = kind;
    e.flags = flags;
    e.columns = columns;
    e.tail = tail;
    if (kind != KIND_SPATIAL) return;
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int i = 0; i < 115; ++i) FOR_LANES(lane) e.second[i][lane] = weights[SECOND + 32 * i + lane];
}

DEVICE float tanh_of(float x) {
    x = x > -8.5f ? x : -8.5f;
    x = x < 8.5f ? x : 8.5f;
    float u = x * x;
    float p = fma(fma(fma(1.079586232e-05f, u, 2.889941159e-03f), u, 1.286754588e-01f), u, 9.999989537e-01f);
    float q = fma(fma(fma(fma(2.262295185e-07f, u, 2.301997068e-04f), u, 2.356218008e-02f), u, 4.620050779e-01f), u, 1.0f);
    return divide(x * p, q);
}

DEVICE float input_sum(float king_value, u32 own, u32 opp, u32 kings) {
    int men = popcount(own & ~kings) - popcount(opp & ~kings);
    int crowned = popcount(own & kings) - popcount(opp & kings);
    return fma(king_value, float(crowned), float(men));
}

DEVICE void add_columns(PerLane<float>* sums, const float* weights, u32 squares, float value) {
    for (; squares; squares &= squares - 1) {
        const float* column = weights + lowest_bit(squares) * COLUMN;
        for (int i = 0; i < 3; ++i) FOR_LANES(lane) sums[i][lane] = fma(value, column[32 * i + lane], sums[i][lane]);
    }
}

// The node whose sum the lanes 4 g .. 4 g + 3 hold in accumulator r of the second layer.
DEVICE int second_node(int r, int lane) {
    int vector = 2 * r + (lane >> 4), group = (lane >> 2) & 3;
    return vector < 8 ? 16 * (vector / 4) + 4 * group + vector % 4 : 32 + 2 * group + vector - 8;
}

DEVICE float evaluate_spatial(Evaluator& e, Scratch& scratch, u32 own, u32 opp, u32 kings) {
    const float *columns = e.columns, *w = e.tail;
    float king_value = w[KING_VALUE];
    PerLane<float> sums[5];
    for (int i = 0; i < 3; ++i) FOR_LANES(lane) sums[i][lane] = columns[32 * COLUMN + 32 * i + lane];
    add_columns(sums, columns, own & ~kings, 1.0f);
    add_columns(sums, columns, opp & ~kings, -1.0f);
    add_columns(sums, columns, own & kings, king_value);
    add_columns(sums, columns, opp & kings, -king_value);
    warp_sync();
    for (int i = 0; i < 3; ++i) FOR_LANES(lane) scratch.first[32 * i + lane] = tanh_of(sums[i][lane]);
    warp_sync();
    for (int r = 0; r < 5; ++r) FOR_LANES(lane) sums[r][lane] = w[SECOND_BIASES + 32 * r + lane];
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int s = 0; s < 23; ++s) {
        PerLane<float> x;
        FOR_LANES(lane) x[lane] = scratch.first[4 * s + (lane & 3)];
        for (int r = 0; r < 5; ++r) FOR_LANES(lane) sums[r][lane] = fma(x[lane], e.second[5 * s + r][lane], sums[r][lane]);
    }
    for (int r = 0; r < 5; ++r) {
        add_across(sums[r], 1);
        add_across(sums[r], 2);
    }
    FOR_LANES(lane) {
        int p = lane & 3;
        float mine = p == 0 ? sums[0][lane] : p == 1 ? sums[1][lane] : p == 2 ? sums[2][lane] : sums[3][lane];
        scratch.second[second_node(p, lane)] = tanh_of(mine);
        if (p == 0) scratch.second[second_node(4, lane)] = tanh_of(sums[4][lane]);
    }
    warp_sync();
    PerLane<float> low, high;
    FOR_LANES(lane) {
        low[lane] = w[THIRD_BIASES + lane];
        high[lane] = w[THIRD_BIASES + 32 + (lane & 15)];
    }
    for (int s = 0; s < 10; ++s) FOR_LANES(lane) {
        float x = scratch.second[4 * s + (lane & 3)];
        low[lane] = fma(x, w[THIRD + 48 * s + lane], low[lane]);
        high[lane] = fma(x, w[THIRD + 48 * s + 32 + (lane & 15)], high[lane]);
    }
    add_across(low, 1);
    add_across(low, 2);
    add_across(high, 1);
    add_across(high, 2);
    FOR_LANES(lane) {
        if ((lane & 3) == 0) scratch.third[lane >> 2] = tanh_of(low[lane]);
        if ((lane & 3) == 1 && lane < 16) scratch.third[8 + (lane >> 2)] = tanh_of(high[lane]);
    }
    warp_sync();
    float p[4] = {w[OUTPUT + 12], w[OUTPUT + 13], w[OUTPUT + 14], w[OUTPUT + 15]};
    for (int i = 0; i < 12; ++i) p[i & 3] = fma(scratch.third[i], w[OUTPUT + i], p[i & 3]);
    return ((p[0] + p[1]) + (p[2] + p[3])) + input_sum(king_value, own, opp, kings);
}

DEVICE float evaluate_material(const float* weights, u32 own, u32 opp, u32 kings, u64 salt) {
    float total = input_sum(weights[0], own, opp, kings);
    if (weights[1] == 0.0f) return total;
    u64 h = mix(mix(u64(own) | (u64(opp) << 32), kings), salt);
    float unit = float(int(h >> 40)) * 1.1920928955078125e-07f - 1.0f;
    return fma(weights[1], unit, total);
}

DEVICE float evaluate(Evaluator& e, Scratch& scratch, u32 own, u32 opp, u32 kings, bool turned, u64 salt) {
    float value;
    if (e.kind == KIND_SPATIAL) {
        if (turned) own = reversed(own), opp = reversed(opp), kings = reversed(kings);
        value = evaluate_spatial(e, scratch, own, opp, kings);
    } else {
        value = evaluate_material(e.columns, own, opp, kings, salt);
    }
    value = value > -EVALUATION_LIMIT ? value : -EVALUATION_LIMIT;
    return value < EVALUATION_LIMIT ? value : EVALUATION_LIMIT;
}

}  // namespace evo
