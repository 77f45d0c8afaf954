// Alpha-beta with a transposition table; line by line that of search/, where it is explained. The value of a position does not
// depend on the order of search, so neither do the games on how many warps share a table.

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
    Evaluator* evaluator;
    Scratch* scratch;
    Move* moves;
    Move* leaves;
    Frame* frames;
    u32* history;
    Entry* table;
    u32 table_mask, table_age;
    u64 salt;
    bool root_is_white;
    u32 evaluations;
};

// ---------------------------------------------------------------- the table

DEVICE Entry* entry_of(const Search& s, const Position& p) {
    u64 h = (u64(p.own) | (u64(p.opp) << 32)) * 0x9E3779B97F4A7C15ull;
    h = (h ^ (h >> 32)) + u64(p.kings) * 0xBF58476D1CE4E5B9ull;
    h *= 0x94D049BB133111EBull;
    return s.table + (u32(h >> 32) & s.table_mask);
}

DEVICE u32 what_was_searched(const Search& s, int depth, int extensions, u32 bound, int ply) {
    return u32(depth) | (u32(extensions) << 7) | (bound << BOUND_SHIFT) | (u32(ply & 1) << SIDE_SHIFT) |
           (s.table_age << AGE_SHIFT);
}

DEVICE u32 checksum(const Entry& e) { return e.own ^ (e.opp * 3) ^ (e.kings * 5) ^ (e.searched * 7) ^ (e.code * 11) ^ (e.value * 13); }

