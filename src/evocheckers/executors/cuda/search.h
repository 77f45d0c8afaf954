// Alpha-beta with a transposition table; line by line that of search/, where it is explained. The value of a position does not
// depend on the order of search, so neither do the games on how many warps share a table.

#pragma once

#include "evaluation.h"

namespace evo {

#define WIN_VALUE 1000000.0f
#define DECIDED_VALUE 999000.0f
#define INFINITE_VALUE 2000000.0f

enum : int { HISTORY = 256, LEAF_DEPTH = 127, FULL = 0, EMPTY = 1, WIDENED = -1 };
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
    u32* keys;
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

DEVICE void bring_forward(Move* moves, int front, int end, u32 code) {
    for (int at = front; at < end; ++at)
        if (moves[at].code == code) {
            Move move = moves[at];
            moves[at] = moves[front];
            moves[front] = move;
            return;
        }
}

DEVICE void order_steps(Search& s, int front, int end, int ply, u32 known) {
    u32 killer = s.frames[ply].killer, older = s.frames[ply].older_killer;
    for (int i = 0; i < end - front; ++i) {
        Move move = s.moves[front + i];
        u32 key;
        if (move.code == known) key = 1u << 30;
        else if (move.code == killer) key = (1u << 29) + 1;
        else if (move.code == older) key = 1u << 29;
        else {
            key = s.history[history_place(move.code, ply)];
            if (!is_exposed(move.own, move.opp, move.kings)) key += 1u << 28;
        }
        int place = i;
        for (; place > 0 && s.keys[place - 1] < key; --place) {
            s.keys[place] = s.keys[place - 1];
            s.moves[front + place] = s.moves[front + place - 1];
        }
        s.keys[place] = key;
        if (place < i) s.moves[front + place] = move;
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

DEVICE float leaf_value(Search& s, const Position& p, int ply) {
    u32 searched = what_was_searched(s, LEAF_DEPTH, 0, EXACT, ply);
    Entry* place = entry_of(s, p);
    Entry known;
    if (read_entry(place, p, known) && known.searched == searched) return float_of(known.value);
    ++s.evaluations;
    bool odd = ply & 1, opponents_view = odd && !(s.evaluator->flags & MOVER_BIT);
    bool viewer_is_white = s.root_is_white != (odd && !opponents_view);
    Position seen = opponents_view ? turn(p.own, p.opp, p.kings) : p;
    float value = evaluate(*s.evaluator, *s.scratch, seen.own, seen.opp, seen.kings,
                           (s.evaluator->flags & FIXED_BIT) && viewer_is_white, s.salt);
    if (opponents_view) value = -value;
    write_entry(place, p, searched, 0, value, ply);
    return value;
}

// The value of a position to its side to move, exact within the window. Moves are listed from `at` on.
DEVICE float alpha_beta(Search& s, Position p, int depth, int extensions, int ply, int at, float alpha, float beta) {
    const int base = ply;
    for (;;) {
        // Come to a position: find its value, or list its moves and go deeper.
        float value = 0.0f;
        bool deeper = false;
        u32 pieces = jumpers(p);
        if (depth <= 0 && pieces == 0) {
            value = can_step(p) ? leaf_value(s, p, ply) : float(ply) - WIN_VALUE;
        } else {
            deeper = true;
            u32 known = 0;
            if (depth > 0) {
                u32 wanted = what_was_searched(s, depth, extensions, EXACT, ply);
                Entry e;
                if (read_entry(entry_of(s, p), p, e) && is_same_player(e, wanted)) {
                    known = e.code;
                    value = value_of(e, ply);
                    deeper = !answers(e, wanted, value, alpha, beta);
                }
            }
            if (deeper) {
                int end;
                if (pieces) {
                    end = list_jumps(p, pieces, s.moves, at);
                    if (known) bring_forward(s.moves, at, end, known);
                } else {
                    end = list_steps(p, s.moves, at);
                    order_steps(s, at, end, ply, known);
                }
                if (end == at) {
                    value = float(ply) - WIN_VALUE;
                    deeper = false;
                } else {
                    Frame& f = s.frames[ply];
                    f.own = p.own, f.opp = p.opp, f.kings = p.kings, f.best_code = s.moves[at].code;
                    f.alpha = alpha, f.beta = beta, f.best = -INFINITE_VALUE, f.first_alpha = alpha;
                    f.depth = depth, f.extensions = extensions, f.window = FULL;
                    if (pieces && extensions > 0) depth += 2, --extensions;
                    f.move = at, f.end = end, f.child_depth = depth - 1, f.child_extensions = extensions;
                    ++ply;
                }
            }
        }
        // Hand the value up until some position has a move to try.
        while (!deeper) {
            if (ply == base) return value;
            Frame& f = s.frames[ply - 1];
            value = -value;
            if (f.window == EMPTY && f.alpha < value && value < f.beta) {
                f.window = WIDENED;
                break;
            }
            if (value > f.best) {
                f.best = value;
                f.best_code = s.moves[f.move].code;
                if (value > f.alpha) f.alpha = value;
            }
            ++f.move;
            if (f.best < f.beta && f.move < f.end) break;
            --ply;
            value = f.best;
            u32 bound = EXACT;
            if (value >= f.beta) {
                bound = AT_LEAST;
                remember_refutation(s, f.best_code, f.depth, ply);
            } else if (value <= f.first_alpha) {
                bound = AT_MOST;
            }
            if (f.depth > 0) {
                Position here = {f.own, f.opp, f.kings};
                write_entry(entry_of(s, here), here, what_was_searched(s, f.depth, f.extensions, bound, ply), f.best_code,
                            value, ply);
            }
        }
        // Go to the child that the position at ply - 1 is trying.
        Frame& f = s.frames[ply - 1];
        p = turn(s.moves[f.move]);
        depth = f.child_depth, extensions = f.child_extensions, at = f.end;
        alpha = -f.beta, beta = -f.alpha;
        if (f.window == WIDENED) {
            f.window = FULL;
        } else if (f.best > -INFINITE_VALUE && f.alpha > -INFINITE_VALUE) {
            f.window = EMPTY;
            alpha = just_below(beta);
        }
    }
}

}  // namespace evo
