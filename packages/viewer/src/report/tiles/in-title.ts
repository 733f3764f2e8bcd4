const wordsOf = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}%]+/u)
    .filter(Boolean);

/** Whether a title already has all words of a name. */
export function isInTitle(title: string, name: string): boolean {
  const known = new Set(wordsOf(title));
  return wordsOf(name).every((word) => known.has(word));
}
