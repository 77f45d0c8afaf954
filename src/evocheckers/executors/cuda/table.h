// A game's transposition table, shared by its warps: values of positions in the tree, and of its leaves.
//
// Several warps read and write without synchronisation. The words of an entry are tied together, so that a torn entry
// is not found.

#pragma once

#include "rules.h"

namespace evo {

enum : u32 { BOUND_BITS = 3u << BOUND_SHIFT };

struct alignas(32) Entry {
    u32 own, opp, kings, searched, code, value, check, spare;
};

struct alignas(16) Leaf {
    u32 own, opp, kings, value;
};

struct Table {
    Entry* entries;
    Leaf* leaves;
    u32 mask, age;  // an entry of another age belongs to another player or another game
};

enum : u32 { OWN_FACTOR = 0x9E3779B1u, OPP_FACTOR = 0x85EBCA77u, KINGS_FACTOR = 0xC2B2AE3Du };

DEVICE u32 hash_of(u32 own, u32 opp, u32 kings) {
    u32 h = own * OWN_FACTOR + opp * OPP_FACTOR + kings * KINGS_FACTOR;
    h = (h ^ (h >> 16)) * 0x7FEB352Du;
    return h ^ (h >> 15);
}

// ---------------------------------------------------------------- positions in the tree, one per warp

DEVICE Entry* entry_of(const Table& table, const Position& p) { return table.entries + (hash_of(p.own, p.opp, p.kings) & table.mask); }

DEVICE u32 what_was_searched(const Table& table, int depth, int extensions, u32 bound, int ply) {
    return u32(depth) | (u32(extensions) << EXTENSION_SHIFT) | (bound << BOUND_SHIFT) | (u32(ply & 1) << SIDE_SHIFT) | (table.age << AGE_SHIFT);
}

// Positions with little left to search are cheaper to search again than to store.
DEVICE bool is_remembered(int depth, int extensions) { return depth >= (extensions > 0 ? 1 : 2); }

DEVICE u32 checksum(const Entry& e) { return e.own ^ (e.opp * 3) ^ (e.kings * 5) ^ (e.searched * 7) ^ (e.code * 11) ^ (e.value * 13); }

// Whether an entry holds this position.
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

// ---------------------------------------------------------------- leaves, one per lane

DEVICE Leaf* leaf_of(const Table& table, u32 own, u32 opp, u32 kings) {
    return table.leaves + (hash_of(own, opp, kings) & ((1u << LEAF_BITS) - 1));
}

// How a leaf is stored: every word depends on the one before, on the value and on the age.
DEVICE Leaf sealed(const Table& table, u32 own, u32 opp, u32 kings, u32 value) {
    u32 seal = value ^ (table.age * OWN_FACTOR);
    return {own ^ seal, opp ^ (own * OWN_FACTOR) ^ seal, kings ^ (opp * OPP_FACTOR) ^ seal, value};
}

// Whether this leaf, as its evaluator sees it, has been valued before.
DEVICE bool read_leaf(const Table& table, u32 own, u32 opp, u32 kings, float& value) {
    const Leaf* place = leaf_of(table, own, opp, kings);
#ifdef __CUDACC__
    uint4 words = __ldcv((const uint4*)place);
    Leaf leaf = {words.x, words.y, words.z, words.w};
#else
    Leaf leaf = *place;
#endif
    Leaf wanted = sealed(table, own, opp, kings, leaf.value);
    value = float_of(leaf.value);
    return leaf.own == wanted.own && leaf.opp == wanted.opp && leaf.kings == wanted.kings;
}

DEVICE void write_leaf(const Table& table, u32 own, u32 opp, u32 kings, float value) {
    *leaf_of(table, own, opp, kings) = sealed(table, own, opp, kings, bits_of(value));
}

}  // namespace evo
