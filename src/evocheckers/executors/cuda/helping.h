// A task's moves are listed, and once the first is valued, idle warps value some of the others: for few games. Helpers
// may work in vain, and the code is longer.

#pragma once

#include "tasks.h"

namespace evo {

enum : int { MOST_WARPS = 16, BLOCKS_AT_ONCE = 1, SPLIT_MOVES = 32 };

// A task in progress, and the moves among which the best is sought: those after the root's move and the reply, or just
// one.
struct alignas(16) Job {
    u64 best;  // a value and the move's code
    u32 busy;  // taken and not yet settled
    u32 left;  // moves that may be taken; negative if more warps came than there were moves
    u32 opened;  // the first move is valued, so the others may be taken
    u32 count, valued, cut;
    Task task;
    int ply, depth, extensions;
    Position position;  // before the moves
    u32 searched;  // what to store in the table, if anything
    Move moves[SPLIT_MOVES];
};

struct Warp : Tools {
    Job job;
};
DEVICE void clear(Warp& warp) { warp.job.busy = warp.job.left = 0; }

// Called from several places, and so not inlined.
NOINLINE void settle_job(Shared& shared, const Job& job, bool found, float value) {
    settle(shared, job.task.i, job.task.j, job.task.scout, found, value);
}

// List a job's moves for others to help with. Does nothing if the job is better left whole; returns true if it is
// already settled.
DEVICE bool split(Search& s, Shared& shared, Job& job) {
    const Position p = job.position;
    const Task& task = job.task;
    u32 wanted = what_was_searched(s.table, job.depth, job.extensions, EXACT, 2), known = 0;
    Entry e;
    if (read_entry(entry_of(s.table, p), p, e) && is_same_player(e, wanted)) {
        known = e.code;
        float value = value_of(e, counted_plies(s, 2));
        if (answers(e, wanted, value, task.alpha, task.beta)) {
            settle_job(shared, job, !task.scout || value < task.beta, value);
            return true;
        }
    }
    int count = list_moves(p, s.moves, 0, s.leaves);
    if (count == 0) {
        settle_job(shared, job, true, float(counted_plies(s, 2)) - WIN_VALUE);
        return true;
    }
    if (count == 1 || count > SPLIT_MOVES) return false;
    order_moves(s.moves, 0, count, hints_at(s, 2, known));
    FOR_LANES(lane) if (lane < count) job.moves[lane] = s.moves[lane];
    int depth = job.depth - 1, extensions = job.extensions;
    if (is_extended(s, p, count, extensions)) depth += 2, extensions = after_extension(extensions);
    warp_sync();
    job.count = u32(count), job.ply = 2, job.depth = depth, job.extensions = extensions, job.searched = wanted;
    return false;
}

// Take the next task as this warp's job; false if there is none.
DEVICE bool take_job(Search& s, Shared& shared, const Queue& queue, const Move* roots, Job& job) {
    for (Task task; take_task(shared, queue, task);) {
        const Move& move = move_of(task, roots);
        warp_sync();
        job.task = task, job.ply = task.whole ? 0 : 1;
        job.depth = shared.child_depth[task.i], job.extensions = shared.child_extensions[task.i];
        job.position = turn(move), job.searched = 0;
        job.best = 0, job.opened = 0, job.count = 1, job.valued = 0, job.cut = 0;
        if (first_lane()) job.moves[0] = move;
        warp_sync();
        if (task.beta <= task.alpha) {
            settle_job(shared, job, false, 0.0f);
            continue;
        }
        if (!task.whole && job.depth >= SPLIT_DEPTH && split(s, shared, job)) continue;
        memory_fence();
        poke(&job.left, 1);
        return true;
    }
    return false;
}

// A warp whose job has moves left to value, preferably this one; or -1. `busy` is set if any warp has a job.
DEVICE int with_moves_left(const Warp* warps, bool& busy) {
    PerLane<bool> left, taken;
    FOR_LANES(lane) {
        left[lane] = taken[lane] = false;
        if (lane < warp_count()) {
            const Job& job = warps[lane].job;
            taken[lane] = peek(&job.busy) != 0;
            left[lane] = int(peek(&job.left)) > 0;
        }
    }
    u32 all = ballot(left);
    busy = ballot(taken) != 0;
    return all >> warp_index() & 1 ? warp_index() : all ? lowest_bit(all) : -1;
}

// A job with moves left, or a new one; null if there is nothing more to do.
DEVICE Job* next_job(Search& s, Shared& shared, const Queue& queue, Warp* warps, const Move* roots) {
    Job& mine = warps[warp_index()].job;
    for (bool more = true;;) {
        bool busy;
        int from = with_moves_left(warps, busy);
        if (from >= 0) return &warps[from].job;
        bool ready = shared_load(&shared.best) || int(shared_load(&shared.next_task)) < queue.leading;
        if (more && ready && !shared_load(&mine.busy)) {
            poke(&mine.busy, 1);
            more = take_job(s, shared, queue, roots, mine);
            if (!more) poke(&mine.busy, 0);
        } else if (!more && !busy) {
            return nullptr;
        } else {
            pause();
        }
    }
}

// A move of a job to value, and its window.
struct Part {
    int number;
    float alpha, beta;
    bool first, cut;  // the job's first move, before others may be taken; no more moves need be valued
};

// Take one of a job's moves; false if others came first.
DEVICE bool take_part(const Shared& shared, Job& job, Part& part) {
    int left = int(fetch_add(&job.left, 0xFFFFFFFFu));
    if (left <= 0) return false;
    memory_fence();
    part = {0, job.task.alpha, job.task.beta, !shared_load(&job.opened), false};
    if (!part.first) {
        part.number = int(job.count) - left;
        float best = unordered(value_in(shared_load(&job.best)));
        if (best > part.alpha) part.alpha = best;
    }
    if (job.task.scout) {
        part.cut = shared_load(&shared.refuted) >> job.task.i & 1;
    } else {
        float limit = worst_so_far(shared, job.task.i);
        if (limit < part.beta) part.beta = limit;
    }
    part.cut = part.cut || part.alpha >= part.beta;
    return true;
}

// Record that a move is valued or need not be. After the first, others may take the next, unless none need be valued.
// True for the last one.
DEVICE bool end_part(Job& job, const Part& part) {
    const u32 count = job.count;
    u32 valued = 1;
    if (part.cut) {
        int left = part.first ? int(count) - 1 : int(exchange(&job.left, 0));
        if (left > 0) valued += u32(left);
        poke(&job.cut, 1);
    } else if (part.first) {
        poke(&job.opened, 1);
        memory_fence();
        poke(&job.left, count - 1);
    }
    memory_fence();
    warp_sync();
    return fetch_add(&job.valued, valued) + valued == count;
}

// Finish a job once all of its moves are valued, or enough of them.
DEVICE void finish_job(Search& s, Shared& shared, Job& job) {
    const Task& task = job.task;
    u64 top = shared_load(&job.best);
    float value = top ? unordered(value_in(top)) : -INFINITE_VALUE;
    bool cut = shared_load(&job.cut);
    if (top && job.searched && (!cut || value > task.alpha)) {
        u32 bound = cut ? AT_LEAST : value <= task.alpha ? AT_MOST : EXACT;
        write_entry(entry_of(s.table, job.position), job.position, job.searched | (bound << BOUND_SHIFT), u32(top), value,
                    counted_plies(s, job.ply));
        if (cut) remember_refutation(s, u32(top), job.depth + 1, job.ply);
    }
    if (top && job.ply == 0 && job.depth > 0) shared.refutation[task.i] = s.frames[1].best_code;
    if (job.ply == 1) value = -value;
    settle_job(shared, job, top && !cut && (!task.scout || value < task.beta), value);
    memory_fence();
    poke(&job.busy, 0);
}

// Do the tasks of an iteration until none is left.
DEVICE void do_tasks(Search& s, Shared& shared, Warp* warps, const Move* roots) {
    const Queue queue = queue_of(shared);
    while (Job* job = next_job(s, shared, queue, warps, roots)) {
        Part part;
        if (!take_part(shared, *job, part)) continue;
        if (!part.cut) {
            const Move& move = job->moves[part.number];
            bool replying = job->ply == 1;
            float value = value_of_move(s, move, job->depth, job->extensions, job->ply, replying ? -part.beta : part.alpha,
                                        replying ? -part.alpha : part.beta);
            if (first_lane()) atomic_max(&job->best, with_value(value, move.code));
            part.cut = job->ply == 2 && value >= part.beta;
        }
        if (end_part(*job, part)) finish_job(s, shared, *job);
    }
}

}  // namespace evo
