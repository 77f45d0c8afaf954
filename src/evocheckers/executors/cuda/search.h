// Alpha-beta with a transposition table, giving the values of search/, where the rule is explained; quiet leaves of a position
// are valued together. The value of a position does not depend on the order of search, so neither do the games on how many warps share a table.

#pragma once

#include "evaluation.h"

namespace evo {

#define WIN_VALUE 1000000.0f
#define DECIDED_VALUE 999000.0f
#define INFINITE_VALUE 2000000.0f

enum : int { HISTORY = 256, FULL = 0, EMPTY = 1, WIDENED = -1 };
enum : u32 { EXACT = 0, AT_LEAST = 1, AT_MOST = 2 };
enum : u32 { BOUND_SHIFT = 11, SIDE_SHIFT = 13, AGE_SHIFT = 14, BOUND_BITS = 3u << BOUND_SHIFT };

struct alignas(32) Entry {
    u32 own, opp, kings, searched, code, value, check, spare;
};

struct Frame {
    u32 own, opp, kings, best_code, killer, older_killer;
    float alpha, beta, best, first_alpha;
    int move, end, child_depth, child_extensions, depth, extensions, window;
};

// All that one warp searches with.
struct Search {
    Evaluator evaluator;
    Scratch* scratch;
    Move* moves;
    Move* leaves;
    int* turns;  // moves from the position before to each of the leaves
    Frame* frames;
    u32* history;
    Entry* table;
    u32 table_mask, table_age;
    int room;  // for moves
    bool failed;  // there was none left
    u64 salt;
    bool root_is_white;
    u32 evaluations;
};

// ---------------------------------------------------------------- the table

DEVICE Entry* entry_of(const Search& s, const Position& p) {
    u32 h = p.own * 0x9E3779B1u + p.opp * 0x85EBCA77u + p.kings * 0xC2B2AE3Du;
    h = (h ^ (h >> 16)) * 0x7FEB352Du;
    return s.table + ((h ^ (h >> 15)) & s.table_mask);
}

DEVICE u32 what_was_searched(const Search& s, int depth, int extensions, u32 bound, int ply) {
    return u32(depth) | (u32(extensions) << 7) | (bound << BOUND_SHIFT) | (u32(ply & 1) << SIDE_SHIFT) |
           (s.table_age << AGE_SHIFT);
}

// Positions with little left to search cost less than a place in the table.
DEVICE bool is_remembered(int depth, int extensions) { return depth >= (extensions > 0 ? 1 : 2); }

DEVICE u32 checksum(const Entry& e) { return e.own ^ (e.opp * 3) ^ (e.kings * 5) ^ (e.searched * 7) ^ (e.code * 11) ^ (e.value * 13); }

// Whether an entry is about this position; several warps write, so a torn entry is told by its check.
DEVICE bool read_entry(const Entry* place, const Position& p, Entry& e) {
#ifdef __CUDACC__
    u32 word = 0, lane = threadIdx.x & 31;
    if (lane < 8) word = ((volatile const u32*)place)[lane];
    u32 wanted = lane == 0 ? p.own : lane == 1 ? p.opp : p.kings;
    if ((__ballot_sync(0xFFFFFFFFu, word == wanted) & 7) != 7) return false;
    e.own = p.own, e.opp = p.opp, e.kings = p.kings;
    e.searched = __shfl_sync(0xFFFFFFFFu, word, 3);
    e.code = __shfl_sync(0xFFFFFFFFu, word, 4);
    e.value = __shfl_sync(0xFFFFFFFFu, word, 5);
    e.check = __shfl_sync(0xFFFFFFFFu, word, 6);
#else
    e = *place;
#endif
    return e.own == p.own && e.opp == p.opp && e.kings == p.kings && e.check == checksum(e);
}

DEVICE void write_entry(Entry* place, const Position& p, u32 searched, u32 code, float value, int ply) {
    if (value > DECIDED_VALUE) value += float(ply);
    else if (value < -DECIDED_VALUE) value -= float(ply);
    Entry e = {p.own, p.opp, p.kings, searched, code, bits_of(value), 0, 0};
    e.check = checksum(e);
#ifdef __CUDACC__
    int lane = threadIdx.x & 31;
    u32 word = lane == 0 ? e.own : lane == 1 ? e.opp : lane == 2 ? e.kings : lane == 3 ? e.searched : lane == 4 ? e.code
             : lane == 5 ? e.value : e.check;
    if (lane < 7) ((volatile u32*)place)[lane] = word;
    warp_sync();
#else
    *place = e;
#endif
}

DEVICE float value_of(const Entry& e, int ply) {
    float value = float_of(e.value);
    if (value > DECIDED_VALUE) return value - float(ply);
    return value < -DECIDED_VALUE ? value + float(ply) : value;
}

DEVICE bool is_same_player(const Entry& e, u32 wanted) { return ((e.searched ^ wanted) >> SIDE_SHIFT) == 0; }

DEVICE bool answers(const Entry& e, u32 wanted, float value, float alpha, float beta) {
    if ((e.searched ^ wanted) & ~BOUND_BITS) return false;
    u32 bound = (e.searched >> BOUND_SHIFT) & 3;
    return bound == EXACT || (bound == AT_LEAST ? value >= beta : value <= alpha);
}

// ---------------------------------------------------------------- the order of moves

DEVICE int history_place(u32 code, int ply) {
    return ((ply & 1) << 7) | int((code & 31) << 2) | int((code >> PATH_SHIFT) & 3);
}

// What tells which moves to try first.
struct Hints {
    u32 known, killer, older_killer;
    const u32* history;
    int ply;
};

// The higher the sooner, never 0: the table's move, killers, steps that give nothing away, history; captures by what they take.
DEVICE u32 urgency(const Move& move, const Hints& hints) {
    if (move.code == hints.known) return 1u << 30;
    if (move.code & CAPTURE_BIT) return 33 - popcount(move.opp);
    if (move.code == hints.killer) return (1u << 29) + 1;
    if (move.code == hints.older_killer) return 1u << 29;
    u32 key = hints.history[history_place(move.code, hints.ply)] + 1;
    return is_exposed(move.own, move.opp, move.kings) ? key : key + (1u << 28);
}

// Sort the moves from `front` to `end`, thirty-two at a time.
NOINLINE void order_moves(Move* moves, int front, int end, Hints hints) {
    ROLLED for (; front < end - 1; front += 32) {
        int count = end - front < 32 ? end - front : 32;
        PerLane<Move> move;
        PerLane<u32> key;
        PerLane<int> place;
        FOR_LANES(lane) {
            key[lane] = 0;
            place[lane] = 0;
            if (lane < count) {
                move[lane] = moves[front + lane];
                key[lane] = urgency(move[lane], hints);
            }
        }
        ROLLED for (int next = 0; next < count; next += 4) UNROLLED for (int i = 0; i < 4; ++i) {
            int other = next + i;
            u32 its = at_lane(key, other);
            FOR_LANES(lane) place[lane] += its > key[lane] || (its == key[lane] && other < lane);
        }
        warp_sync();
        FOR_LANES(lane) if (lane < count) moves[front + place[lane]] = move[lane];
        warp_sync();
    }
}

DEVICE Hints hints_at(const Search& s, int ply, u32 known) {
    return {known, s.frames[ply].killer, s.frames[ply].older_killer, s.history, ply};
}

DEVICE void remember_refutation(Search& s, u32 code, int depth, int ply) {
    if (code & CAPTURE_BIT) return;
    warp_sync();
    if (first_lane()) s.history[history_place(code, ply)] += u32(depth + 1);
    warp_sync();
    Frame& f = s.frames[ply];
    if (f.killer != code) {
        f.older_killer = f.killer;
        f.killer = code;
    }
}

// ---------------------------------------------------------------- the tree

// Value leaves, which the lanes hold as their sides to move see them, from `at` on, for the side to move at `ply`, so many turns
// before; the number of those that have a value now.
DEVICE int leaf_values(Search& s, const PerLane<Move>& leaf, const PerLane<int>& turns, int at, int count, int ply,
                       PerLane<float>& values) {
    const bool movers_view = s.evaluator.flags & MOVER_BIT, fixed_view = s.evaluator.flags & FIXED_BIT;
    PerLane<u32> own, opp, kings;
    PerLane<bool> other_view;
    FOR_LANES(lane) {
        bool odd = (ply + turns[lane]) & 1;
        other_view[lane] = odd && !movers_view;
        bool viewer_is_white = s.root_is_white != (odd && movers_view);
        bool turned = fixed_view && viewer_is_white && s.evaluator.kind == KIND_SPATIAL;
        u32 a = other_view[lane] ? leaf[lane].opp : leaf[lane].own, b = other_view[lane] ? leaf[lane].own : leaf[lane].opp;
        bool around = other_view[lane] != turned;
        own[lane] = around ? reversed(a) : a;
        opp[lane] = around ? reversed(b) : b;
        kings[lane] = around ? reversed(leaf[lane].kings) : leaf[lane].kings;
    }
    int valued = evaluate(s.evaluator, *s.scratch, own, opp, kings, at, count, s.salt, values);
    FOR_LANES(lane) if (other_view[lane] != bool(turns[lane] & 1)) values[lane] = -values[lane];
    s.evaluations += valued;
    return valued;
}

// Value the quiet ones among a position's last moves at once, and leave those that must be searched on: where they end. Where no
// extension is left, captures without a choice are followed to their quiet end. The best value and its move are raised; once it
// reaches beta, the rest may be forgotten.
DEVICE int value_leaves(Search& s, int front, int end, int extensions, int ply, float beta, float& best, u32& best_code) {
    int left = front;
    ROLLED for (int next = front; next < end; next += 32) {
        PerLane<Move> move, leaf;
        PerLane<bool> quiet, stuck, loud;
        PerLane<int> turns;
        FOR_LANES(lane) {
            quiet[lane] = stuck[lane] = loud[lane] = false;
            if (next + lane < end) {
                move[lane] = s.moves[next + lane];
                Position child = turn(move[lane]);
                turns[lane] = 1;
                loud[lane] = jumpers(child) != 0;
                if (loud[lane] && extensions == 0) loud[lane] = !follow_forced(child, turns[lane]);
                quiet[lane] = !loud[lane] && can_step(child);
                stuck[lane] = !loud[lane] && !quiet[lane] && turns[lane] == 1;
                loud[lane] = !quiet[lane] && !stuck[lane];
                leaf[lane] = {child.own, child.opp, child.kings, move[lane].code};
            }
        }
        u32 lost = ballot(stuck), captures = ballot(loud), leaves = ballot(quiet);
        if (lost) {
            best = WIN_VALUE - float(ply + 1);
            best_code = s.moves[next + lowest_bit(lost)].code;
            if (best >= beta) return left;
        }
        warp_sync();
        FOR_LANES(lane) {
            if (quiet[lane]) {
                int place = popcount(leaves & below(lane));
                s.leaves[place] = leaf[lane];
                s.turns[place] = turns[lane];
            }
            if (loud[lane]) s.moves[left + popcount(captures & below(lane))] = move[lane];
        }
        left += popcount(captures);
        warp_sync();
        int count = popcount(leaves);
        FOR_LANES(lane) {
            leaf[lane] = lane < count ? s.leaves[lane] : Move{0, 0, 0, 0};
            turns[lane] = lane < count ? s.turns[lane] : 1;
        }
        PerLane<float> values;
        ROLLED for (int at = 0; at < count;) {
            int valued = leaf_values(s, leaf, turns, at, count, ply, values);
            PerLane<u32> key;
            PerLane<bool> is_top;
            FOR_LANES(lane) key[lane] = lane >= at && lane < at + valued ? ordered(values[lane]) : 0;
            u32 top = greatest(key);
            FOR_LANES(lane) is_top[lane] = key[lane] == top;
            u32 tops = ballot(is_top);
            float value = unordered(top);
            if (value > best) best = value, best_code = s.leaves[lowest_bit(tops)].code;
            if (best >= beta) return left;
            at += valued;
        }
    }
    return left;
}

// A position's value has come up to the position before it.
DEVICE void deliver(Frame& f, const Move* moves, float value) {
    value = -value;
    if (f.window == EMPTY && f.alpha < value && value < f.beta) {
        f.window = WIDENED;
        return;
    }
    if (value > f.best) {
        f.best = value;
        f.best_code = moves[f.move].code;
        if (value > f.alpha) f.alpha = value;
    }
    ++f.move;
}

// All moves of a position are tried, or enough of them: what is worth remembering.
DEVICE float finish(Search& s, const Frame& f, int ply) {
    u32 bound = EXACT;
    if (f.best >= f.beta) {
        bound = AT_LEAST;
        remember_refutation(s, f.best_code, f.depth, ply);
    } else if (f.best <= f.first_alpha) {
        bound = AT_MOST;
    }
    if (is_remembered(f.depth, f.extensions)) {
        Position here = {f.own, f.opp, f.kings};
        write_entry(entry_of(s, here), here, what_was_searched(s, f.depth, f.extensions, bound, ply), f.best_code, f.best, ply);
    }
    return f.best;
}

// The value of a move to the side that makes it, exact within the window. `depth` and `extensions` are left after the move.
DEVICE float value_of_move(Search& s, const Move& move, int depth, int extensions, int ply, float alpha, float beta) {
    const int base = ply;
    Position p = {0, 0, 0};  // of `move` alone nothing is remembered
    int own_depth = 0, own_extensions = 0, at = 0, end = 1;
    u32 known = 0;
    if (first_lane()) s.moves[0] = move;
    warp_sync();
    for (;;) {
        // The moves of a position are listed: value those that end the line, put the others in order.
        float best = -INFINITE_VALUE;
        u32 best_code = 0;
        if (depth > 0 || end - at > TOGETHER) order_moves(s.moves, at, end, hints_at(s, ply, known));
        if (depth <= 0) end = value_leaves(s, at, end, extensions, ply, beta, best, best_code);
        {
            Frame& f = s.frames[ply++];
            f.own = p.own, f.opp = p.opp, f.kings = p.kings, f.best_code = best_code;
            f.alpha = best > alpha ? best : alpha, f.beta = beta, f.best = best, f.first_alpha = alpha;
            f.depth = own_depth, f.extensions = own_extensions, f.window = FULL;
            f.move = at, f.end = end, f.child_depth = depth, f.child_extensions = extensions;
        }
        // Climb to a position with a move to try, and try it, until that leads to a position whose value is not known.
        for (;;) {
            Frame& f = s.frames[ply - 1];
            float value;
            if (f.best >= f.beta || f.move >= f.end) {
                if (--ply == base) return f.best;
                value = finish(s, f, ply);
            } else {
                alpha = -f.beta, beta = -f.alpha;
                if (f.window == WIDENED) {
                    f.window = FULL;
                } else if (f.best > -INFINITE_VALUE && f.alpha > -INFINITE_VALUE) {
                    f.window = EMPTY;
                    alpha = just_below(beta);
                }
                p = turn(s.moves[f.move]);
                depth = own_depth = f.child_depth, extensions = own_extensions = f.child_extensions, at = f.end;
                known = 0;
                bool answered = false;
                if (is_remembered(depth, extensions)) {
                    u32 wanted = what_was_searched(s, depth, extensions, EXACT, ply);
                    Entry e;
                    if (read_entry(entry_of(s, p), p, e) && is_same_player(e, wanted)) {
                        known = e.code;
                        value = value_of(e, ply);
                        answered = answers(e, wanted, value, alpha, beta);
                    }
                }
                if (!answered) {
                    end = at + MAX_MOVES <= s.room ? list_moves(p, s.moves, at, s.leaves) : s.room;
                    if (end - at > MAX_MOVES || end == s.room) {
                        s.failed = true;
                        return 0.0f;
                    }
                    if (end > at) {
                        --depth;
                        if (extensions > 0 && jumpers(p)) depth += 2, --extensions;
                        break;
                    }
                    value = float(ply) - WIN_VALUE;
                }
            }
            deliver(s.frames[ply - 1], s.moves, value);
        }
    }
}

}  // namespace evo
