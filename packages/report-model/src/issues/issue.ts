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

/** Mistakes that are looked for in one file. Each may search the names of a dataset. */
export const maxIssues = 200;

/** The first mistakes of a file, and that there are others. */
export const limitIssues = (issues: readonly Issue[]): Issue[] =>
  issues.length <= maxIssues
    ? [...issues]
    : [
        ...issues.slice(0, maxIssues),
        { path: [], message: 'the file has more mistakes; correct the others first' },
      ];
