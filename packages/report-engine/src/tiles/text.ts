import { describeTile, type ComputeTile } from './context.ts';

export const computeText: ComputeTile<'text'> = async (_context, tile) => ({
  ...describeTile(tile),
  text: tile.text,
});
