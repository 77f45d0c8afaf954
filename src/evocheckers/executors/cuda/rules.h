// The rules of English draughts as in rules/bitboard.py, which explains boards and codes; the lanes of a warp list
// moves together.

#pragma once

#include "lanes.h"

namespace evo {

struct alignas(16) Move {
    u32 own, opp, kings, code;
};

struct Position {
    u32 own, opp, kings;
};

enum : u32 { LAST_ROW = 0xF0000000u };

DEVICE u32 up_left(u32 x) { return ((x & 0x0F0F0F0Fu) << 4) | ((x & 0xE0E0E0E0u) << 3); }
DEVICE u32 up_right(u32 x) { return ((x & 0xF0F0F0F0u) << 4) | ((x & 0x07070707u) << 5); }
DEVICE u32 down_left(u32 x) { return ((x & 0x0F0F0F0Fu) >> 4) | ((x & 0xE0E0E0E0u) >> 5); }
DEVICE u32 down_right(u32 x) { return ((x & 0xF0F0F0F0u) >> 4) | ((x & 0x07070707u) >> 3); }

DEVICE u32 step(u32 x, u32 direction) {
    if (direction < 2) return direction == 0 ? up_left(x) : up_right(x);
    return direction == 2 ? down_left(x) : down_right(x);
}

DEVICE Position turn(u32 own, u32 opp, u32 kings) { return {reversed(opp), reversed(own), reversed(kings)}; }
DEVICE Position turn(const Move& move) { return turn(move.own, move.opp, move.kings); }

DEVICE u32 jumpers(const Position& p) {
    u32 empty = ~(p.own | p.opp), crowned = p.own & p.kings;
    u32 up = down_right(down_right(empty) & p.opp) | down_left(down_left(empty) & p.opp);
    u32 down = up_right(up_right(empty) & p.opp) | up_left(up_left(empty) & p.opp);
    return (p.own & up) | (crowned & down);
}

DEVICE bool is_exposed(u32 own, u32 opp, u32 kings) {
    u32 empty = ~(own | opp), crowned = opp & kings;
    u32 down = up_right(up_right(empty) & own) | up_left(up_left(empty) & own);
    u32 up = down_right(down_right(empty) & own) | down_left(down_left(empty) & own);
    return ((opp & down) | (crowned & up)) != 0;
}

DEVICE bool can_step(const Position& p) {
    u32 empty = ~(p.own | p.opp), crowned = p.own & p.kings;
    return ((p.own & (down_right(empty) | down_left(empty))) | (crowned & (up_right(empty) | up_left(empty)))) != 0;
}

// A capture that may continue: the pieces left (without the capturing one), its square, and its code so far.
DEVICE Move unfinished(u32 own, u32 opp, u32 at, u32 code) { return {own, opp, at, code}; }

// Write all captures from `at` on, in no particular order: lanes hold unfinished ones with the same number of jumps,
// and each round finishes them or extends them by one jump in every possible way. `list` has room for 32.
DEVICE int list_jumps(const Position& p, u32 pieces, Move* moves, int at, Move* list) {
    u32 empty = ~(p.own | p.opp), crowned = p.own & p.kings;
    const u32 directions = pieces & crowned ? 4 : 2;
    int count = 0, total = 0;
    warp_sync();
    ROLLED for (u32 d = 0; d < directions; ++d) {
        u32 jumpers = (d < 2 ? p.own : crowned) & step(step(empty, 3 - d) & p.opp, 3 - d);
        FOR_LANES(lane) {
            u32 piece = 1u << lane;
            int place = count + popcount(jumpers & below(lane));
            if ((jumpers & piece) && place < 32) {
                u32 over = step(piece, d);
                list[place] = unfinished(p.own ^ piece, p.opp ^ over, step(over, d), u32(lane) | CAPTURE_BIT | ((4 | d) << PATH_SHIFT));
            }
        }
        count += popcount(jumpers);
    }
    while (count > 0) {
        if (count > 32) return at + MAX_MOVES + 1;
        PerLane<Move> item;
        PerLane<u32> ways;
        PerLane<bool> is;
        warp_sync();
        FOR_LANES(lane) {
            ways[lane] = 0;
            is[lane] = false;
            if (lane < count) {
                item[lane] = list[lane];
                u32 own = item[lane].own, opp = item[lane].opp, here = item[lane].kings;
                bool is_king = (p.kings >> (item[lane].code & 31)) & 1;
                if (is_king || !(here & LAST_ROW))
                    ROLLED for (u32 d = 0; d < (is_king ? 4 : 2); ++d)
                        if (step(step(here, d) & opp, d) & ~(own | opp)) ways[lane] |= 1u << d;
                is[lane] = ways[lane] == 0;
            }
        }
        u32 finished = ballot(is);
        FOR_LANES(lane) {
            int place = total + popcount(finished & below(lane));
            if (is[lane] && place < MAX_MOVES) {
                u32 own = item[lane].own, opp = item[lane].opp, here = item[lane].kings;
                bool is_king = ((p.kings >> (item[lane].code & 31)) & 1) || (here & LAST_ROW);
                moves[at + place] = {own | here, opp, (p.kings & (own | opp)) | (is_king ? here : 0u), item[lane].code};
            }
        }
        total += popcount(finished);
        int alive = count - popcount(finished);
        count = 0;
        if (alive == 0) break;
        warp_sync();
        ROLLED for (u32 d = 0; d < directions; ++d) {
            FOR_LANES(lane) is[lane] = (ways[lane] >> d) & 1;
            u32 going = ballot(is);
            FOR_LANES(lane) {
                int place = count + popcount(going & below(lane));
                if (is[lane] && place < 32) {
                    u32 over = step(item[lane].kings, d), code = item[lane].code;
                    code = (code & 63) | ((((code >> PATH_SHIFT) << 2) | d) << PATH_SHIFT);
                    list[place] = unfinished(item[lane].own, item[lane].opp ^ over, step(over, d), code);
                }
            }
            count += popcount(going);
        }
    }
    warp_sync();
    return at + total;
}

// Follow captures that leave neither side a choice, each lane for itself; false at a choice. `turns` counts moves.
DEVICE bool follow_forced(Position& p, int& turns) {
    for (u32 piece = jumpers(p); piece; piece = jumpers(p)) {
        if (piece & (piece - 1)) return false;
        bool is_king = p.kings & piece;
        u32 own = p.own ^ piece, opp = p.opp, here = piece;
        for (;;) {
            u32 empty = ~(own | opp), over = 0, to = 0, ways = 0;
            UNROLLED for (u32 d = 0; d < 4; ++d) {
                u32 passed = d < 2 || is_king ? step(here, d) & opp : 0u, landing = step(passed, d) & empty;
                if (landing) over = passed, to = landing, ++ways;
            }
            if (ways > 1) return false;
            if (ways == 0) break;
            opp ^= over;
            here = to;
            if (!is_king && (here & LAST_ROW)) break;
        }
        u32 kings = p.kings & (own | opp);
        if (is_king || (here & LAST_ROW)) kings |= here;
        p = turn(own | here, opp, kings);
        ++turns;
    }
    return true;
}

// The order of captures in rules/bitboard.py: by square, then by the first direction that differs.
DEVICE u32 capture_order(u32 code) {
    u32 path = code >> PATH_SHIFT, start = code & 31;
    while (!(path & (1u << 26))) path <<= 2;
    return (start << 26) | (path & ((1u << 26) - 1));
}

DEVICE void sort_captures(Move* moves, int end) {
    PerLane<Move> move[2];
    PerLane<int> place[2];
    for (int half = 0; half < 2; ++half) FOR_LANES(lane) if (32 * half + lane < end) {
        move[half][lane] = moves[32 * half + lane];
        place[half][lane] = 0;
        u32 mine = capture_order(move[half][lane].code);
        ROLLED for (int i = 0; i < end; ++i) place[half][lane] += capture_order(moves[i].code) < mine;
    }
    warp_sync();
    for (int half = 0; half < 2; ++half)
        FOR_LANES(lane) if (32 * half + lane < end) moves[place[half][lane]] = move[half][lane];
    warp_sync();
}

// Write all steps from `at` on: each lane writes those to its square.
DEVICE int list_steps(const Position& p, Move* moves, int at) {
    u32 empty = ~(p.own | p.opp), crowned = p.own & p.kings;
    const u32 directions = crowned ? 4 : 2;
    warp_sync();
    ROLLED for (u32 direction = 0; direction < directions; ++direction) {
        u32 targets = step(direction < 2 ? p.own : crowned, direction) & empty;
        FOR_LANES(lane) {
            u32 to = 1u << lane;
            if (targets & to) {
                u32 start = step(to, 3 - direction);
                u32 kings = p.kings & start ? p.kings ^ (start | to) : p.kings | (to & LAST_ROW);
                moves[at + popcount(targets & below(lane))] = {
                    p.own ^ start ^ to, p.opp, kings, u32(lowest_bit(start)) | ((4 | direction) << PATH_SHIFT)};
            }
        }
        at += popcount(targets);
    }
    warp_sync();
    return at;
}

// Write all moves of a position from `at` on; returns their end. Moves beyond MAX_MOVES are not written.
NOINLINE int list_moves(Position p, Move* moves, int at, Move* list) {
    u32 pieces = jumpers(p);
    return pieces ? list_jumps(p, pieces, moves, at, list) : list_steps(p, moves, at);
}

}  // namespace evo
