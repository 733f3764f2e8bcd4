/** Columns of a row of tiles. */
export const rowColumns = 12;

/** Widths of a row's tiles. Tiles without a width share the rest; `undefined` if they do not fit. */
export function divideWidth(
  tiles: readonly { width?: number | undefined }[],
): number[] | undefined {
  const taken = tiles.reduce((sum, { width }) => sum + (width ?? 0), 0);
  const sharing = tiles.filter(({ width }) => width === undefined).length;
  const rest = rowColumns - taken;
  if (rest < sharing) return undefined;
  let shared = 0;
  return tiles.map(({ width }) => {
    if (width !== undefined) return width;
    shared += 1;
    return Math.floor((rest * shared) / sharing) - Math.floor((rest * (shared - 1)) / sharing);
  });
}
