import { sql, type Sql } from './sql.ts';

/** Engines differ in how they lower a capital sigma at the end of a word. */
export const foldSigma = (lowered: Sql): Sql => sql`replace(${lowered}, 'ς', 'σ')`;
