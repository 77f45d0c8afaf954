// Whole games, a block of warps each: the records of games/batch.py, move for move.
//
// At the root the work is cut into tasks: one for each pair of a move and a reply. The warps take them one by one and share
// the best value so far, the worst reply to each move so far, and the game's transposition table. First comes the move that
// seems best; then the others are only asked whether some reply makes them worse than that (for which its value must be known);
// then those that no reply refutes get their value. A task's window always leaves the best value open to ties, so whichever warp comes first, the
// same moves are found to equal the best.

#include "search.h"

namespace evo {

enum : int { REPLIES_AT = MAX_MOVES };  // behind the root's moves come the replies to each
enum : int { SPLIT_DEPTH = 2 };  // with so much depth left, every reply is a task of its own
enum : int { BLACK, WHITE, BLACK_PLIES, WHITE_PLIES, OWN, OPP, KINGS, WHITE_BEGINS, FIELDS };
enum : int { NOT_PLAYED = 0, NO_PIECES = 1, NO_MOVES = 2, MOVE_LIMIT = 3, ADJUDICATION = 6 };
enum : u64 { UNKNOWN_MINIMUM = ~0ull };

// What all games of a launch have in common, and where their records go.
struct Batch {
    const i64 *rows, *kinds, *flags;
    const u64* seeds;
    const float* weights;
    i64 stride;
    int games, max_plies, extensions, pieces_decide, max_line, table_bits, room;
    double random_move_rate, rate_rise;
    signed char *winners, *reasons;
    int* plies;
    i64* evaluations;
    u32* codes;
    u32* next_game;
    Entry* tables;
    Move* roots;
    u32* seen;
};

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
};

DEVICE u64 reply_with(float value, int reply) { return (u64(ordered(value)) << 32) | u32(reply); }
DEVICE u32 value_in(u64 minimum) { return u32(minimum >> 32); }

// What a warp has for itself.
struct Warp {
    Scratch scratch;
    Move leaves[32];
    int turns[32];
    u32 history[HISTORY];
};

DEVICE double uniform(u64 number) { return (double(number >> 12) + 0.5) * 2.220446049250313e-16; }

DEVICE bool was_seen(const u32* seen, int ply, const Position& p) {
    ROLLED for (int earlier = ply - 2; earlier >= 0; earlier -= 2)
        if (seen[3 * earlier] == p.own && seen[3 * earlier + 1] == p.opp && seen[3 * earlier + 2] == p.kings) return true;
    return false;
}

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
    shared.minimum[i] = replies == 0 ? reply_with(WIN_VALUE - 1.0f, 0) : UNKNOWN_MINIMUM;
    shared.remaining[i] = replies < 0 ? 1 : replies;
    if (replies == 0 && first_lane()) atomic_max(&shared.best, ordered(WIN_VALUE - 1.0f));
}

// The tasks of an iteration, taken one by one until none is left.
DEVICE void do_tasks(Search& s, Shared& shared, Move* roots) {
    const int others = shared.count - 1;
    int leading = 0, most = 0;
    ROLLED for (int place = 0; place <= others; ++place) {
        int replies = shared.replies[shared.order[place]], tasks = replies < 0 ? 1 : replies;
        if (place == 0) leading = tasks;
        else most = tasks > most ? tasks : most;
    }
    for (;;) {
        int task = int(fetch_add(&shared.next_task, 1)), place = 0, j = task;
        bool scout = false;
        if (task >= leading) {
            task -= leading;
            scout = task < most * others;
            if (!scout) task -= most * others;
            if (task >= most * others) break;
            place = 1 + task % others, j = task / others;
        }
        int i = shared.order[place], replies = shared.replies[i];
        bool whole = replies < 0;
        if (j >= (whole ? 1 : replies) || (scout && whole)) continue;
        u32 best = shared_load(&shared.best);
        while (scout && !best) {
            pause();
            best = shared_load(&shared.best);
        }
        u64 refuted = shared_load(&shared.refuted), bit = 1ull << i;
        if (refuted & bit) {
            if (popcount(u32(refuted)) + popcount(u32(refuted >> 32)) == others) break;
            continue;
        }
        u64 minimum = shared_load(&shared.minimum[i]);
        float alpha = best ? just_below(unordered(best)) : -INFINITE_VALUE;
        float beta = scout ? unordered(best) : minimum != UNKNOWN_MINIMUM ? unordered(value_in(minimum)) : INFINITE_VALUE;
        if (beta > alpha) {
            const Move& move = whole ? roots[i] : roots[REPLIES_AT + i * MAX_MOVES + j];
            float value = value_of_move(s, move, shared.child_depth[i], shared.child_extensions[i], whole ? 0 : 1,
                                        whole ? alpha : -beta, whole ? beta : -alpha);
            if (!whole) value = -value;
            else if (shared.child_depth[i] > 0) shared.refutation[i] = s.frames[1].best_code;
            if (first_lane() && (!scout || value < beta)) {
                atomic_min(&shared.minimum[i], reply_with(value, j));
                if (scout) atomic_or(&shared.refuted, bit);
            }
        }
        memory_fence();
        if (!scout && fetch_add(&shared.remaining[i], 0xFFFFFFFFu) == 1) {
            u64 settled = shared_load(&shared.minimum[i]);
            if (settled != UNKNOWN_MINIMUM && first_lane()) atomic_max(&shared.best, value_in(settled));
        }
        warp_sync();
    }
}

