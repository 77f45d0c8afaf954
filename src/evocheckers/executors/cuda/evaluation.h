// Evaluation: the spatial network of 5046 numbers, the network of planes, and piece differential.

#pragma once

#include "rules.h"
#ifdef EVO_HALF
#include "networks/spatial/half.h"
#else
#include "networks/spatial/exact.h"
#endif

namespace evo {

// A player; its numbers are in shared memory, except those of planes. The margins are bounds on a position's value less
// the sum of its inputs.
struct Evaluator {
    int kind, flags;
    const float *near, *margins;
};

// Networks of planes are compiled only if one plays: more code makes the rest slower.
#ifdef EVO_PLANES
DEVICE bool is_planes(int kind) { return kind == KIND_PLANES; }
#else
DEVICE bool is_planes(int) { return false; }
#endif
// The network of 5046 numbers; the bare one lacks the sum of its inputs at the output.
DEVICE bool is_spatial(int kind) { return kind == KIND_SPATIAL || kind == KIND_SPATIAL_BARE; }
// Whether it is a network, whose values lie within margins and which depends on the board's orientation.
DEVICE bool is_network(int kind) { return is_spatial(kind) || is_planes(kind); }
DEVICE float king_value_of(int kind, const float* near) { return is_planes(kind) ? near[PLANES_KING_VALUE] : king_value_of(near); }

DEVICE float size_of(float x) { return x < 0.0f ? -x : x; }

// As in evaluation/: the last nodes stay within ±1. Infinite if values may be clipped.
DEVICE void find_margins(int kind, const float* near, float* margins) {
    const float endless = 3.0e38f, rounding = 1.001f;
    margins[0] = -endless, margins[1] = endless;
    if (is_planes(kind)) margins[0] = near[PLANES_LEAST], margins[1] = near[PLANES_MOST];
    if (kind != KIND_SPATIAL) return;
    float reach = 0.0f, bias = output_bias_of(near);
    ROLLED for (int i = 0; i < 12; ++i) reach += size_of(output_of(near)[i]);
    float most = (reach + size_of(bias)) * rounding;
    reach = most - size_of(bias);
    if (most + 24.0f * size_of(king_value_of(near)) < EVALUATION_LIMIT) margins[0] = bias - reach, margins[1] = bias + reach;
}

DEVICE float input_sum(float king_value, u32 own, u32 opp, u32 kings) {
    int men = popcount(own & ~kings) - popcount(opp & ~kings);
    int crowned = popcount(own & kings) - popcount(opp & kings);
    return fma(king_value, float(crowned), float(men));
}

DEVICE float evaluate_material(const float* weights, u32 own, u32 opp, u32 kings, u64 salt) {
    float total = input_sum(weights[0], own, opp, kings);
    if (weights[1] == 0.0f) return total;
    u64 h = mix(mix(u64(own) | (u64(opp) << 32), kings), salt);
    float unit = float(int(h >> 40)) * 1.1920928955078125e-07f - 1.0f;
    return fma(weights[1], unit, total);
}

DEVICE float within_limits(float value) {
    value = value > -EVALUATION_LIMIT ? value : -EVALUATION_LIMIT;
    return value < EVALUATION_LIMIT ? value : EVALUATION_LIMIT;
}

// Value some of the positions in the lanes from `at` on, of `count` in all; returns the number of positions valued.
DEVICE int evaluate(const Evaluator& e, Scratch& scratch, const PerLane<u32>& own, const PerLane<u32>& opp, const PerLane<u32>& kings,
                    int at, int count, u64 salt, PerLane<float>& values) {
#ifdef EVO_PLANES
    if (e.kind == KIND_PLANES) {
        const u32 mine = at_lane(own, at), theirs = at_lane(opp, at), crowned = at_lane(kings, at);
        float value = evaluate_planes(e.near, scratch.planes, mine, theirs, crowned);
        value = within_limits(value + input_sum(e.near[PLANES_KING_VALUE], mine, theirs, crowned));
        FOR_LANES(lane) if (lane == at) values[lane] = value;
        return 1;
    }
#endif
    if (!is_spatial(e.kind)) {
        FOR_LANES(lane) values[lane] = within_limits(evaluate_material(e.near, own[lane], opp[lane], kings[lane], salt));
        return count - at;
    }
    evaluate_network(e.near, scratch, own, opp, kings, at, values);
    int valued = count - at < TOGETHER ? count - at : TOGETHER;
    FOR_LANES(lane) if (lane >= at && lane < at + valued) {
        float total = e.kind == KIND_SPATIAL ? input_sum(king_value_of(e.near), own[lane], opp[lane], kings[lane]) : 0.0f;
        values[lane] = within_limits(values[lane] + total);
    }
    return valued;
}

}  // namespace evo
