import type { KyselyPlugin } from 'kysely';

import type { Database } from '../../src/db/connection/open.ts';

/** Returns the statements that `work` runs on the database it is given, as JSON. */
export async function recordStatements(
  db: Database,
  work: (db: Database) => Promise<unknown>,
): Promise<string[]> {
  const statements: string[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements.push(JSON.stringify(node));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  await work(db.withPlugin(recorder));
  return statements;
}