// One iteration at the root; all warps take part.
DEVICE void search_root(Search& s, Shared& shared, Move* roots, int depth, int extensions) {
    bool forced_jump = jumpers(shared.position) != 0;
    int left = depth, remaining = extensions, count = shared.count;
    if (forced_jump && remaining > 0) left += 2, --remaining;
    if (warp_index() == 0) shared.best = 0, shared.next_task = 0, shared.refuted = 0;
    block_sync();
    ROLLED for (int i = warp_index(); i < count; i += warp_count())
        prepare_root_move(s, shared, roots, i, left - 1, remaining);
    block_sync();
    do_tasks(s, shared, roots);
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

// Play games until none is left. `near` has room for NEAR numbers.
DEVICE void play_games(const Batch& batch, int block, Shared& shared, Warp* warps, Frame* frames, Move* moves, float* near) {
    Warp& mine = warps[warp_index()];
    Move* roots = batch.roots + i64(block) * (MAX_MOVES + MAX_MOVES * MAX_MOVES);
    u32* seen = batch.seen + i64(block) * batch.max_plies * 3;
    Search s;
    s.scratch = &mine.scratch;
    s.moves = moves + warp_index() * batch.room;
    s.room = batch.room;
    s.leaves = mine.leaves;
    s.turns = mine.turns;
    s.frames = frames + warp_index() * batch.max_line;
    s.history = mine.history;
    s.table = batch.tables + (i64(block) << batch.table_bits);
    s.table_mask = (1u << batch.table_bits) - 1;
    u32 age = 0;
    for (;;) {
        block_sync();
        if (warp_index() == 0) {
            int game = int(fetch_add(batch.next_game, 1));
            shared.game = game;
            shared.evaluations = 0;
            if (game < batch.games) {
                const i64* row = batch.rows + i64(game) * FIELDS;
                shared.position = {u32(row[OWN]), u32(row[OPP]), u32(row[KINGS])};
                shared.white_to_move = row[WHITE_BEGINS] != 0;
                shared.ply = 0;
                shared.failed = 0;
                shared.rate = batch.random_move_rate;
            }
        }
        block_sync();
        int game = shared.game;
        if (game >= batch.games) break;
        const i64* row = batch.rows + i64(game) * FIELDS;
        u64 seed = batch.seeds[game];
        age += 2;
        ROLLED for (int i = 0; i < HISTORY; i += 32) FOR_LANES(lane) mine.history[i + lane] = 0;
        s.evaluations = 0;
        s.failed = false;
        block_sync();
        int winner = 0, reason = MOVE_LIMIT;
        for (;;) {
            Position p = shared.position;
            int ply = shared.ply, white = shared.white_to_move;
            if (warp_index() == 0) {
                int count = list_moves(p, s.moves, 0, s.leaves);
                if (count > MAX_MOVES) shared.failed = 1, count = MAX_MOVES;
                if (jumpers(p)) sort_captures(s.moves, count);
                ROLLED for (int i = 0; i < count; i += 32) FOR_LANES(lane) if (i + lane < count)
                    roots[i + lane] = s.moves[i + lane], shared.order[i + lane] = i + lane, shared.refutation[i + lane] = 0;
                shared.count = count;
                shared.chosen = 0;
            }
            block_sync();
            int count = shared.count;
            if (count == 0) {
                winner = white ? 1 : -1;
                reason = p.own == 0 ? NO_PIECES : NO_MOVES;
                break;
            }
            if (ply >= batch.max_plies) {
                int lead = popcount(p.own) - popcount(p.opp);
                if (batch.pieces_decide && lead != 0) {
                    winner = (lead > 0) != bool(white) ? 1 : -1;
                    reason = ADJUDICATION;
                }
                break;
            }
            if (batch.rate_rise > 0.0 && warp_index() == 0) {
                double rate = shared.rate;
                if (was_seen(seen, ply, p)) rate = rate + batch.rate_rise < 1.0 ? rate + batch.rate_rise : 1.0;
                warp_sync();
                shared.rate = rate;
                seen[3 * ply] = p.own, seen[3 * ply + 1] = p.opp, seen[3 * ply + 2] = p.kings;
            }
            block_sync();
            int depth = int(row[white ? WHITE_PLIES : BLACK_PLIES]);
            double rate = shared.rate;
            if (depth == 0 || (rate > 0.0 && uniform(mix(seed, u64(ply) | (1ull << 32))) < rate)) {
                if (warp_index() == 0) shared.chosen = int(mix(seed, u64(ply) | (1ull << 33)) % u64(count));
            } else if (count > 1) {
                i64 player = row[white];
                const float* weights = batch.weights + player * batch.stride;
                int kind = int(batch.kinds[player]);
                int fours = kind == KIND_SPATIAL ? NEAR / 4 : 1;
                UNROLLED_BY(4) for (int i = warp_index() * 32; i < fours; i += warp_count() * 32)
                    FOR_LANES(lane) if (i + lane < fours) ((Four*)near)[i + lane] = ((const Four*)weights)[i + lane];
                block_sync();
                s.evaluator = {kind, int(batch.flags[player]), near};
                s.table_age = age + u32(white);
                s.salt = mix(seed, ~u64(white));
                s.root_is_white = white;
                ROLLED for (int i = 0; i < batch.max_line; ++i) s.frames[i].killer = 0, s.frames[i].older_killer = 0;
                warp_sync();
                ROLLED for (int i = 0; i < HISTORY; i += 32) FOR_LANES(lane) mine.history[i + lane] >>= 3;
                warp_sync();
                ROLLED for (int d = 2 - depth % 2; d <= depth; d += 2) {
                    search_root(s, shared, roots, d, batch.extensions);
                    if (s.failed) shared.failed = 1;
                    block_sync();
                    if (shared.failed) break;
                    if (warp_index() == 0) learn_order(shared, roots);
                    block_sync();
                }
                if (warp_index() == 0 && !shared.failed) shared.chosen = draw_equal(shared, mix(seed, u64(ply)));
            }
            block_sync();
            if (shared.failed) {
                reason = NOT_PLAYED;
                break;
            }
            Move move = roots[shared.chosen];
            block_sync();
            if (warp_index() == 0) {
                batch.codes[i64(game) * batch.max_plies + ply] = move.code;
                shared.position = turn(move);
                shared.white_to_move = !white;
                shared.ply = ply + 1;
            }
            block_sync();
        }
        fetch_add(&shared.evaluations, s.evaluations);
        block_sync();
        if (warp_index() == 0) {
            batch.winners[game] = winner;
            batch.reasons[game] = reason;
            batch.plies[game] = shared.ply;
            batch.evaluations[game] = shared.evaluations;
        }
    }
}

// The number of move sequences, depth first on an explicit stack. The first 32 places of `moves` are for captures that may go on.
DEVICE u64 perft(Position p, int depth, Move* moves, int* levels) {
    u64 total = 0;
    int ply = 0, at = 32, end = list_moves(p, moves, at, moves);
    for (;;) {
        if (ply == depth - 1) total += end - at, at = end;
        if (at == end) {
            if (ply-- == 0) return total;
            at = levels[2 * ply], end = levels[2 * ply + 1];
            continue;
        }
        levels[2 * ply] = at + 1, levels[2 * ply + 1] = end;
        p = turn(moves[at]);
        at = end;
        end = list_moves(p, moves, at, moves);
        ++ply;
    }
}

}  // namespace evo

