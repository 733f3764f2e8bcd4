import type { Span } from '../expression/tree.ts';

/** A mistake in a content file. */
export interface Issue {
  /** Keys and indexes from the top of the file. For an unknown or duplicate key, the key is last. */
  path: (string | number)[];
  /** Whether the key at the end of `path` is the mistake, and not its value. */
  isKey?: boolean;
  /** Part of the text at `path`, if that text is an expression. */
  span?: Span;
  /** What is wrong and what would be right, such as `Margin: unknown field "Sals"; did you mean "Sales"?`. */
  message: string;
}