// Whether an entry is about this position; several warps write, so a torn entry is told by its check.
DEVICE bool read_entry(const Entry* place, const Position& p, Entry& e) {
#ifdef __CUDACC__
    u32 word = 0, lane = threadIdx.x & 31;
    if (lane < 8) word = ((volatile const u32*)place)[lane];
    e.own = __shfl_sync(0xFFFFFFFFu, word, 0);
    e.opp = __shfl_sync(0xFFFFFFFFu, word, 1);
    e.kings = __shfl_sync(0xFFFFFFFFu, word, 2);
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

// The higher the sooner: the table's move, killers, steps that give nothing away, history; captures by what they take.
DEVICE u32 urgency(const Search& s, const Move& move, int ply, u32 known, const Frame& f) {
    if (move.code == known) return 1u << 30;
    if (move.code & CAPTURE_BIT) return 32 - popcount(move.opp);
    if (move.code == f.killer) return (1u << 29) + 1;
    if (move.code == f.older_killer) return 1u << 29;
    u32 key = s.history[history_place(move.code, ply)];
    return is_exposed(move.own, move.opp, move.kings) ? key : key + (1u << 28);
}

// Each lane's place when the lanes of a mask stand in order of their keys.
DEVICE void rank(const PerLane<u32>& key, u32 mask, PerLane<int>& place) {
    FOR_LANES(lane) place[lane] = 0;
    for (u32 left = mask; left; left &= left - 1) {
        int other = lowest_bit(left);
        u32 its = at_lane(key, other);
        FOR_LANES(lane) place[lane] += its > key[lane] || (its == key[lane] && other < lane);
    }
}

// Sort the moves from `front` to `end`, thirty-two at a time.
DEVICE void order_moves(Search& s, int front, int end, int ply, u32 known) {
    for (; front < end - 1; front += 32) {
        int count = end - front < 32 ? end - front : 32;
        PerLane<Move> move;
        PerLane<u32> key;
        PerLane<int> place;
        FOR_LANES(lane) if (lane < count) {
            move[lane] = s.moves[front + lane];
            key[lane] = urgency(s, move[lane], ply, known, s.frames[ply]);
        }
        rank(key, count < 32 ? below(count) : 0xFFFFFFFFu, place);
        warp_sync();
        FOR_LANES(lane) if (lane < count) s.moves[front + place[lane]] = move[lane];
        warp_sync();
    }
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

// Value leaves, which the lanes hold as their sides to move see them, from `at` on; the number of those that have a value now.
DEVICE int leaf_values(Search& s, const PerLane<Move>& leaf, int at, int count, int ply, PerLane<float>& values) {
    bool odd = ply & 1, opponents_view = odd && !(s.evaluator->flags & MOVER_BIT);
    bool viewer_is_white = s.root_is_white != (odd && !opponents_view);
    bool turned = (s.evaluator->flags & FIXED_BIT) && viewer_is_white && s.evaluator->kind == KIND_SPATIAL;
    PerLane<u32> own, opp, kings;
    FOR_LANES(lane) {
        own[lane] = opponents_view ? reversed(leaf[lane].opp) : leaf[lane].own;
        opp[lane] = opponents_view ? reversed(leaf[lane].own) : leaf[lane].opp;
        kings[lane] = opponents_view ? reversed(leaf[lane].kings) : leaf[lane].kings;
        if (turned) own[lane] = reversed(own[lane]), opp[lane] = reversed(opp[lane]), kings[lane] = reversed(kings[lane]);
    }
    int valued = evaluate(*s.evaluator, *s.scratch, own, opp, kings, at, count, s.salt, values);
    if (opponents_view) FOR_LANES(lane) values[lane] = -values[lane];
    s.evaluations += valued;
    return valued;
}

// Value the quiet ones among a position's last moves at once, and leave those that must be searched on: where they end. The best
// value and its move are raised; once it reaches beta, the rest may be forgotten.
DEVICE int value_leaves(Search& s, int front, int end, int ply, u32 known, float beta, float& best, u32& best_code) {
    int left = front;
    for (int next = front; next < end; next += 32) {
        PerLane<Move> move, leaf;
        PerLane<u32> key;
        PerLane<int> place;
        PerLane<bool> quiet, stuck, loud;
        FOR_LANES(lane) {
            quiet[lane] = stuck[lane] = loud[lane] = false;
            key[lane] = 0;
            if (next + lane < end) {
                move[lane] = s.moves[next + lane];
                Position child = turn(move[lane]);
                loud[lane] = jumpers(child) != 0;
                quiet[lane] = !loud[lane] && can_step(child);
                stuck[lane] = !loud[lane] && !quiet[lane];
                leaf[lane] = {child.own, child.opp, child.kings, move[lane].code};
                key[lane] = urgency(s, move[lane], ply, known, s.frames[ply]);
            }
        }
        u32 lost = ballot(stuck), captures = ballot(loud), leaves = ballot(quiet);
        if (lost) {
            best = WIN_VALUE - float(ply + 1);
            PerLane<u32> code;
            FOR_LANES(lane) code[lane] = move[lane].code;
            best_code = at_lane(code, lowest_bit(lost));
            if (best >= beta) return left;
        }
        rank(key, leaves, place);
        warp_sync();
        FOR_LANES(lane) {
            if (quiet[lane]) s.leaves[place[lane]] = leaf[lane];
            if (loud[lane]) s.moves[left + popcount(captures & below(lane))] = move[lane];
        }
        left += popcount(captures);
        warp_sync();
        int count = popcount(leaves);
        FOR_LANES(lane) leaf[lane] = lane < count ? s.leaves[lane] : Move{0, 0, 0, 0};
        PerLane<float> values;
        for (int at = 0; at < count;) {
            int valued = leaf_values(s, leaf, at, count, ply + 1, values);
            for (int i = at; i < at + valued; ++i) {
                float value = -at_lane(values, i);
                if (value > best) best = value, best_code = s.leaves[i].code;
            }
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
    if (f.depth > 0) {
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
        if (depth <= 0) end = value_leaves(s, at, end, ply, known, beta, best, best_code);
        else order_moves(s, at, end, ply, known);
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
            if (f.best >= f.beta || f.move >= f.end) {
                if (--ply == base) return f.best;
                deliver(s.frames[ply - 1], s.moves, finish(s, f, ply));
                continue;
            }
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
            if (depth > 0) {
                u32 wanted = what_was_searched(s, depth, extensions, EXACT, ply);
                Entry e;
                if (read_entry(entry_of(s, p), p, e) && is_same_player(e, wanted)) {
                    known = e.code;
                    float value = value_of(e, ply);
                    if (answers(e, wanted, value, alpha, beta)) {
                        deliver(f, s.moves, value);
                        continue;
                    }
                }
            }
            u32 pieces = jumpers(p);
            end = pieces ? list_jumps(p, pieces, s.moves, at) : list_steps(p, s.moves, at);
            if (end > at) {
                --depth;
                if (pieces && extensions > 0) depth += 2, --extensions;
                break;
            }
            deliver(f, s.moves, float(ply) - WIN_VALUE);
        }
    }
}

}  // namespace evo
