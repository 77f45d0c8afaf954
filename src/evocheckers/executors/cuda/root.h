// The search from a game's position, by all warps of a block: which moves are best.
//
// The work is cut into tasks: one for each pair of a move and a reply. The warps take them one by one and share the best value so far, the
// worst reply to each move so far, and the game's tables. First comes the move that seems best; then the others are only asked
// whether some reply makes them worse than that (for which its value must be known); then those that no reply refutes get
// their value. A task's window always leaves the best value open to ties, so whichever warp comes first, the same moves are found to equal the best.
//
// Where warps help each other, a task's moves are listed, and once the first is valued, any warp with nothing else to do values some of
// the others. This is for few games: who helps may work in vain, and the code is longer.

#pragma once

#include "search.h"

namespace evo {

#ifdef EVO_HELPING
enum : int { HELPING = 1, SPLIT_MOVES = 32, MOST_WARPS = 16, BLOCKS_AT_ONCE = 1 };
#else
enum : int { HELPING = 0, SPLIT_MOVES = 1, MOST_WARPS = 8, BLOCKS_AT_ONCE = 2 };
#endif
enum : int { REPLIES_AT = MAX_MOVES };  // behind the root's moves come the replies to each
enum : int { SPLIT_DEPTH = 2 };  // with so much depth left, every reply is a task of its own, whose moves may be split too
enum : u64 { UNKNOWN_MINIMUM = ~0ull };

// What the warps of a block share.
struct alignas(16) Shared {
    Position position;
    int white_to_move, ply, count, chosen, game, failed;
    u32 best, next_task, evaluations;
    double rate;
    int order[MAX_MOVES];
    int replies[MAX_MOVES], child_depth[MAX_MOVES], child_extensions[MAX_MOVES];
    u32 remaining[MAX_MOVES], refutation[MAX_MOVES];
    u64 refuted;  // the moves known to be worse than the best so far
    u64 minimum[MAX_MOVES];  // a value as a whole number, and behind it the reply
    u32 history[HISTORY];
};

// A value as a whole number, and behind it what has it.
DEVICE u64 with_value(float value, u32 what) { return (u64(ordered(value)) << 32) | what; }
DEVICE u32 value_in(u64 pair) { return u32(pair >> 32); }

// A task under way: the root's move `i` and its reply `j`, or that move alone; and the moves of which the best is wanted.
struct alignas(16) Task {
    u64 best;  // a value and the move's code
    u32 busy;  // taken, and not yet settled
    u32 left;  // moves that may be taken; negative when more warps came than there were moves
    u32 opened;  // the first move is valued, and the others may be taken
    u32 count, valued, cut;
    int i, j, scout, ply, depth, extensions;
    float alpha, beta;
    Position position;  // before the moves
    u32 searched;  // what the table is told of it, if anything
    Move moves[SPLIT_MOVES];
};

// What a warp has for itself, but for its task.
struct Warp {
    Task task;
    Scratch scratch;
    Move leaves[32];
    u32 negated[32];
};

// A root move's replies: listed and ordered by one warp, then searched by any.
DEVICE void prepare_root_move(Search& s, Shared& shared, Move* roots, int i, int depth, int extensions) {
    Position p = turn(roots[i]);
    u32 pieces = jumpers(p);
    int replies = -1;  // the position itself is the task
    if (depth >= SPLIT_DEPTH || (pieces && extensions > 0)) {
        Move* list = roots + REPLIES_AT + i * MAX_MOVES;
        replies = list_moves(p, s.moves, 0, s.leaves);
        if (replies > MAX_MOVES) s.failed = true, replies = MAX_MOVES;
        order_moves(s.moves, 0, replies, hints_at(s, 1, shared.refutation[i]));
        ROLLED for (int j = 0; j < replies; j += 32) FOR_LANES(lane) if (j + lane < replies)
            list[j + lane] = s.moves[j + lane];
        if (pieces && extensions > 0) depth += 2, --extensions;
        --depth;
    }
    shared.replies[i] = replies;
    shared.child_depth[i] = depth;
    shared.child_extensions[i] = extensions;
    shared.minimum[i] = replies == 0 ? with_value(WIN_VALUE - 1.0f, 0) : UNKNOWN_MINIMUM;
    shared.remaining[i] = replies < 0 ? 1 : replies;
    if (replies == 0 && first_lane()) atomic_max(&shared.best, ordered(WIN_VALUE - 1.0f));
}

// The least value that the reply to a move is known to leave it.
DEVICE float worst_so_far(const Shared& shared, int i) {
    u64 minimum = shared_load(&shared.minimum[i]);
    return minimum != UNKNOWN_MINIMUM ? unordered(value_in(minimum)) : INFINITE_VALUE;
}

// A task's value to the root's player is known, or need not be.
NOINLINE void settle(Shared& shared, int i, int j, bool scout, bool known, float value) {
    if (first_lane() && known) {
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

// What is to do in an iteration.
struct Queue {
    int leading, most, others;  // the tasks of the first move, the most of another one, and how many others there are
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

// List a task's moves for others to help with; false where it is settled already, or better left whole.
DEVICE bool split(Search& s, Shared& shared, Task& task, bool& settled) {
    const Position p = task.position;
    u32 wanted = what_was_searched(s.table, task.depth, task.extensions, EXACT, 2), known = 0;
    Entry e;
    if (read_entry(entry_of(s.table, p), p, e) && is_same_player(e, wanted)) {
        known = e.code;
        float value = value_of(e, 2);
        settled = answers(e, wanted, value, task.alpha, task.beta);
        if (settled) {
            settle(shared, task.i, task.j, task.scout, !task.scout || value < task.beta, value);
            return false;
        }
    }
    int count = list_moves(p, s.moves, 0, s.leaves);
    settled = count == 0;
    if (settled) settle(shared, task.i, task.j, task.scout, true, 2.0f - WIN_VALUE);
    if (count < 2 || count > SPLIT_MOVES) return false;
    order_moves(s.moves, 0, count, hints_at(s, 2, known));
    FOR_LANES(lane) if (lane < count) task.moves[lane] = s.moves[lane];
    int depth = task.depth - 1, extensions = task.extensions;
    if (extensions > 0 && jumpers(p)) depth += 2, --extensions;
    warp_sync();
    task.count = u32(count), task.ply = 2, task.depth = depth, task.extensions = extensions, task.searched = wanted;
    return true;
}

// Take the next task; false when there is none.
DEVICE bool take_task(Search& s, Shared& shared, const Queue& queue, const Move* roots, Task& task) {
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
        float beta = scout ? unordered(best) : worst_so_far(shared, i);
        if (beta <= alpha) {
            settle(shared, i, j, scout, false, 0.0f);
            continue;
        }
        Move move = whole ? roots[i] : roots[REPLIES_AT + i * MAX_MOVES + j];
        warp_sync();
        task.i = i, task.j = j, task.scout = scout, task.ply = whole ? 0 : 1;
        task.depth = shared.child_depth[i], task.extensions = shared.child_extensions[i];
        task.alpha = alpha, task.beta = beta, task.position = turn(move), task.searched = 0;
        task.best = 0, task.opened = 0, task.count = 1, task.valued = 0, task.cut = 0;
        warp_sync();
        bool settled = false;
        if (!(HELPING && !whole && task.depth >= SPLIT_DEPTH && split(s, shared, task, settled)) && first_lane()) task.moves[0] = move;
        if (settled) continue;
        memory_fence();
        warp_sync();
        if (HELPING) poke(&task.left, 1);
        return true;
    }
}

// A warp whose task has moves left to value, this one before others; or -1. `busy` tells whether any has a task.
DEVICE int with_moves_left(const Warp* warps, bool& busy) {
    PerLane<bool> left, taken;
    FOR_LANES(lane) {
        left[lane] = taken[lane] = false;
        if (lane < warp_count()) {
            const Task& task = warps[lane].task;
            taken[lane] = peek(&task.busy) != 0;
            left[lane] = int(peek(&task.left)) > 0;
        }
    }
    u32 all = ballot(left);
    busy = ballot(taken) != 0;
    return all >> warp_index() & 1 ? warp_index() : all ? lowest_bit(all) : -1;
}

// The task to work at next: one with moves left, or a new one; null when there is nothing more to do.
DEVICE Task* next_task(Search& s, Shared& shared, const Queue& queue, Warp* warps, const Move* roots) {
    Task& mine = warps[warp_index()].task;
    if (!HELPING) return take_task(s, shared, queue, roots, mine) ? &mine : nullptr;
    for (bool more = true;;) {
        bool busy;
        int from = with_moves_left(warps, busy);
        if (from >= 0) return &warps[from].task;
        bool ready = shared_load(&shared.best) || int(shared_load(&shared.next_task)) < queue.leading;
        if (more && ready && !shared_load(&mine.busy)) {
            poke(&mine.busy, 1);
            more = take_task(s, shared, queue, roots, mine);
            if (!more) poke(&mine.busy, 0);
        } else if (!more && !busy) {
            return nullptr;
        } else {
            pause();
        }
    }
}

// All of a task's moves are valued, or enough of them.
DEVICE void finish_task(Search& s, Shared& shared, Task& task) {
    u64 top = shared_load(&task.best);
    float value = top ? unordered(value_in(top)) : -INFINITE_VALUE;
    bool cut = shared_load(&task.cut);
    if (HELPING && top && task.searched && (!cut || value > task.alpha)) {
        u32 bound = cut ? AT_LEAST : value <= task.alpha ? AT_MOST : EXACT;
        write_entry(entry_of(s.table, task.position), task.position, task.searched | (bound << BOUND_SHIFT), u32(top), value, task.ply);
        if (cut) remember_refutation(s, u32(top), task.depth + 1, task.ply);
    }
    if (top && task.ply == 0 && task.depth > 0) shared.refutation[task.i] = s.frames[1].best_code;
    if (task.ply == 1) value = -value;
    settle(shared, task.i, task.j, task.scout, top && !cut && (!task.scout || value < task.beta), value);
    memory_fence();
    if (HELPING) poke(&task.busy, 0);
}

// A move of a task to value, and within which limits.
struct Part {
    int number;
    float alpha, beta;
    bool first, cut;  // before the others may be taken; no more need be valued
};

// Take one of a task's moves; false where others came first.
DEVICE bool take_part(const Shared& shared, Task& task, Part& part) {
    int left = int(fetch_add(&task.left, 0xFFFFFFFFu));
    if (left <= 0) return false;
    memory_fence();
    part = {0, task.alpha, task.beta, !shared_load(&task.opened), false};
    if (!part.first) {
        part.number = int(task.count) - left;
        float best = unordered(value_in(shared_load(&task.best)));
        if (best > part.alpha) part.alpha = best;
    }
    if (task.scout) {
        part.cut = shared_load(&shared.refuted) >> task.i & 1;
    } else {
        float limit = worst_so_far(shared, task.i);
        if (limit < part.beta) part.beta = limit;
    }
    part.cut = part.cut || part.alpha >= part.beta;
    return true;
}

// That move is valued, or need not be: others may take the next, or need not either. True for the last one.
DEVICE bool end_part(Task& task, const Part& part) {
    const u32 count = task.count;
    u32 valued = 1;
    if (part.cut) {
        int left = part.first ? int(count) - 1 : int(exchange(&task.left, 0));
        if (left > 0) valued += u32(left);
        poke(&task.cut, 1);
    } else if (part.first) {
        poke(&task.opened, 1);
        memory_fence();
        poke(&task.left, count - 1);
    }
    memory_fence();
    warp_sync();
    return fetch_add(&task.valued, valued) + valued == count;
}

// The tasks of an iteration, until none is left.
DEVICE void do_tasks(Search& s, Shared& shared, Warp* warps, const Move* roots) {
    const Queue queue = queue_of(shared);
    while (Task* some = next_task(s, shared, queue, warps, roots)) {
        Task& task = *some;
        Part part = {0, task.alpha, task.beta, true, false};
        if (HELPING && !take_part(shared, task, part)) continue;
        if (!part.cut) {
            const Move& move = task.moves[part.number];
            bool replying = task.ply == 1;
            float value = value_of_move(s, move, task.depth, task.extensions, task.ply, replying ? -part.beta : part.alpha,
                                        replying ? -part.alpha : part.beta);
            if (first_lane()) atomic_max(&task.best, with_value(value, move.code));
            part.cut = task.ply == 2 && value >= part.beta;
        }
        if (!HELPING || end_part(task, part)) finish_task(s, shared, task);
    }
}

// One iteration; all warps take part.
DEVICE void search_root(Search& s, Shared& shared, Warp* warps, Move* roots, int depth, int extensions) {
    bool forced_jump = jumpers(shared.position) != 0;
    int left = depth, remaining = extensions, count = shared.count;
    if (forced_jump && remaining > 0) left += 2, --remaining;
    if (warp_index() == 0) shared.best = 0, shared.next_task = 0, shared.refuted = 0;
    block_sync();
    ROLLED for (int i = warp_index(); i < count; i += warp_count())
        prepare_root_move(s, shared, roots, i, left - 1, remaining);
    block_sync();
    do_tasks(s, shared, warps, roots);
    block_sync();
}

// After an iteration: the best move comes first in the next, and the worst reply to every move.
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

DEVICE int draw_equal(const Shared& shared, u64 number) {
    int equal = 0;
    ROLLED for (int i = 0; i < shared.count; ++i) equal += value_in(shared.minimum[i]) == shared.best;
    int skip = int(number % u64(equal));
    ROLLED for (int i = 0; i < shared.count; ++i)
        if (value_in(shared.minimum[i]) == shared.best && skip-- == 0) return i;
    return 0;
}

}  // namespace evo
