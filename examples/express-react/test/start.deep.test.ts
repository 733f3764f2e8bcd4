import fs from 'node:fs';
import path from 'node:path';

import { send, startPostgres } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { addEmbedOrigin, runPortal, startDemo } from './demo.ts';

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
    const answer = await send(`${second.env.REPORTS_URL}/api/user`, {
      headers: { 'x-api-key': key },
    });
    expect(answer.json().data).toHaveLength(5);
  }
  await second.interrupt();
  for (const demo of [first, second]) demo.remove();
  await cluster.stop();
});

it('npm start restarts with the same data on other ports', async () => {
  const first = await startDemo();
  onTestFinished(first.remove);
  const { dataDir } = first;
  await first.interrupt();
  fs.rmSync(path.join(dataDir, 'demo.env'));
  const second = await startDemo({ dataDir });
  expect(second.env.REPORTS_URL).not.toBe(first.env.REPORTS_URL);
  expect(second.env.SALES_REPORT_ID).toBe(first.env.SALES_REPORT_ID);
  // Without the file, the start has created new keys.
  expect(second.env.ACME_API_KEY).not.toBe(first.env.ACME_API_KEY);
  const answer = await send(`${second.env.REPORTS_URL}/api/identity/url`, {
    method: 'POST',
    headers: { 'x-api-key': second.env.ACME_API_KEY },
    json: { userEmail: 'west@acme.example', baseUrl: second.env.ACME_BASE_URL },
  });
  expect(answer.status).toBe(200);
  addEmbedOrigin(second, 'https://own.example');
  await second.interrupt();
  expect(second.output()).toContain('Stopping');
  await expect(send(`${second.env.REPORTS_URL}/livez`)).rejects.toThrow('ECONNREFUSED');

  const third = await startDemo({ dataDir });
  expect(third.env.ACME_API_KEY).toBe(second.env.ACME_API_KEY);
  const listed = runPortal(dataDir, 'organizations', 'list');
  // The origin registered by hand stays; the origin of the earlier start is removed.
  for (const origin of ['https://own.example', third.env.HOST_URL_ACME])
    expect(listed).toContain(origin);
  expect(listed).not.toContain(second.env.HOST_URL_ACME);
  await third.interrupt();
});