#ifdef __CUDACC__

extern "C" __global__ void __launch_bounds__(256, 2) play(const evo::Batch* batch) {
    extern __shared__ uint4 memory[];
    float* near = (float*)memory;
    evo::Shared* shared = (evo::Shared*)(near + evo::NEAR);
    evo::Warp* warps = (evo::Warp*)(shared + 1);
    evo::Move* moves = (evo::Move*)(warps + evo::warp_count());
    evo::Frame* frames = (evo::Frame*)(moves + evo::warp_count() * batch->room);
    evo::play_games(*batch, blockIdx.x, *shared, warps, frames, moves, near);
}

// The sizes in bytes that the host must know: of Shared, Warp, Frame, and of what a network has near by.
extern "C" __global__ void sizes(int* bytes) {
    bytes[0] = sizeof(evo::Shared);
    bytes[1] = sizeof(evo::Warp);
    bytes[2] = sizeof(evo::Frame);
    bytes[3] = evo::NEAR * sizeof(float);
}

extern "C" __global__ void count_moves(u32 own, u32 opp, u32 kings, int depth, evo::Move* moves, int* levels, u64* total) {
    u64 count = evo::perft({own, opp, kings}, depth, moves, levels);
    if (evo::first_lane()) *total = count;
}

#else

#include <vector>

extern "C" void play(evo::Batch* batch, int warps) {
    evo::Shared shared;
    std::vector<evo::Warp> own(warps);
    std::vector<evo::Frame> frames(warps * batch->max_line);
    std::vector<evo::Move> moves(warps * batch->room);
    std::vector<evo::Four> near(evo::NEAR / 4);
    evo::Block block(warps);
    std::vector<std::thread> threads;
    for (int i = 0; i < warps; ++i)
        threads.emplace_back([&, i] {
            evo::here = {&block, i};
            evo::play_games(*batch, 0, shared, own.data(), frames.data(), moves.data(), near.data()->at);
        });
    for (auto& thread : threads) thread.join();
}

extern "C" u64 count_moves(u32 own, u32 opp, u32 kings, int depth) {
    std::vector<evo::Move> moves(30 * evo::MAX_MOVES);
    std::vector<int> levels(2 * 30);
    return evo::perft({own, opp, kings}, depth, moves.data(), levels.data());
}

#endif
