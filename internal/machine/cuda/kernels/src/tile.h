// Which tile of C a block computes.
#pragma once
#include "device.h"

INLINE unsigned tiles_of(unsigned size, unsigned tile) { return (size + tile - 1) / tile; }

// Blocks run about in the order of their numbers. In row-major order the blocks
// that run at one time would share few rows of A and need all of B; in groups of
// eight rows of tiles, column by column, they form a patch near a square, and its
// rows of A and columns of B are read from L2 many times for once from memory.
#define GROUP 8

INLINE void tile_of(unsigned block, unsigned rows, unsigned columns, unsigned *row, unsigned *column) {
	unsigned first = block / (GROUP * columns) * GROUP;
	unsigned height = rows - first < GROUP ? rows - first : GROUP;
	unsigned in_group = block % (GROUP * columns);
	*row = first + in_group % height;
	*column = in_group / height;
}
