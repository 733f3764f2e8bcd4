import fs from 'node:fs';
import path from 'node:path';

import { send, startPostgres } from 'testing';
import { expect, it } from 'vitest';

import { startDemo } from './demo.ts';

it('npm start keeps all data in the PostgreSQL database that PORTAL_DATABASE_URL names', async () => {
  const cluster = await startPostgres();
  const databaseUrl = cluster.url('postgres');
  const first = await startDemo({ databaseUrl });
  await first.interrupt();
  expect(fs.existsSync(path.join(first.dataDir, 'database'))).toBe(false);
  // Another data directory with the same database: the same organizations, but new keys.
  const second = await startDemo({ databaseUrl });
  expect(second.env.ACME_ORGANIZATION_ID).toBe(first.env.ACME_ORGANIZATION_ID);
  expect(second.env.ACME_API_KEY).not.toBe(first.env.ACME_API_KEY);
  for (const key of [first.env.ACME_API_KEY, second.env.ACME_API_KEY]) {
    const answer = await send(`${second.env.PORTAL_URL}/api/user`, {
      headers: { 'x-api-key': key },
    });
    expect(answer.json().data).toHaveLength(5);
  }
  await second.interrupt();
  for (const demo of [first, second]) demo.remove();
  await cluster.stop();
});
