// The spatial network, in half precision if built with EVO_HALF.

#pragma once

#include "networks/piece_counting.h"
#ifdef EVO_HALF
#include "networks/spatial/half_precision.h"
#else
#include "networks/spatial/single_precision.h"
#endif

namespace evo::spatial {

struct Kind {
    enum : int { SHARED_NUMBERS = NUMBERS, TOGETHER = spatial::TOGETHER, IS_NETWORK = 1 };
    typedef spatial::Scratch Scratch;

    static DEVICE bool plays(int kind) { return kind == KIND_SPATIAL || kind == KIND_SPATIAL_BARE; }
    static DEVICE float king_value(const float* numbers) { return king_value_of(numbers); }

    // As in vectors.py: the last nodes stay within ±1.
    static DEVICE void find_margins(int kind, const float* numbers, float* margins) {
        const float rounding = 1.001f;
        if (kind != KIND_SPATIAL) return;
        float reach = 0.0f, bias = output_bias_of(numbers);
        ROLLED for (int i = 0; i < 12; ++i) reach += size_of(output_of(numbers)[i]);
        float most = (reach + size_of(bias)) * rounding;
        reach = most - size_of(bias);
        if (most + 24.0f * size_of(king_value(numbers)) < EVALUATION_LIMIT) margins[0] = bias - reach, margins[1] = bias + reach;
    }

    static DEVICE int evaluate(int kind, const float* numbers, Scratch& scratch, const PerLane<u32>& own, const PerLane<u32>& opp,
                               const PerLane<u32>& kings, int at, int count, u64, PerLane<float>& values) {
        evaluate_network(numbers, scratch, own, opp, kings, at, values);
        int valued = count - at < TOGETHER ? count - at : TOGETHER;
        // The bare network lacks the sum of its inputs at the output.
        if (kind == KIND_SPATIAL) FOR_LANES(lane) if (lane >= at && lane < at + valued)
            values[lane] = values[lane] + input_sum(king_value(numbers), own[lane], opp[lane], kings[lane]);
        return valued;
    }
};

}  // namespace evo::spatial
