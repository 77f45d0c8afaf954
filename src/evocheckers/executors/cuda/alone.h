// Each task is done by one warp: for many games.

#pragma once

#include "tasks.h"

namespace evo {

enum : int { MOST_WARPS = 8, BLOCKS_AT_ONCE = 2 };

struct Warp : Tools {};
DEVICE void clear(Warp&) {}

// Do the tasks of an iteration until none is left.
DEVICE void do_tasks(Search& s, Shared& shared, Warp*, const Move* roots) {
    const Queue queue = queue_of(shared);
    for (Task task; take_task(shared, queue, task);) {
        float value = 0.0f;
        bool found = false;
        if (task.beta > task.alpha) {
            const int depth = shared.child_depth[task.i];
            value = value_of_move(s, move_of(task, roots), depth, shared.child_extensions[task.i], task.whole ? 0 : 1,
                                  task.whole ? task.alpha : -task.beta, task.whole ? task.beta : -task.alpha);
            if (!task.whole) value = -value;
            else if (depth > 0) shared.refutation[task.i] = s.frames[1].best_code;
            found = !task.scout || value < task.beta;
        }
        settle(shared, task.i, task.j, task.scout, found, value);
    }
}

}  // namespace evo
