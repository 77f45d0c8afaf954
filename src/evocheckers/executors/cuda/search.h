// Alpha-beta with the same values as search/, which explains the rule; quiet leaves of a position are valued together.
// The value of a position does not depend on the order of search, so games do not depend on how many warps share a
// table.

#pragma once

#include "evaluation.h"
#include "table.h"

namespace evo {

struct Frame {
    u32 own, opp, kings, best_code, killer, older_killer;
    float alpha, beta, best, first_alpha;
    int move, end, child_depth, child_extensions, depth, extensions, window;
};

// The state of one warp's search.
struct Search {
    Evaluator evaluator;
    Scratch* scratch;
    Move* moves;
    Move* leaves;
    u32* negated;  // leaves whose values must be negated
    Frame* frames;
    u32* history;  // shared by the game's warps
    Table table;
    int room;  // for moves
    bool failed;  // there was no room left
    u64 salt;
    bool root_is_white;
    u32 evaluations;

    // Whether leaves are valued as they stand, without quiescence.
    DEVICE bool is_standing() const { return evaluator.flags & STANDING_BIT; }
};

// ---------------------------------------------------------------- the paper's two readings: search/readings.py

// Whether a position with this many moves is searched two plies deeper.
DEVICE bool is_extended(const Search& s, const Position& p, int moves, int extensions) {
    return extensions > 0 && (moves == 1 || !(s.evaluator.flags & ONLY_MOVE_BIT)) && jumpers(p);
}

// The extensions left on a line after one more.
DEVICE int after_extension(int extensions) { return extensions == MAX_EXTENSIONS ? extensions : extensions - 1; }

// The plies deducted from the value of a win.
DEVICE int counted_plies(const Search& s, int ply) { return s.evaluator.flags & EQUAL_WINS_BIT ? 0 : ply; }

// ---------------------------------------------------------------- the order of moves

DEVICE int history_place(u32 code, int ply) {
    return ((ply & 1) << 7) | int((code & 31) << 2) | int((code >> PATH_SHIFT) & 3);
}

// Hints for the order of moves.
struct Hints {
    u32 known, killer, older_killer;
    const u32* history;
    int ply;
};

// Moves with higher keys are tried first; a key is never 0. The table's move, killers, steps that give nothing away,
// history; captures by what they take.
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
    if (first_lane()) atomic_add(&s.history[history_place(code, ply)], u32(depth + 1));
    warp_sync();
    Frame& f = s.frames[ply];
    if (f.killer != code) {
        f.older_killer = f.killer;
        f.killer = code;
    }
}

// ---------------------------------------------------------------- the tree

// A leaf as the evaluator sees it, and whether its value must be negated for the side to move `turns` moves before.
struct Seen {
    u32 own, opp, kings, negated;
};

DEVICE Seen as_seen(const Search& s, const Position& p, int ply, int turns) {
    const bool movers_view = s.evaluator.flags & MOVER_BIT, fixed_view = s.evaluator.flags & FIXED_BIT;
    const bool blacks_view = s.evaluator.flags & BLACK_BIT;
    bool odd = (ply + turns) & 1, other_view = blacks_view ? s.root_is_white != odd : odd && !movers_view;
    bool viewer_is_white = !blacks_view && s.root_is_white != (odd && movers_view);
    bool turned = fixed_view && viewer_is_white && AnyKind::is_network(s.evaluator.kind);
    u32 own = other_view ? p.opp : p.own, opp = other_view ? p.own : p.opp;
    bool around = other_view != turned;
    return {around ? reversed(own) : own, around ? reversed(opp) : opp, around ? reversed(p.kings) : p.kings,
            u32(other_view != bool(turns & 1))};
}

DEVICE u32 leaf_key(float value, u32 negated) { return ordered(negated ? -value : value); }

