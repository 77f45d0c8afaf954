// The rules of English draughts; word for word those of rules/bitboard.py, where they are explained.

#pragma once

#include "lanes.h"

namespace evo {

struct alignas(16) Move {
    u32 own, opp, kings, code;
};

struct Position {
    u32 own, opp, kings;
};

enum : u32 { CAPTURE_BIT = 1u << 5, PATH_SHIFT = 6, LAST_ROW = 0xF0000000u };
enum : int { MAX_MOVES = 64 };  // of a position, as far as there is room for them

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

// Count the captures of one piece, and write as many as there is room for; the path itself tells the way back.
DEVICE int list_jumps_of(u32 piece, const Position& p, Move* moves, int room) {
    bool crowned = (p.kings & piece) != 0, finished = false;
    u32 directions = crowned ? 4 : 2, start = lowest_bit(piece);
    u32 own = p.own ^ piece, opp = p.opp, kings = p.kings & ~piece, path = 1, direction = 0;
    int count = 0;
    for (;;) {
        if (direction < directions) {
            u32 over = step(piece, direction) & opp;
            u32 landing = step(over, direction) & ~(own | opp);
            if (landing == 0) {
                ++direction;
            } else if (!crowned && (landing & LAST_ROW)) {
                u32 left = opp ^ over;
                if (count < room)
                    moves[count] = {own | landing, left, (kings & (own | left)) | landing,
                                    start | CAPTURE_BIT | (((path << 2) | direction) << PATH_SHIFT)};
                ++count;
                finished = false;
                ++direction;
            } else {
                opp ^= over;
                piece = landing;
                path = (path << 2) | direction;
                direction = 0;
                finished = true;
            }
        } else {
            if (finished) {
                if (count < room)
                    moves[count] = {own | piece, opp, (kings & (own | opp)) | (crowned ? piece : 0u),
                                    start | CAPTURE_BIT | (path << PATH_SHIFT)};
                ++count;
            }
            if (path == 1) return count;
            direction = path & 3;
            path >>= 2;
            u32 over = step(piece, 3 - direction);
            piece = step(over, 3 - direction);
            opp |= over;
            ++direction;
            finished = false;
        }
    }
}

// All captures, from `at` on: a lane first counts and then writes those of the piece on its square.
DEVICE int list_jumps(const Position& p, u32 pieces, Move* moves, int at) {
    PerLane<int> count, place;
    FOR_LANES(lane) count[lane] = 0, place[lane] = 0;
    int total = 0;
    ROLLED for (int writing = 0; writing < 2; ++writing) {
        warp_sync();
        FOR_LANES(lane) {
            u32 piece = pieces & (1u << lane);
            int room = writing ? MAX_MOVES - place[lane] : 0;
            if (piece) count[lane] = list_jumps_of(piece, p, moves + at + place[lane], room);
        }
        if (writing) break;
        ROLLED for (u32 left = pieces; left; left &= left - 1) {
            int jumper = lowest_bit(left);
            FOR_LANES(lane) if (lane == jumper) place[lane] = total;
            total += at_lane(count, jumper);
        }
    }
    warp_sync();
    return at + total;
}

// All steps, from `at` on: a lane writes those to its square.
DEVICE int list_steps(const Position& p, Move* moves, int at) {
    u32 empty = ~(p.own | p.opp), crowned = p.own & p.kings;
    u32 targets[4] = {up_left(p.own) & empty, up_right(p.own) & empty, down_left(crowned) & empty, down_right(crowned) & empty};
    warp_sync();
    UNROLLED for (u32 direction = 0; direction < 4; ++direction) {
        if (!targets[direction]) continue;
        FOR_LANES(lane) {
            u32 to = 1u << lane;
            if (targets[direction] & to) {
                u32 start = step(to, 3 - direction);
                u32 kings = p.kings & start ? p.kings ^ (start | to) : p.kings | (to & LAST_ROW);
                moves[at + popcount(targets[direction] & below(lane))] = {
                    p.own ^ start ^ to, p.opp, kings, u32(lowest_bit(start)) | ((4 | direction) << PATH_SHIFT)};
            }
        }
        at += popcount(targets[direction]);
    }
    warp_sync();
    return at;
}

// All moves of a position, from `at` on; where they end. If there are more than MAX_MOVES, the others are not written.
NOINLINE int list_moves(Position p, Move* moves, int at) {
    u32 pieces = jumpers(p);
    return pieces ? list_jumps(p, pieces, moves, at) : list_steps(p, moves, at);
}

}  // namespace evo
