// The spatial network in half precision on tensor cores: a warp evaluates eight positions at once.
//
// Every layer is a product of 16 x 16 tiles of weights with eight columns of activations, one for each position. Sums
// have single precision, activations and weights half; so values differ from those of vectors.py in the third
// digit, and two moves of almost equal value may swap places.

#pragma once

#include "networks/spatial/packed.h"

namespace evo::spatial {

enum : int { TOGETHER = 8, TILES = 12 + 18 + 3, WORDS = 128 };
// Offsets in a network's numbers, as packed by `pack_half`: the tiles come first.
enum : int {
    FIRST_BIASES_AT = TILES * WORDS,
    SECOND_BIASES_AT = FIRST_BIASES_AT + 96,
    THIRD_BIASES_AT = SECOND_BIASES_AT + 48,
    OUTPUT_AT = THIRD_BIASES_AT + 16,
    OUTPUT_BIAS_AT = OUTPUT_AT + 16,
    KING_VALUE_AT,
    INPUTS_AT = OUTPUT_BIAS_AT + 4,  // two neighbouring squares' inputs by own | opp << 2 | kings << 4
    NUMBERS = INPUTS_AT + 64,
};

struct Scratch {};

DEVICE float king_value_of(const float* near) { return near[KING_VALUE_AT]; }
DEVICE const float* output_of(const float* near) { return near + OUTPUT_AT; }
DEVICE float output_bias_of(const float* near) { return near[OUTPUT_BIAS_AT]; }

DEVICE u32 halves(float low, float high) {
    u32 both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

DEVICE u32 tanh_of_halves(u32 x) {
    u32 both;
    asm("tanh.approx.f16x2 %0, %1;" : "=r"(both) : "r"(x));
    return both;
}

DEVICE float rough_tanh(float x) {
    float result;
    asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

// Convert nodes in rows and positions in columns to columns of the next layer's inputs.
DEVICE u32 transposed(u32 x) {
    u32 result;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(x));
    return result;
}

DEVICE void multiply(float* sums, uint4 tile, const u32* inputs) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(tile.x), "r"(tile.y), "r"(tile.z), "r"(tile.w), "r"(inputs[0]), "r"(inputs[1]));
}

// Sixteen nodes of a layer from `depth` tiles of inputs.
template <int depth> DEVICE void layer(float* sums, const float* biases, const float* tiles, const u32 (*inputs)[2]) {
    int row = (threadIdx.x & 31) >> 2;
    sums[0] = sums[1] = biases[row];
    sums[2] = sums[3] = biases[row + 8];
    UNROLLED for (int i = 0; i < depth; ++i) multiply(sums, ((const uint4*)tiles)[32 * i + (threadIdx.x & 31)], inputs[i]);
}

DEVICE void activate(const float* sums, u32* inputs) {
    inputs[0] = transposed(tanh_of_halves(halves(sums[0], sums[1])));
    inputs[1] = transposed(tanh_of_halves(halves(sums[2], sums[3])));
}

// The network's part of the value of eight positions, those in the lanes from `at` on.
DEVICE void evaluate_network(const float* near, Scratch&, const PerLane<u32>& own, const PerLane<u32>& opp,
                             const PerLane<u32>& kings, int at, PerLane<float>& values) {
    const int lane = threadIdx.x & 31, row = lane >> 2, column = lane & 3, from = (at + row) & 31;
    u32 mine = at_lane(own, from) >> (8 * column), theirs = at_lane(opp, from) >> (8 * column);
    u32 crowned = at_lane(kings, from) >> (8 * column);
    u32 inputs[2][2], first[6][2], second[3][2];
    float sums[4];
    UNROLLED for (int i = 0; i < 4; ++i)
        inputs[i / 2][i % 2] = bits_of(near[INPUTS_AT + (((mine >> (2 * i)) & 3) | (((theirs >> (2 * i)) & 3) << 2) |
                                                           (((crowned >> (2 * i)) & 3) << 4))]);
    UNROLLED for (int i = 0; i < 6; ++i) {
        layer<2>(sums, near + FIRST_BIASES_AT + 16 * i, near + 2 * i * WORDS, inputs);
        activate(sums, first[i]);
    }
    UNROLLED for (int i = 0; i < 3; ++i) {
        layer<6>(sums, near + SECOND_BIASES_AT + 16 * i, near + (12 + 6 * i) * WORDS, first);
        activate(sums, second[i]);
    }
    layer<3>(sums, near + THIRD_BIASES_AT, near + 30 * WORDS, second);
    float low = near[OUTPUT_AT + row], high = near[OUTPUT_AT + row + 8];
    PerLane<float> even, odd;
    even.value = rough_tanh(sums[0]) * low + rough_tanh(sums[2]) * high;
    odd.value = rough_tanh(sums[1]) * low + rough_tanh(sums[3]) * high;
    for (int bit = 4; bit < 32; bit *= 2) {
        add_across(even, bit);
        add_across(odd, bit);
    }
    int which = (lane - at) & 7;
    float even_value = at_lane(even, which >> 1), odd_value = at_lane(odd, which >> 1);
    if (lane >= at && lane < at + TOGETHER) values.value = (which & 1 ? odd_value : even_value) + near[OUTPUT_BIAS_AT];
}

