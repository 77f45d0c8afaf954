// The layout of a spatial network's numbers, as packed by vectors.py.

#pragma once

#include "lanes.h"

namespace evo::spatial {

// First come the columns of the first layer, COLUMN numbers for each square and for the biases; then at SECOND the
// second layer's weights, and at TAIL the rest: SECOND_BIASES, THIRD, THIRD_BIASES, OUTPUT and KING_VALUE are offsets
// in the tail.

// The node whose partial sums are in lanes 4 g .. 4 g + 3 of a vector of sixteen of the second layer.
DEVICE int second_node(int vector, int group) {
    return vector < 8 ? 16 * (vector / 4) + 4 * group + vector % 4 : 32 + 2 * group + vector - 8;
}

}  // namespace evo::spatial
