// Finds the best of the root's moves: one iteration after the other, all warps of a block together.

#pragma once

#ifdef EVO_HELPING
#include "helping.h"
#else
#include "alone.h"
#endif

namespace evo {

// One iteration; all warps take part.
DEVICE void search_root(Search& s, Shared& shared, Warp* warps, Move* roots, int depth, int extensions) {
    int left = depth, remaining = extensions, count = shared.count;
    if (is_extended(s, shared.position, count, extensions)) left += 2, remaining = after_extension(remaining);
    if (warp_index() == 0) shared.best = 0, shared.next_task = 0, shared.refuted = 0;
    block_sync();
    ROLLED for (int i = warp_index(); i < count; i += warp_count())
        prepare_root_move(s, shared, roots, i, left - 1, remaining);
    block_sync();
    do_tasks(s, shared, warps, roots);
    block_sync();
}

// After an iteration: put the best move first for the next one, and likewise the worst reply to every move.
DEVICE void learn_order(Shared& shared, const Move* roots) {
    ROLLED for (int i = 0; i < shared.count; i += 32) FOR_LANES(lane) if (i + lane < shared.count && shared.replies[i + lane] > 0) {
        u64 minimum = shared.minimum[i + lane];
        shared.refutation[i + lane] = roots[REPLIES_AT + (i + lane) * MAX_MOVES + int(u32(minimum))].code;
    }
    int best = 0, at = 0;
    while (value_in(shared.minimum[best]) != shared.best) ++best;
    while (shared.order[at] != best) ++at;
    warp_sync();
    if (first_lane()) {
        ROLLED for (; at > 0; --at) shared.order[at] = shared.order[at - 1];
        shared.order[0] = best;
    }
}

DEVICE int choose_equal(const Shared& shared, u64 number) {
    int equal = 0;
    ROLLED for (int i = 0; i < shared.count; ++i) equal += value_in(shared.minimum[i]) == shared.best;
    int skip = int(number % u64(equal));
    ROLLED for (int i = 0; i < shared.count; ++i)
        if (value_in(shared.minimum[i]) == shared.best && skip-- == 0) return i;
    return 0;
}

}  // namespace evo
