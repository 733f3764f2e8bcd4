import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import {
  authenticateKey,
  findOrigins,
  openDatabase,
  operatorContext,
  setOrigins,
  type OpenDatabase,
} from '@portal-embed/portal';
import { readDemoEnvironment, seedDemo, type DemoAddresses, type DemoEnvironment } from 'demo-data';
import { findFreePort, send } from 'test-support';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';

import { prepareDemo, StartError } from '../src/start/demo.ts';
import { findReason } from '../src/start/services.ts';
import { newDataDir, repository } from './demo.ts';

/** Listens on a port until it is disposed of. */
async function blockPort() {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void blocker.close() };
}

/** Does what `npm start` does before it starts the services. */
async function prepare(settings: Record<string, string>) {
  const dataDir = newDataDir();
  const all = {
    PORTAL_PORT: String(await findFreePort()),
    HOST_PORT: String(await findFreePort()),
    PORTAL_DATA_DIR: dataDir,
    ...settings,
  };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  try {
    return await prepareDemo('npm start');
  } finally {
    vi.unstubAllEnvs();
    fs.rmSync(dataDir, { recursive: true });
  }
}

describe('npm start', { timeout: 120_000 }, () => {
  it('a service that ends by itself is reported with its error, not with the version of Node', () => {
    const error = 'Error: listen EADDRINUSE: address already in use 127.0.0.1:3000';
    const log = `node:events:502\n\n${error}\n    at Server.setupListenHandle {\n  port: 3000\n}\n\nNode.js v20.20.2\n`;
    expect(findReason(log)).toBe(error);
    expect(findReason('starting\nportal: The configuration is not valid.\n')).toBe(
      'portal: The configuration is not valid.',
    );
  });

  it('prints the URLs and writes demo.env', async () => {
    const { screen, env, dataDir } = inject('demo');
    expect(screen).toContain(env.HOST_URL_ACME);
    expect(screen).toContain('west@acme.example');
    const file = path.join(dataDir, 'demo.env');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(dataDir, 'database')).mode & 0o777).toBe(0o700);
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.every((line) => /^[A-Z_]+=[^\s'"]+$/.test(line))).toBe(true);
    const users = await send(`${env.REPORTS_URL}/api/user`, {
      headers: { 'x-api-key': env.ACME_API_KEY },
    });
    expect(users.json().data).toHaveLength(5);
  });

  it('exits with an error without a stack if a port is taken', async () => {
    await using blocked = await blockPort();
    const dataDir = newDataDir();
    const env = {
      ...process.env,
      PORTAL_PORT: String(await findFreePort()),
      HOST_PORT: String(blocked.port),
      PORTAL_DATA_DIR: dataDir,
    };
    const program = path.join(repository, 'packages/tooling/start.mjs');
    const { status, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain(`Port ${blocked.port} is taken`);
    expect(stderr).not.toMatch(/^\s+at /m);
    fs.rmSync(dataDir, { recursive: true });
  });
});

describe('preparing the demo', () => {
  it.each(['PORTAL_PORT', 'HOST_PORT'])('names %s if that port is taken', async (name) => {
    await using blocked = await blockPort();
    await expect(prepare({ [name]: String(blocked.port) })).rejects.toThrow(
      new RegExp(
        `^Port ${blocked.port} is taken\\. Choose another one with ${name}, for example: ${name}=\\d+ npm start$`,
      ),
    );
  });

  it.each([
    ['PORTAL_PORT and HOST_PORT are both', { PORTAL_PORT: '4999', HOST_PORT: '4999' }],
    ['PORTAL_PORT must be a port number', { PORTAL_PORT: 'x' }],
    ['PORTAL_DATABASE_URL cannot be used', { PORTAL_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }],
  ])('explains an invalid setting: %s', async (sentence, wrong) => {
    const failure = await prepare(wrong).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect((failure as StartError).message).toContain(sentence);
  });
});

/** Sockets cannot be copied. */
const isNoSocket = (file: string) => !fs.lstatSync(file).isSocket();

describe('a second `npm start`', () => {
  const { dataDir: running, env: first } = inject('demo');
  const dataDir = newDataDir();
  let second: DemoEnvironment;
  let database: OpenDatabase;

  beforeAll(async () => {
    fs.cpSync(running, dataDir, { recursive: true, verbatimSymlinks: true, filter: isNoSocket });
    second = (await prepare({ PORTAL_DATA_DIR: dataDir })).environment;
    database = await openDatabase({ dataDir });
  });
  afterAll(async () => {
    await database?.close();
    fs.rmSync(dataDir, { recursive: true });
  });

  /** Does what a later start does with the open database. */
  const seed = (known: Partial<DemoEnvironment>, host: string) => {
    const addresses: DemoAddresses = {
      portalUrl: second.REPORTS_URL,
      adminUrl: 'http://admin.localhost',
      portal: { acme: `http://acme.portal.${host}`, globex: `http://globex.portal.${host}` },
      host: { acme: `http://acme.${host}`, globex: `http://globex.${host}` },
    };
    return seedDemo(database.db, addresses, known, path.join(dataDir, 'datasets'));
  };

  async function permissionsOf(key: string) {
    const scope = { db: database.db, publicUrl: second.REPORTS_URL };
    const { actor } = await authenticateKey(scope, key);
    return [...actor.permissions];
  }

  it('works with the same data on other ports', async () => {
    const isAddress = ([name]: [string, string]) => /URL/.test(name);
    const others = Object.entries(first).filter((entry) => !isAddress(entry));
    expect(second).toMatchObject(Object.fromEntries(others));
    for (const [name, address] of Object.entries(first).filter(isAddress))
      expect(second).not.toHaveProperty(name, address);
    expect(await readDemoEnvironment(path.join(dataDir, 'demo.env'))).toEqual(second);
  });

  it('keeps the API keys of `demo.env` if they have the required permissions', async () => {
    const keys = (env: DemoEnvironment) =>
      Object.entries(env).filter(([name]) => name.endsWith('API_KEY'));
    expect(keys(second)).toEqual(keys(first));
  });

  it('replaces API keys whose permissions differ', async () => {
    const { ACME_API_KEY: key, ACME_LIMITED_API_KEY: limited } = second;
    const swapped = { ...second, ACME_API_KEY: limited, ACME_LIMITED_API_KEY: key };
    const next = await seed(swapped, 'localhost');
    expect(await permissionsOf(next.ACME_API_KEY)).toEqual(await permissionsOf(key));
    expect(await permissionsOf(next.ACME_LIMITED_API_KEY)).toEqual(await permissionsOf(limited));
    expect(next.GLOBEX_API_KEY).toBe(second.GLOBEX_API_KEY);
  });

  it('without `demo.env` creates new API keys', async () => {
    const next = await seed({}, 'localhost');
    expect(next.ACME_API_KEY).not.toBe(second.ACME_API_KEY);
    expect(next.SALES_REPORT_ID).toBe(second.SALES_REPORT_ID);
    expect(await permissionsOf(next.ACME_API_KEY)).toEqual(
      await permissionsOf(second.ACME_API_KEY),
    );
  });

  it('replaces the origins of the earlier start, but none registered by hand', async () => {
    const ctx = operatorContext({
      db: database.db,
      publicUrl: second.REPORTS_URL,
      organizationId: second.ACME_ORGANIZATION_ID,
    });
    const { addresses = [] } = await findOrigins(ctx);
    const third = await seed(second, 'third.localhost');
    await setOrigins(ctx, {
      addresses: [...addresses, third.ACME_BASE_URL],
      embedOrigins: ['https://own.example', third.HOST_URL_ACME],
    });
    const fourth = await seed(third, 'fourth.localhost');
    const origins = await findOrigins(ctx);
    expect(origins.embedOrigins).toHaveLength(2);
    for (const origin of ['https://own.example', fourth.HOST_URL_ACME])
      expect(origins.embedOrigins).toContain(origin);
    expect(origins.addresses).toContain(fourth.ACME_BASE_URL);
    expect(origins.addresses).not.toContain(third.ACME_BASE_URL);
  });
});