// ---------------------------------------------------------------- packing

// The square of the first layer's input k, ordered so that a lane's inputs lie in one byte of the board.
DEVICE int input_square(int k) { return 8 * ((k & 7) / 2) + 4 * (k / 16) + 2 * ((k & 15) / 8) + (k & 1); }

// Where the second layer's numbers of a node lie in a vector of sixteen.
DEVICE int second_place(int node) {
    int vector = node < 32 ? 4 * (node / 16) + node % 4 : 8 + node % 2;
    int group = node < 32 ? node % 16 / 4 : (node - 32) / 2;
    return 16 * vector + 4 * group;
}

DEVICE float first_weight(const float* packed, int node, int k) { return packed[input_square(k) * COLUMN + node]; }
DEVICE float second_weight(const float* packed, int node, int k) {
    return node < 40 && k < 92 ? packed[SECOND + k / 4 * 160 + second_place(node) + k % 4] : 0.0f;
}
DEVICE float third_weight(const float* packed, int node, int k) {
    return node < 12 && k < 40 ? packed[TAIL + THIRD + k / 4 * 48 + 4 * node + k % 4] : 0.0f;
}

DEVICE float tile_weight(const float* packed, int tile, int row, int k) {
    if (tile < 12) return first_weight(packed, 16 * (tile / 2) + row, 16 * (tile % 2) + k);
    if (tile < 30) return second_weight(packed, 16 * ((tile - 12) / 6) + row, 16 * ((tile - 12) % 6) + k);
    return third_weight(packed, row, 16 * (tile - 30) + k);
}

DEVICE u32 tile_word(const float* packed, int tile, int lane, int part) {
    int row = (lane >> 2) + (part & 1 ? 8 : 0), k = 2 * (lane & 3) + (part & 2 ? 8 : 0);
    return halves(tile_weight(packed, tile, row, k), tile_weight(packed, tile, row, k + 1));
}

DEVICE float square_input(int own, int opp, int king, float king_value) {
    float size = king ? king_value : 1.0f;
    return own ? size : opp ? -size : 0.0f;
}

// Number i of those after the tiles.
DEVICE float packed_number(const float* packed, int i) {
    const float* tail = packed + TAIL;
    if (i < SECOND_BIASES_AT) return packed[32 * COLUMN + i - FIRST_BIASES_AT];
    if (i < THIRD_BIASES_AT) return i - SECOND_BIASES_AT < 40 ? tail[SECOND_BIASES + second_place(i - SECOND_BIASES_AT)] : 0.0f;
    if (i < OUTPUT_AT) return i - THIRD_BIASES_AT < 12 ? tail[THIRD_BIASES + 4 * (i - THIRD_BIASES_AT)] : 0.0f;
    if (i < OUTPUT_BIAS_AT) return i - OUTPUT_AT < 12 ? tail[OUTPUT + i - OUTPUT_AT] : 0.0f;
    if (i == OUTPUT_BIAS_AT) return tail[OUTPUT + 12];
    if (i == KING_VALUE_AT) return tail[KING_VALUE];
    if (i < INPUTS_AT) return 0.0f;
    int pair = i - INPUTS_AT;
    float king_value = tail[KING_VALUE];
    return float_of(halves(square_input(pair & 1, pair & 4, pair & 16, king_value),
                           square_input(pair & 2, pair & 8, pair & 32, king_value)));
}

}  // namespace evo::spatial

// One block per player: spatial networks are repacked; of others the first two numbers are kept.
extern "C" __global__ void pack_half(const i64* kinds, const float* weights, i64 stride, float* packed) {
    const float* from = weights + blockIdx.x * stride;
    float* to = packed + blockIdx.x * i64(evo::spatial::NUMBERS);
    i64 kind = kinds[blockIdx.x];
    bool spatial = kind == evo::KIND_SPATIAL || kind == evo::KIND_SPATIAL_BARE;
    for (int i = threadIdx.x; i < evo::spatial::NUMBERS; i += blockDim.x) {
        if (!spatial) to[i] = i < 2 ? from[i] : 0.0f;
        else if (i >= evo::spatial::FIRST_BIASES_AT) to[i] = evo::spatial::packed_number(from, i);
        else to[i] = evo::float_of(evo::spatial::tile_word(from, i / evo::spatial::WORDS, i % evo::spatial::WORDS / 4, i % 4));
    }
}
