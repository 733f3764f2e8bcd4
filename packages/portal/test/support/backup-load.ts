import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';
import { createTemporaryFolder } from 'test-support';
import { expect } from 'vitest';

import { applyContent } from '../../src/content/service.ts';
import { removeUpload, storeUpload } from '../../src/content/uploads.ts';
import type { Database } from '../../src/db/connection/open.ts';
import { foldRowCounts, readTotal } from '../../src/db/query/row-counts.ts';
import { mintIdentityUrl } from '../../src/identity-urls/service.ts';
import { createUser } from '../../src/users/service.ts';
import type { TestOrganization } from './organization.ts';

/** Writes that go on during a backup. */
export interface Load {
  /** Writes that have finished, of each kind. */
  counts: { pairs: number; applies: number; uploads: number };
  stop: () => Promise<void>;
}

const datasetOf = (n: number) => ({
  'datasets/counter.yaml': JSON.stringify({
    name: `Counter ${n}`,
    source: { file: 'counter.csv' },
    rowAccess: 'everyone',
  }),
});

/**
 * Creates a user and mints a URL in turn, applies a data file that is new each time, and uploads files,
 * all at the same time. `checkMoment` knows what follows from that at each moment.
 */
export function startLoad(organization: TestOrganization, datasetFolder: string): Load {
  const { ctx } = organization;
  const dataFolder = createTemporaryFolder('portal-load-');
  const counts = { pairs: 0, applies: 0, uploads: 0 };
  const stopping = new AbortController();
  const repeat = async (work: () => Promise<unknown>) => {
    while (!stopping.signal.aborted) {
      await work();
      // Requests of the embedded database would leave no time for anything else.
      await delay(10);
    }
  };
  const writing = Promise.all([
    repeat(async () => {
      const userEmail = `pair-${counts.pairs}@acme.example`;
      await createUser(ctx, { email: userEmail, name: 'Pair', role: 3 });
      await mintIdentityUrl(ctx, {
        userEmail: organization.emails.west,
        reportId: organization.reportId,
        baseUrl: organization.address,
      });
      counts.pairs += 1;
    }),
    repeat(async () => {
      const n = counts.applies;
      fs.writeFileSync(path.join(dataFolder, 'counter.csv'), `N\n${n}\n`);
      await applyContent(ctx, { datasetFolder, dataFolder }, { files: datasetOf(n) });
      counts.applies += 1;
    }),
    repeat(async () => {
      const place = { root: datasetFolder, organizationId: organization.id };
      const { id } = await storeUpload(place, 'upload.csv', Readable.from([Buffer.from('N\n1\n')]));
      await foldRowCounts(ctx.db, 10);
      counts.uploads += 1;
      await delay(50);
      await removeUpload(place, id);
    }),
  ]);
  return {
    counts,
    stop: async () => {
      stopping.abort();
      await writing;
      fs.rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Checks that a restored database and its data files show one moment of `startLoad`. */
export async function checkMoment(
  db: Database,
  organization: TestOrganization,
  datasetFolder: string,
): Promise<{ pairs: number; applies: number }> {
  const count = async (query: string) =>
    (await sql.raw<{ n: number }>(`SELECT count(*) AS n FROM ${query}`).execute(db)).rows[0]!.n;
  const users = await count(`users WHERE email LIKE 'pair-%'`);
  const entries = await count(`activity_entries WHERE subject LIKE 'pair-%'`);
  const mints = await count(`activity_entries WHERE action = 'mintIdentityUrl'`);
  // A user and its entry are one transaction; the mint follows.
  expect(entries).toBe(users);
  expect([users, users - 1]).toContain(mints);
  for (const list of ['users', 'audit_entries'] as const)
    expect(await readTotal(db, organization.id, list)).toBe(
      await count(`${list} WHERE organization_id = '${organization.id}'`),
    );

  const { rows } = await sql<{ name: string; files: string[] }>`
    SELECT name, source -> 'files' AS files FROM datasets WHERE slug = 'counter'`.execute(db);
  const [dataset] = rows;
  if (!dataset) return { pairs: mints, applies: 0 };
  const folder = path.join(datasetFolder, organization.id);
  const copy = fs.readFileSync(path.join(folder, 'counter.csv'), 'utf8');
  expect(`Counter ${copy.split('\n')[1]}`).toBe(dataset.name);
  for (const file of dataset.files)
    for (const name of [file, file.replace('.parquet', '.json')])
      expect(fs.existsSync(path.join(folder, name))).toBe(true);
  expect(fs.readdirSync(folder).filter((name) => name === '.uploads')).toEqual([]);
  return { pairs: mints, applies: Number(copy.split('\n')[1]) + 1 };
}
