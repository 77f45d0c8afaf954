// Where the numbers of a spatial network lie, packed as evaluation/spatial_vectors.py packs them.

#pragma once

#include "lanes.h"

namespace evo {

struct alignas(16) Four {
    float at[4];
};

// Columns of the first layer, one for each square and one of biases; the second layer's weights; the tail behind them.
enum : int { COLUMN = 96, COLUMNS = 33 * COLUMN, SECOND = COLUMNS, TAIL = SECOND + 23 * 160 };
// Places in the tail.
enum : int {
    SECOND_BIASES = 0,
    THIRD = 160,
    THIRD_BIASES = THIRD + 10 * 48,
    OUTPUT = THIRD_BIASES + 48,
    KING_VALUE = OUTPUT + 16,
    TAIL_SIZE = KING_VALUE + 16,
};

// The node whose partial sums the lanes 4 g .. 4 g + 3 hold in a vector of sixteen of the second layer.
DEVICE int second_node(int vector, int group) {
    return vector < 8 ? 16 * (vector / 4) + 4 * group + vector % 4 : 32 + 2 * group + vector - 8;
}

}  // namespace evo
