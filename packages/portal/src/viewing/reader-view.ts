import { grains } from '@portal-embed/report-model';
import { z } from 'zod';

import type { ReaderView } from '#viewer/requests';

/** The name of a field. */
export const readerFieldSchema = z.string().min(1).max(250);
const key = z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]);
const tile = z.string().min(1).max(100);

const hasOneEach = (tiles: readonly { tile: string }[]) =>
  new Set(tiles.map((item) => item.tile)).size === tiles.length;
const onePerTile = { error: 'each tile can have only one' };

/** Values of all filters together: 20,000 ranges occupied the engine for 17 seconds. */
const maxValues = 1_000;
const countValues = (filters: readonly { values: readonly unknown[] }[]) =>
  filters.reduce((count, { values }) => count + values.length, 0);

export const readerViewSchema: z.ZodType<ReaderView> = z.strictObject({
  filters: z
    .array(
      z.strictObject({
        field: readerFieldSchema,
        values: z.array(key).max(maxValues),
        grain: z.enum(grains).optional(),
        tile: tile.optional(),
        mark: z.int().min(0).max(100).optional(),
        allPages: z.boolean().optional(),
      }),
    )
    .max(100)
    .refine((filters) => countValues(filters) <= maxValues, {
      error: `all filters together can have at most ${maxValues} values`,
    }),
  sorts: z
    .array(
      z.strictObject({
        tile,
        column: z.int().min(0).max(100),
        descending: z.boolean(),
        keys: z.array(key).max(20).optional(),
      }),
    )
    .max(100)
    .refine(hasOneEach, onePerTile),
  drills: z
    .array(z.strictObject({ tile, path: z.array(key).max(20) }))
    .max(100)
    .refine(hasOneEach, onePerTile),
  searches: z
    .array(z.strictObject({ tile, text: z.string().min(1).max(200) }))
    .max(100)
    .refine(hasOneEach, onePerTile)
    .optional(),
});
