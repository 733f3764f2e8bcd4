/** Cuts a text that is longer than `maxLength`, so that one sees that it was cut. */
export const shorten = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
