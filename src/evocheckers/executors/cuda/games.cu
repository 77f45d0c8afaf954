// Whole games, a block of warps for each: the same records as games/batch.py, move for move.
//
// Constants shared with Python (kinds, reasons, flags, layouts) are declared before this file: see constants.py.

#include "root.h"

namespace evo {

// What all games of a launch have in common, and where their records go.
struct Batch {
    const i64 *rows, *kinds, *flags;
    const u64* seeds;
    const float* weights;
    i64 stride;
    int games, max_plies, extensions, pieces_decide, repetition, max_line, table_bits, room;
    double random_move_rate, rate_rise;
    signed char *winners, *reasons;
    int* plies;
    i64* evaluations;
    u32* codes;
    u32* next_game;
    Entry* tables;
    Leaf* leaves;
    Move* roots;
    u32* seen;
};

DEVICE double uniform(u64 number) { return (double(number >> 12) + 0.5) * 2.220446049250313e-16; }

DEVICE int times_seen(const u32* seen, int ply, const Position& p) {
    int times = 0;
    ROLLED for (int earlier = ply - 2; earlier >= 0; earlier -= 2)
        if (seen[3 * earlier] == p.own && seen[3 * earlier + 1] == p.opp && seen[3 * earlier + 2] == p.kings) ++times;
    return times;
}

// Play games until none is left. `near` has room for a player's numbers in shared memory.
DEVICE void play_games(const Batch& batch, int block, Shared& shared, Warp* warps, Frame* frames, Move* moves, float* near) {
    Warp& mine = warps[warp_index()];
    Move* roots = batch.roots + i64(block) * (MAX_MOVES + MAX_MOVES * MAX_MOVES);
    u32* seen = batch.seen + i64(block) * batch.max_plies * 3;
    Search s;
    s.scratch = &mine.scratch;
    s.moves = moves + warp_index() * batch.room;
    s.room = batch.room;
    s.leaves = mine.leaves;
    s.negated = mine.negated;
    s.frames = frames + warp_index() * batch.max_line;
    s.history = shared.history;
    s.table = {batch.tables + (i64(block) << batch.table_bits), batch.leaves + (i64(block) << LEAF_BITS), (1u << batch.table_bits) - 1, 0};
    u32 age = 0;
    for (;;) {
        block_sync();
        if (warp_index() == 0) {
            int game = int(fetch_add(batch.next_game, 1));
            shared.game = game;
            shared.evaluations = 0;
            if (game < batch.games) {
                const i64* row = batch.rows + i64(game) * ROW_COLUMNS;
                shared.position = {u32(row[OWN_COLUMN]), u32(row[OPP_COLUMN]), u32(row[KINGS_COLUMN])};
                shared.white_to_move = row[WHITE_BEGINS_COLUMN] != 0;
                shared.ply = 0;
                shared.failed = 0;
                shared.rate = batch.random_move_rate;
            }
        }
        block_sync();
        int game = shared.game;
        if (game >= batch.games) break;
        const i64* row = batch.rows + i64(game) * ROW_COLUMNS;
        u64 seed = batch.seeds[game];
        age += 2;
        ROLLED for (int i = 32 * warp_index(); i < HISTORY; i += 32 * warp_count()) FOR_LANES(lane) shared.history[i + lane] = 0;
        clear(mine);
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
            int times = batch.rate_rise > 0.0 || batch.repetition ? times_seen(seen, ply, p) : 0;
            if (batch.repetition && times + 1 >= REPETITIONS) {
                reason = REPETITION;
                break;
            }
            if ((batch.rate_rise > 0.0 || batch.repetition) && warp_index() == 0) {
                double rate = shared.rate;
                if (times > 0) rate = rate + batch.rate_rise < 1.0 ? rate + batch.rate_rise : 1.0;
                warp_sync();
                shared.rate = rate;
                seen[3 * ply] = p.own, seen[3 * ply + 1] = p.opp, seen[3 * ply + 2] = p.kings;
            }
            block_sync();
            int depth = int(row[white ? WHITE_PLIES_COLUMN : BLACK_PLIES_COLUMN]);
            double rate = shared.rate;
            if (depth == 0 || (rate > 0.0 && uniform(mix(seed, u64(ply) | (1ull << MOVE_AT_RANDOM_SHIFT))) < rate)) {
                if (warp_index() == 0) shared.chosen = int(mix(seed, u64(ply) | (1ull << WHICH_AT_RANDOM_SHIFT)) % u64(count));
            } else if (count > 1) {
                i64 player = row[white ? WHITE_COLUMN : BLACK_COLUMN];
                const float* weights = batch.weights + player * batch.stride;
                int kind = int(batch.kinds[player]);
                int fours = AnyKind::shared_numbers(kind) / 4;
                UNROLLED_BY(4) for (int i = warp_index() * 32; i < fours; i += warp_count() * 32)
                    FOR_LANES(lane) if (i + lane < fours) ((Four*)near)[i + lane] = ((const Four*)weights)[i + lane];
                block_sync();
                s.evaluator = {kind, int(batch.flags[player]), fours ? near : weights, shared.margins};
                if (warp_index() == 0) AnyKind::find_margins(kind, s.evaluator.numbers, shared.margins);
                s.table.age = age + u32(white);
                s.salt = mix(seed, ~u64(white));
                s.root_is_white = white;
                ROLLED for (int i = 0; i < batch.max_line; i += 32) FOR_LANES(lane) if (i + lane < batch.max_line)
                    s.frames[i + lane].killer = s.frames[i + lane].older_killer = 0;
                warp_sync();
                ROLLED for (int i = 32 * warp_index(); i < HISTORY; i += 32 * warp_count()) FOR_LANES(lane) shared.history[i + lane] >>= 3;
                block_sync();
                ROLLED for (int d = 2 - depth % 2; d <= depth; d += 2) {
                    search_root(s, shared, warps, roots, d, batch.extensions);
                    if (s.failed) shared.failed = 1;
                    block_sync();
                    if (shared.failed) break;
                    if (d < depth && warp_index() == 0) learn_order(shared, roots);
                    block_sync();
                }
                if (warp_index() == 0 && !shared.failed) shared.chosen = choose_equal(shared, mix(seed, u64(ply)));
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

// The number of move sequences, depth first on an explicit stack. The first 32 places of `moves` are for unfinished
// captures.
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

extern "C" __global__ void __launch_bounds__(32 * evo::MOST_WARPS, evo::BLOCKS_AT_ONCE) play(const evo::Batch* batch) {
    extern __shared__ uint4 memory[];
    float* near = (float*)memory;
    evo::Shared* shared = (evo::Shared*)(near + evo::AnyKind::SHARED_NUMBERS);
    evo::Warp* warps = (evo::Warp*)(shared + 1);
    evo::Move* moves = (evo::Move*)(warps + evo::warp_count());
    evo::Frame* frames = (evo::Frame*)(moves + evo::warp_count() * batch->room);
    evo::play_games(*batch, blockIdx.x, *shared, warps, frames, moves, near);
}

// The sizes in bytes that the host must know: of Shared, Warp, Frame, and of a player's numbers in shared memory.
extern "C" __global__ void sizes(int* bytes) {
    bytes[0] = sizeof(evo::Shared);
    bytes[1] = sizeof(evo::Warp);
    bytes[2] = sizeof(evo::Frame);
    bytes[3] = evo::AnyKind::SHARED_NUMBERS * sizeof(float);
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
    std::vector<evo::Four> near(evo::AnyKind::SHARED_NUMBERS / 4);
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
