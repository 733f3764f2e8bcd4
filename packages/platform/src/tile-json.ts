/** Tiles as JSON: each is written once, to measure it and to send it. */
const written = new WeakMap<object, string>();

export function writeTile(tile: object): string {
  const known = written.get(tile);
  if (known !== undefined) return known;
  const json = JSON.stringify(tile);
  written.set(tile, json);
  return json;
}
