// Piece counting, as in piece_counting.py. Networks use the sum of the pieces too.

#pragma once

#include "lanes.h"

namespace evo {

// Men count one, kings K, the opponent's negative.
DEVICE float input_sum(float king_value, u32 own, u32 opp, u32 kings) {
    int men = popcount(own & ~kings) - popcount(opp & ~kings);
    int crowned = popcount(own & kings) - popcount(opp & kings);
    return fma(king_value, float(crowned), float(men));
}

}  // namespace evo

namespace evo::piece_counting {

struct Kind {
    enum : int { SHARED_NUMBERS = 4, TOGETHER = 1, IS_NETWORK = 0 };
    struct Scratch {};

    static DEVICE bool plays(int kind) { return kind == KIND_MATERIAL; }
    static DEVICE float king_value(const float* numbers) { return numbers[0]; }
    static DEVICE void find_margins(int, const float*, float*) {}

    static DEVICE float value(const float* numbers, u32 own, u32 opp, u32 kings, u64 salt) {
        float total = input_sum(numbers[0], own, opp, kings);
        if (numbers[1] == 0.0f) return total;
        u64 h = mix(mix(u64(own) | (u64(opp) << 32), kings), salt);
        float unit = float(int(h >> 40)) * 1.1920928955078125e-07f - 1.0f;
        return fma(numbers[1], unit, total);
    }

    static DEVICE int evaluate(int, const float* numbers, Scratch&, const PerLane<u32>& own, const PerLane<u32>& opp,
                               const PerLane<u32>& kings, int at, int count, u64 salt, PerLane<float>& values) {
        FOR_LANES(lane) values[lane] = value(numbers, own[lane], opp[lane], kings[lane], salt);
        return count - at;
    }
};

}  // namespace evo::piece_counting
