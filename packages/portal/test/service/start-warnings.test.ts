import os from 'node:os';

import { createLogCollector } from 'test-support';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { readConfig } from '../../src/config.ts';
import { grantConnection, revokeConnection } from '../../src/connections/service.ts';
import { openDatabase, type Database } from '../../src/db/connection/open.ts';
import { createLogger } from '../../src/logger.ts';
import { findOrigins, setOrigins } from '../../src/organizations/service.ts';
import { logStartWarnings } from '../../src/start-warnings.ts';
import { createTestDatabase } from '../support/database.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';

const publicUrl = 'http://localhost:4000';
const gib = 2 ** 30;
let db: Database;
let acme: TestOrganization;
let closeDatabase: () => Promise<void>;
let warningsOfEmpty: string[];
beforeAll(async () => {
  const database = await createTestDatabase();
  const opened = await openDatabase(database);
  ({ db } = opened);
  closeDatabase = async () => {
    await opened.close();
    await database.remove();
  };
  warningsOfEmpty = await listWarnings({});
  acme = await createTestOrganization({ db, dataDir: database.dataDir, publicUrl }, 'acme');
});
afterAll(() => closeDatabase());

async function listWarnings(env: Record<string, string>): Promise<string[]> {
  const { log, destination } = createLogCollector();
  await logStartWarnings(readConfig(env), db, createLogger('warn', destination));
  return log.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

const setMachine = (bytes: { total: number; constrained: number }) => {
  const total = vi.spyOn(os, 'totalmem').mockReturnValue(bytes.total);
  const constrained = vi.spyOn(process, 'constrainedMemory').mockReturnValue(bytes.constrained);
  onTestFinished(() => {
    total.mockRestore();
    constrained.mockRestore();
  });
};

it('settings that are probably mistakes are logged at the start, without secrets', async () => {
  setMachine({ total: 64 * gib, constrained: 0 });
  const url = 'postgres://portal:hunter2@db/sales';
  const { connections } = readConfig({ PORTAL_CONNECTION_OLD: url });
  await grantConnection(acme.ctx, connections, { name: 'old', shared: false });
  onTestFinished(() => revokeConnection(acme.ctx, 'old'));
  expect(
    await listWarnings({ PORTAL_OIDC_SECRET_ACME: 'hunter2', PORTAL_CONNECTION_OLD: url }),
  ).toEqual([]);
  const warnings = await listWarnings({
    PORTAL_THEME: 'hunter2',
    PORTAL_DATABASE_URL: '',
    PORTAL_TRUST_PROXY: 'true',
    PORTAL_OIDC_SECRET_AMCE: 'hunter2',
    PORTAL_CONNECTION_NEW_ONE: url,
  });
  expect(warnings.join('\n')).not.toContain('hunter2');
  expect(warnings).toEqual([
    'PORTAL_THEME is not a setting of the portal and has no effect. Correct or remove it.',
    'Empty, so the default applies: PORTAL_DATABASE_URL. Set a value, or remove the variable.',
    expect.stringContaining('PORTAL_TRUST_PROXY=true trusts every sender'),
    'PORTAL_OIDC_SECRET_AMCE is for the organization amce, which does not exist. Correct or remove it; `portal organizations list` shows the organizations.',
    'acme may use the connection old, but PORTAL_CONNECTION_OLD is not set. Set it, or run `portal connections revoke old -o ORGANIZATION`.',
    'PORTAL_CONNECTION_NEW_ONE defines a connection that no organization may use. Run `portal connections grant new-one -o ORGANIZATION`, or remove the variable.',
  ]);
});

it.each([
  ['loopback', 0],
  ['1', 0],
  ['10.0.0.0/255.0.0.0', 0],
  ['true', 1],
  ['loopback, 0.0.0.0/0.0.0.0', 1],
])('PORTAL_TRUST_PROXY=%s causes %i warnings', async (value, count) => {
  setMachine({ total: 64 * gib, constrained: 0 });
  expect(await listWarnings({ PORTAL_TRUST_PROXY: value })).toHaveLength(count);
});

it('a public address in plain http beyond this machine is logged at the start', async () => {
  setMachine({ total: 64 * gib, constrained: 0 });
  expect(await listWarnings({ PORTAL_PUBLIC_URL: 'http://portal.example' })).toEqual([
    expect.stringContaining('PORTAL_PUBLIC_URL (http://portal.example) is plain http'),
  ]);
  expect(await listWarnings({ PORTAL_PUBLIC_URL: 'https://portal.example' })).toEqual([]);
});

it('an address that the administration shares with an organization is logged at the start', async () => {
  setMachine({ total: 64 * gib, constrained: 0 });
  const [PORTAL_PUBLIC_URL, shared] = ['https://portal.example', 'https://admin.portal.example'];
  const { addresses } = await findOrigins(acme.ctx);
  await setOrigins(acme.ctx, { addresses: [...addresses!, shared] });
  onTestFinished(async () => void (await setOrigins(acme.ctx, { addresses })));
  expect(await listWarnings({ PORTAL_PUBLIC_URL, PORTAL_ADMIN_URL: shared })).toEqual([
    expect.stringContaining(
      `PORTAL_ADMIN_URL (${shared}) has the host name of an address of the organization acme`,
    ),
  ]);
  expect(await listWarnings({ PORTAL_PUBLIC_URL })).toEqual([]);
});

it('a database without an organization is logged at the start', () => {
  expect(warningsOfEmpty).toContain(
    'The database has no organization, so /readyz answers 503. Check PORTAL_DATABASE_URL and PORTAL_DATA_DIR, or create the first one with `portal organizations create`.',
  );
});

it.each([
  { total: 4 * gib, constrained: 0, warnings: [] },
  {
    total: 2 * gib,
    constrained: 0,
    warnings: ['Queries may use 2112 MiB (PORTAL_ENGINE_MEMORY + PORTAL_CACHE_MEMORY)'],
  },
  { total: 64 * gib, constrained: gib, warnings: ['this machine or container has 1024 MiB'] },
  // A control group without a limit.
  { total: 64 * gib, constrained: 2 ** 63, warnings: [] },
])(
  'queries that may use more memory than there is are logged at the start: %o',
  async ({ warnings, ...machine }) => {
    setMachine(machine);
    expect(await listWarnings({ PORTAL_ENGINE_MEMORY: '2048' })).toEqual(
      warnings.map((text) => expect.stringContaining(text) as string),
    );
  },
);
