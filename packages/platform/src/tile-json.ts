/** JSON of each tile, which is needed twice: to measure the tile and to send it. */
const cache = new WeakMap<object, string>();

export function serializeTile(tile: object): string {
  const cached = cache.get(tile);
  if (cached !== undefined) return cached;
  const json = JSON.stringify(tile);
  cache.set(tile, json);
  return json;
}
