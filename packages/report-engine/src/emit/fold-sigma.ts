import { sql, type Sql } from './sql.ts';

/**
 * Engines differ in how they lower a capital sigma at the end of a word. Only texts with a sigma need
 * this, so that other comparisons can use an index on the lower case.
 */
export const chooseFold = (texts: readonly string[]): ((lowered: Sql) => Sql) =>
  texts.some((text) => /[Σσς]/.test(text))
    ? (lowered) => sql`replace(${lowered}, 'ς', 'σ')`
    : (lowered) => lowered;