// The key of a value that the inputs alone show to lie outside the window; else 0.
DEVICE u32 key_outside(const Evaluator& e, const Seen& leaf, float alpha, float beta) {
    if (!AnyKind::is_network(e.kind)) return 0;
    float total = input_sum(AnyKind::king_value(e.kind, e.numbers), leaf.own, leaf.opp, leaf.kings);
    float low = total + e.margins[0], high = total + e.margins[1];
    if (leaf.negated) {
        float other = -low;
        low = -high, high = other;
    }
    return high <= alpha ? ordered(high) : low >= beta ? ordered(low) : 0;
}

// Raise the best value to the greatest of the lanes' keys, if any, and set the best code to the move in that lane.
DEVICE void raise(const PerLane<u32>& key, const Move* moves, float& best, u32& best_code) {
    u32 top = greatest(key);
    if (!top || unordered(top) <= best) return;
    PerLane<bool> is_top;
    FOR_LANES(lane) is_top[lane] = key[lane] == top;
    best = unordered(top);
    best_code = moves[lowest_bit(ballot(is_top))].code;
}

// Value the quiet leaves among a position's last moves at once, and keep the moves that must be searched further;
// returns their end. If no extension is left, captures without a choice are followed until the position is quiet.
// Values are exact within the window. The best value and its move are updated; once it reaches beta, the rest may be
// dropped.
DEVICE int value_leaves(Search& s, int front, int end, int extensions, int ply, float alpha, float beta, float& best, u32& best_code) {
    int left = front;
    ROLLED for (int next = front; next < end; next += 32) {
        PerLane<Move> move;
        PerLane<Seen> leaf;
        PerLane<bool> unknown, loud;
        PerLane<u32> key;
        FOR_LANES(lane) {
            unknown[lane] = loud[lane] = false;
            key[lane] = 0;
            if (next + lane < end) {
                move[lane] = s.moves[next + lane];
                Position child = turn(move[lane]);
                int turns = 1;
                const bool standing = s.is_standing() && jumpers(child);
                loud[lane] = jumpers(child) && !standing;
                if (loud[lane] && extensions == 0) loud[lane] = !follow_forced(child, turns);
                if (!loud[lane] && (standing || can_step(child))) {
                    float value;
                    leaf[lane] = as_seen(s, child, ply, turns);
                    key[lane] = key_outside(s.evaluator, leaf[lane], alpha, beta);
                    if (!key[lane]) {
                        unknown[lane] = !read_leaf(s.table, leaf[lane].own, leaf[lane].opp, leaf[lane].kings, value);
                        if (!unknown[lane]) key[lane] = leaf_key(value, leaf[lane].negated);
                    }
                } else if (!loud[lane]) {
                    if (turns == 1) key[lane] = ordered(WIN_VALUE - float(counted_plies(s, ply + 1)));
                    else loud[lane] = true;
                }
            }
        }
        u32 captures = ballot(loud), leaves = ballot(unknown);
        raise(key, s.moves + next, best, best_code);
        if (best >= beta) return left;
        warp_sync();
        FOR_LANES(lane) {
            if (unknown[lane]) {
                int place = popcount(leaves & below(lane));
                s.leaves[place] = {leaf[lane].own, leaf[lane].opp, leaf[lane].kings, move[lane].code};
                s.negated[place] = leaf[lane].negated;
            }
            if (loud[lane]) s.moves[left + popcount(captures & below(lane))] = move[lane];
        }
        left += popcount(captures);
        warp_sync();
        const int count = popcount(leaves);
        PerLane<u32> own, opp, kings, negated;
        FOR_LANES(lane) {
            Move found = lane < count ? s.leaves[lane] : Move{0, 0, 0, 0};
            own[lane] = found.own, opp[lane] = found.opp, kings[lane] = found.kings;
            negated[lane] = s.negated[lane];
        }
        ROLLED for (int at = 0; at < count;) {
            PerLane<float> values;
            int valued = AnyKind::evaluate(s.evaluator, *s.scratch, own, opp, kings, at, count, s.salt, values);
            FOR_LANES(lane) {
                key[lane] = 0;
                if (lane >= at && lane < at + valued) {
                    write_leaf(s.table, own[lane], opp[lane], kings[lane], values[lane]);
                    key[lane] = leaf_key(values[lane], negated[lane]);
                }
            }
            s.evaluations += valued;
            raise(key, s.leaves, best, best_code);
            if (best >= beta) return left;
            at += valued;
        }
    }
    return left;
}

