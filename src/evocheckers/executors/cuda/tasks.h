// The search from a game's position, divided into tasks for its warps.
//
// There is a task for each pair of a move and a reply. The warps take them one by one and share the best value so far,
// the worst reply to each move so far, and the game's tables. The move that seems best comes first. Then the others are
// only tested for a reply that makes them worse than that (for which its value must be known). Finally those that no
// reply refutes are valued. A task's window always leaves the best value open to ties, so the same moves are found to
// equal the best whichever warp comes first.

#pragma once

#include "search.h"

namespace evo {

enum : int { REPLIES_AT = MAX_MOVES };  // the replies to each move follow the root's moves
enum : int { SPLIT_DEPTH = 2 };  // with at least this depth left, it pays to search a position's moves separately
enum : u64 { UNKNOWN_MINIMUM = ~0ull };

// What the warps of a block share.
struct alignas(16) Shared {
    Position position;
    int white_to_move, ply, count, chosen, game, failed;
    u32 best, next_task, evaluations;
    double rate;
    float margins[2];  // of the player to move
    int order[MAX_MOVES];
    int replies[MAX_MOVES], child_depth[MAX_MOVES], child_extensions[MAX_MOVES];
    u32 remaining[MAX_MOVES], refutation[MAX_MOVES];
    u64 refuted;  // the moves known to be worse than the best so far
    u64 minimum[MAX_MOVES];  // a value as an integer, followed by the reply
    u32 history[HISTORY];
};

// A warp's own scratch.
struct Tools {
    Scratch scratch;
    Move leaves[32];
    u32 negated[32];
};

// A value as an integer, followed by what has that value.
DEVICE u64 with_value(float value, u32 what) { return (u64(ordered(value)) << 32) | what; }
DEVICE u32 value_in(u64 pair) { return u32(pair >> 32); }

// List and order a root move's replies, by one warp; any warp may search them.
DEVICE void prepare_root_move(Search& s, Shared& shared, Move* roots, int i, int depth, int extensions) {
    Position p = turn(roots[i]);
    u32 pieces = jumpers(p);
    int replies = -1;  // the position itself is the task
    if (depth >= SPLIT_DEPTH || (pieces && extensions > 0 && (depth > 0 || !s.is_standing()))) {
        Move* list = roots + REPLIES_AT + i * MAX_MOVES;
        replies = list_moves(p, s.moves, 0, s.leaves);
        if (replies > MAX_MOVES) s.failed = true, replies = MAX_MOVES;
        order_moves(s.moves, 0, replies, hints_at(s, 1, shared.refutation[i]));
        ROLLED for (int j = 0; j < replies; j += 32) FOR_LANES(lane) if (j + lane < replies)
            list[j + lane] = s.moves[j + lane];
        if (is_extended(s, p, replies, extensions)) depth += 2, extensions = after_extension(extensions);
        --depth;
    }
    shared.replies[i] = replies;
    shared.child_depth[i] = depth;
    shared.child_extensions[i] = extensions;
    const float won = WIN_VALUE - float(counted_plies(s, 1));
    shared.minimum[i] = replies == 0 ? with_value(won, 0) : UNKNOWN_MINIMUM;
    shared.remaining[i] = replies < 0 ? 1 : replies;
    if (replies == 0 && first_lane()) atomic_max(&shared.best, ordered(won));
}

// The least value that a move is known to have after some reply.
DEVICE float worst_so_far(const Shared& shared, int i) {
    u64 minimum = shared_load(&shared.minimum[i]);
    return minimum != UNKNOWN_MINIMUM ? unordered(value_in(minimum)) : INFINITE_VALUE;
}

// The tasks of an iteration.
struct Queue {
    int leading, most, others;  // the tasks of the first move, the most of any other move, the number of other moves
};

DEVICE Queue queue_of(const Shared& shared) {
    Queue queue = {0, 0, shared.count - 1};
    ROLLED for (int place = 0; place < shared.count; ++place) {
        int replies = shared.replies[shared.order[place]], tasks = replies < 0 ? 1 : replies;
        if (place == 0) queue.leading = tasks;
        else queue.most = tasks > queue.most ? tasks : queue.most;
    }
    return queue;
}

// The root's move `i` with its reply `j`, or that move as a whole, to be valued within a window, if at all.
struct Task {
    int i, j;
    bool whole, scout;
    float alpha, beta;
};

DEVICE const Move& move_of(const Task& task, const Move* roots) { return roots[task.whole ? task.i : REPLIES_AT + task.i * MAX_MOVES + task.j]; }

// Take the next task; false if there is none.
DEVICE bool take_task(Shared& shared, const Queue& queue, Task& task) {
    const int each = queue.most * queue.others;
    for (;;) {
        int number = int(fetch_add(&shared.next_task, 1)), place = 0, j = number;
        bool scout = false;
        if (number >= queue.leading) {
            number -= queue.leading;
            scout = number < each;
            if (!scout) number -= each;
            if (number >= each) return false;
            place = 1 + number % queue.others, j = number / queue.others;
        }
        int i = shared.order[place], replies = shared.replies[i];
        bool whole = replies < 0;
        if (j >= (whole ? 1 : replies) || (scout && whole)) continue;
        u32 best = shared_load(&shared.best);
        while (scout && !best) {
            pause();
            best = shared_load(&shared.best);
        }
        u64 refuted = shared_load(&shared.refuted);
        if (refuted & (1ull << i)) {
            if (popcount(u32(refuted)) + popcount(u32(refuted >> 32)) == queue.others) return false;
            continue;
        }
        float alpha = best ? just_below(unordered(best)) : -INFINITE_VALUE;
        task = {i, j, whole, scout, alpha, scout ? unordered(best) : worst_so_far(shared, i)};
        return true;
    }
}

// Settle a task: its value to the root's player is found, or none is needed.
DEVICE void settle(Shared& shared, int i, int j, bool scout, bool found, float value) {
    if (first_lane() && found) {
        atomic_min(&shared.minimum[i], with_value(value, j));
        if (scout) atomic_or(&shared.refuted, 1ull << i);
    }
    memory_fence();
    if (!scout && fetch_add(&shared.remaining[i], 0xFFFFFFFFu) == 1) {
        u64 settled = shared_load(&shared.minimum[i]);
        if (settled != UNKNOWN_MINIMUM && first_lane()) atomic_max(&shared.best, value_in(settled));
    }
    warp_sync();
}

}  // namespace evo
