import type { readableTexts } from './readable-text.ts';
import { sql, type Sql } from './sql.ts';

/** What an engine needs to read texts in a form that its own functions do not read strictly. */
export interface TextTools {
  /** A constant text of the emitter. */
  quote: (text: string) => Sql;
  /** A text that contains a part of the content. */
  bind: (text: string) => Sql;
  /** The first group of a pattern. Null or an empty text if the value does not match. */
  extract: (value: Sql, pattern: Sql) => Sql;
  /** Replaces the first match of a pattern. `\\1` is its first group. */
  rewrite: (value: Sql, pattern: Sql, template: Sql) => Sql;
  /** Reads a text as a type, if `readableTexts` allows it. An empty text is null. */
  read: (text: Sql, type: keyof typeof readableTexts) => Sql;
}

/** Replaces one text after the other. */
export const replaceEach = (
  { quote }: TextTools,
  text: Sql,
  pairs: readonly (readonly [from: string, to: string])[],
): Sql =>
  pairs
    .filter(([from, to]) => from !== to)
    .reduce((each, [from, to]) => sql`replace(${each}, ${quote(from)}, ${quote(to)})`, text);
