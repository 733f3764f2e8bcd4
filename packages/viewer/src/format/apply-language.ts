import type { Formats } from './create-formats.ts';

/** Sets the language and the direction of the document. */
export function applyLanguage({ language, direction }: Formats): void {
  const { documentElement } = document;
  documentElement.lang = language;
  documentElement.dir = direction;
}
