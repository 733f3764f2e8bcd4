const maxLength = 1_000;

/** Shortens a text, and escapes characters that could control a terminal. */
export function sanitize(text: string): string {
  const oneLine = text.replace(/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === '\n' ? ' ' : encodeURIComponent(character),
  );
  return oneLine.length > maxLength ? `${oneLine.slice(0, maxLength)}…` : oneLine;
}
