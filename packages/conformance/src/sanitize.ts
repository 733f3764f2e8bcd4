/** Puts a text into one line, and escapes characters that could control a terminal. */
export const sanitize = (text: string): string =>
  text.replace(/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === '\n' ? ' ' : encodeURIComponent(character),
  );
