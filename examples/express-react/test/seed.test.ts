import fs from 'node:fs';
import path from 'node:path';

import { authenticateKey, openDatabase, type OpenDatabase } from '@portal-embed/portal';
import { seedDemo, type DemoEnvironment } from 'demo-data';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { typescriptChildren } from '../../../packages/portal/vitest.children.ts';
import { newDataDir } from './demo.ts';

const portalUrl = 'http://localhost:4000';
const dataDir = newDataDir();
let database: OpenDatabase;
let first: DemoEnvironment;

const seed = (known: Partial<DemoEnvironment>) =>
  seedDemo(
    database.db,
    {
      portalUrl,
      adminUrl: 'http://admin.localhost:4000',
      portal: { acme: 'http://acme.portal.localhost', globex: 'http://globex.portal.localhost' },
      host: { acme: 'http://acme.localhost', globex: 'http://globex.localhost' },
    },
    known,
    path.join(dataDir, 'datasets'),
  );

async function permissionsOf(key: string) {
  const { actor } = await authenticateKey({ db: database.db, publicUrl: portalUrl }, key);
  return [...actor.permissions];
}

beforeAll(async () => {
  vi.stubEnv('NODE_OPTIONS', typescriptChildren.NODE_OPTIONS);
  database = await openDatabase({ dataDir });
  first = await seed({});
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

it('a second `npm start` keeps the API keys of `demo.env` if they have the required permissions', async () => {
  expect(await seed(first)).toEqual(first);
});

it('a second `npm start` replaces API keys whose permissions differ', async () => {
  const limited = first.ACME_LIMITED_API_KEY;
  const swapped = { ACME_API_KEY: limited, ACME_LIMITED_API_KEY: first.ACME_API_KEY };
  const second = await seed({ ...first, ...swapped });
  expect(await permissionsOf(second.ACME_API_KEY)).toEqual(await permissionsOf(first.ACME_API_KEY));
  expect(await permissionsOf(second.ACME_LIMITED_API_KEY)).toEqual(await permissionsOf(limited));
  expect(second.GLOBEX_API_KEY).toBe(first.GLOBEX_API_KEY);
});