// Back a position's value up to its parent.
DEVICE void deliver(Frame& f, const Move* moves, float value) {
    value = -value;
    if (f.window == NULL_WINDOW && f.alpha < value && value < f.beta) {
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

// Once all moves of a position are tried, or enough of them, store what is worth remembering.
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
        write_entry(entry_of(s.table, here), here, what_was_searched(s.table, f.depth, f.extensions, bound, ply), f.best_code, f.best,
                    counted_plies(s, ply));
    }
    return f.best;
}

// The value of a move to the side that makes it, exact within the window. `depth` and `extensions` are those left after
// the move.
DEVICE float value_of_move(Search& s, const Move& move, int depth, int extensions, int ply, float alpha, float beta) {
    const int base = ply;
    Position p = {0, 0, 0};  // nothing is stored for `move` alone
    int own_depth = 0, own_extensions = 0, at = 0, end = 1;
    u32 known = 0;
    if (first_lane()) s.moves[0] = move;
    warp_sync();
    for (;;) {
        // The moves of a position are listed: value those that end the line, and order the others.
        float best = -INFINITE_VALUE;
        u32 best_code = 0;
        if (depth > 0 || end - at > AnyKind::TOGETHER) order_moves(s.moves, at, end, hints_at(s, ply, known));
        if (depth <= 0) end = value_leaves(s, at, end, extensions, ply, alpha, beta, best, best_code);
        {
            Frame& f = s.frames[ply++];
            f.own = p.own, f.opp = p.opp, f.kings = p.kings, f.best_code = best_code;
            f.alpha = best > alpha ? best : alpha, f.beta = beta, f.best = best, f.first_alpha = alpha;
            f.depth = own_depth, f.extensions = own_extensions, f.window = FULL_WINDOW;
            f.move = at, f.end = end, f.child_depth = depth, f.child_extensions = extensions;
        }
        // Back up to a position with a move to try, and try it, until that leads to a position of unknown value.
        for (;;) {
            Frame& f = s.frames[ply - 1];
            float value;
            if (f.best >= f.beta || f.move >= f.end) {
                if (--ply == base) return f.best;
                value = finish(s, f, ply);
            } else {
                alpha = -f.beta, beta = -f.alpha;
                if (f.window == WIDENED) {
                    f.window = FULL_WINDOW;
                } else if (f.best > -INFINITE_VALUE && f.alpha > -INFINITE_VALUE) {
                    f.window = NULL_WINDOW;
                    alpha = just_below(beta);
                }
                p = turn(s.moves[f.move]);
                depth = own_depth = f.child_depth, extensions = own_extensions = f.child_extensions, at = f.end;
                known = 0;
                bool answered = false;
                if (is_remembered(depth, extensions)) {
                    u32 wanted = what_was_searched(s.table, depth, extensions, EXACT, ply);
                    Entry e;
                    if (read_entry(entry_of(s.table, p), p, e) && is_same_player(e, wanted)) {
                        known = e.code;
                        value = value_of(e, counted_plies(s, ply));
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
                        if (is_extended(s, p, end - at, extensions)) depth += 2, extensions = after_extension(extensions);
                        break;
                    }
                    value = float(counted_plies(s, ply)) - WIN_VALUE;
                }
            }
            deliver(s.frames[ply - 1], s.moves, value);
        }
    }
}

}  // namespace evo
