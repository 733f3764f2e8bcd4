import { findPostgres, startPostgres } from 'test-support';
import { chooseRepetitions } from 'test-support/repetitions';
import { readSeed } from 'test-support/seed';
import { expect, it, onTestFinished } from 'vitest';

import { checkRandomLookUps } from '../../../test/random-reports/check-look-ups.ts';
import { checkRandomReports } from '../../../test/random-reports/check.ts';
import { compareEveryField } from '../../../test/random-reports/every-field.ts';
import { createTables } from '../../../test/random-reports/postgres.ts';
import { createRows } from '../../../test/random-reports/rows.ts';
import { ContentStage, storeDataset } from '../../../test/support/content.ts';
import { openConnections } from '../open.ts';

const seed = readSeed();
const runs = chooseRepetitions(500, 10_000);
const lookUpRuns = chooseRepetitions(500, 10_000);

async function createStage() {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const url = server.url('postgres');
  const rows = createRows(300, seed);
  await createTables(url, rows);
  const stage = new ContentStage(
    openConnections([{ name: 'warehouse', engine: 'postgres', url }], {
      sourceQueries: 4,
      userQueries: 4,
      memoryMb: 256,
    }),
  );
  onTestFinished(() => stage.close());
  return { stage, rows };
}

const source = { connection: 'warehouse', table: 'public.orders' };

const managers = storeDataset({
  name: 'managers',
  source: { connection: 'warehouse', sql: 'SELECT * FROM managers -- of teams' },
});

it.skipIf(!findPostgres())(
  `${runs} random reports and ${lookUpRuns} roles with look-ups over PostgreSQL show the same as a plain computation`,
  async () => {
    const given = { ...(await createStage()), managers, seed };
    const shown = await checkRandomReports({ ...given, source, runs });
    // Most readers see some rows.
    expect(shown).toBeGreaterThan(runs * 20);
    const allowed = await checkRandomLookUps({ ...given, source, runs: lookUpRuns });
    expect(allowed).toBeGreaterThan(lookUpRuns * 10);
  },
  7_200_000,
);

it.skipIf(!findPostgres())(
  'each field over PostgreSQL has the values of a plain computation',
  async () => {
    expect(await compareEveryField({ ...(await createStage()), source })).toEqual([]);
  },
  120_000,
);
