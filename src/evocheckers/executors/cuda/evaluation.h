// Evaluation by the right kind of evaluator, among those that were compiled in.
//
// Each kind's header has a struct `Kind`, by itself in a namespace, with
//
//   plays(kind)        whether this is the number of the kind, or of one of its variants
//   SHARED_NUMBERS     how many of a player's numbers it reads from shared memory, a multiple of four; if none, it
//                      reads them all from global memory
//   TOGETHER           about how many positions it values at once
//   IS_NETWORK         whether its values lie within margins and depend on the board's orientation; then also
//   king_value         K
//   find_margins       bounds on a position's value less the sum of its inputs, if there are any
//   Scratch            a warp's scratch
//   evaluate           the values of some of the positions in the lanes from `at` on, of `count` in all; returns
//                      how many
//
// The list EVO_KINDS comes from the registry of kinds: see constants.py.

#pragma once

#include "rules.h"

namespace evo {

// A player, and its numbers in shared or global memory.
struct Evaluator {
    int kind, flags;
    const float *numbers, *margins;
};

DEVICE float within_limits(float value) {
    value = value > -EVALUATION_LIMIT ? value : -EVALUATION_LIMIT;
    return value < EVALUATION_LIMIT ? value : EVALUATION_LIMIT;
}

constexpr int most_of(int x) { return x; }
template <class... More> constexpr int most_of(int x, int y, More... more) { return most_of(x > y ? x : y, more...); }

template <class... Kinds> struct AnyOf {
    enum : int { SHARED_NUMBERS = most_of(Kinds::SHARED_NUMBERS...), TOGETHER = most_of(Kinds::TOGETHER...) };
    struct Scratch : Kinds::Scratch... {};

    static DEVICE int shared_numbers(int kind) {
        int found = 0;
        (void)((Kinds::plays(kind) && (found = Kinds::SHARED_NUMBERS, true)) || ...);
        return found;
    }
    static DEVICE bool is_network(int kind) { return ((Kinds::IS_NETWORK && Kinds::plays(kind)) || ...); }
    static DEVICE float king_value(int kind, const float* numbers) {
        float found = 0.0f;
        (void)((Kinds::plays(kind) && (found = Kinds::king_value(numbers), true)) || ...);
        return found;
    }
    // Infinite if values may be cut off at the limit.
    static DEVICE void find_margins(int kind, const float* numbers, float* margins) {
        margins[0] = -3.0e38f, margins[1] = 3.0e38f;
        (void)((Kinds::plays(kind) && (Kinds::find_margins(kind, numbers, margins), true)) || ...);
    }
    static DEVICE int evaluate(const Evaluator& e, Scratch& scratch, const PerLane<u32>& own, const PerLane<u32>& opp,
                               const PerLane<u32>& kings, int at, int count, u64 salt, PerLane<float>& values) {
        int valued = 0;
        (void)((Kinds::plays(e.kind) &&
                (valued = Kinds::evaluate(e.kind, e.numbers, scratch, own, opp, kings, at, count, salt, values), true)) ||
               ...);
        FOR_LANES(lane) if (lane >= at && lane < at + valued) values[lane] = within_limits(values[lane]);
        return valued;
    }
};

typedef AnyOf<EVO_KINDS> AnyKind;
typedef AnyKind::Scratch Scratch;

}  // namespace evo
