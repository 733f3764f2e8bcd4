import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import type { DemoEnvironment } from 'demo-data';
import { findFreePort, send } from 'testing';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';

import { prepareDemo, StartError } from '../src/start/demo.ts';
import { newDataDir, repository, runScript, startDemo } from './demo.ts';

/** Runs a command beside the running portal. */
function runPortal(dataDir: string, ...args: string[]) {
  const command = path.join(repository, 'packages/portal/bin/portal.js');
  const env = { ...process.env, PORTAL_DATA_DIR: dataDir, PORTAL_DATABASE_URL: '' };
  return execFileSync(process.execPath, [command, 'organizations', ...args], {
    env,
    encoding: 'utf8',
  });
}

const listUsers = (env: DemoEnvironment) =>
  send(`${env.PORTAL_URL}/api/user`, { headers: { 'x-api-key': env.ACME_API_KEY } });

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
  onTestFinished(() => {
    vi.unstubAllEnvs();
    fs.rmSync(dataDir, { recursive: true });
  });
  const all = {
    PORTAL_PORT: String(await findFreePort()),
    HOST_PORT: String(await findFreePort()),
    PORTAL_DATA_DIR: dataDir,
    ...settings,
  };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  return prepareDemo('npm start');
}

/** Sockets cannot be copied. */
const isNoSocket = (file: string) => !fs.lstatSync(file).isSocket();

describe('npm start', { timeout: 120_000 }, () => {
  it('npm start prints the URLs and writes demo.env', async () => {
    const { screen, env, dataDir } = inject('demo');
    expect(screen).toContain(env.HOST_URL_ACME);
    expect(screen).toContain('west@acme.example');
    const file = path.join(dataDir, 'demo.env');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(dataDir, 'database')).mode & 0o777).toBe(0o700);
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.every((line) => /^[A-Z_]+=[^\s'"]+$/.test(line))).toBe(true);
    expect((await listUsers(env)).json().data).toHaveLength(5);
  });

  it('restarts with the same data on other ports', async () => {
    const { dataDir: running, env } = inject('demo');
    const dataDir = newDataDir();
    fs.cpSync(running, dataDir, { recursive: true, verbatimSymlinks: true, filter: isNoSocket });
    fs.rmSync(path.join(dataDir, 'demo.env'));
    const first = await startDemo({ dataDir });
    expect(first.env.PORTAL_URL).not.toBe(env.PORTAL_URL);
    expect(first.env.SALES_REPORT_ID).toBe(env.SALES_REPORT_ID);
    // Without the file, the start has created new keys.
    expect(first.env.ACME_API_KEY).not.toBe(env.ACME_API_KEY);
    const answer = await send(`${first.env.PORTAL_URL}/api/identity/url`, {
      method: 'POST',
      headers: { 'x-api-key': first.env.ACME_API_KEY },
      json: { userEmail: 'west@acme.example', baseUrl: first.env.ACME_BASE_URL },
    });
    expect(answer.status).toBe(200);
    const origins = ['https://own.example', first.env.HOST_URL_ACME];
    runPortal(dataDir, 'set-embed-origins', 'acme', ...origins);
    await first.interrupt();
    expect(first.output()).toContain('Stopping');
    await expect(listUsers(first.env)).rejects.toThrow('ECONNREFUSED');

    const { environment } = await prepare({ PORTAL_DATA_DIR: dataDir });
    expect(environment.ACME_API_KEY).toBe(first.env.ACME_API_KEY);
    const listed = runPortal(dataDir, 'list');
    // The origin registered by hand stays; the origin of the earlier start is removed.
    for (const origin of ['https://own.example', environment.HOST_URL_ACME])
      expect(listed).toContain(origin);
    expect(listed).not.toContain(first.env.HOST_URL_ACME);
    first.remove();
  });

  it('exits with an error without a stack if a port is taken', async () => {
    await using blocked = await blockPort();
    const dataDir = newDataDir();
    const { child, output } = runScript('start', {
      PORTAL_PORT: String(await findFreePort()),
      HOST_PORT: String(blocked.port),
      PORTAL_DATA_DIR: dataDir,
    });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output()).toContain(`Port ${blocked.port} is taken`);
    expect(output()).not.toMatch(/^\s+at /m);
    fs.rmSync(dataDir, { recursive: true });
  });
});

describe('preparing the demo', () => {
  it.each(['PORTAL_PORT', 'HOST_PORT'])(
    'preparing the demo names %s if that port is taken',
    async (name) => {
      await using blocked = await blockPort();
      await expect(prepare({ [name]: String(blocked.port) })).rejects.toThrow(
        new RegExp(
          `^Port ${blocked.port} is taken\\. Choose another one with ${name}, for example: ${name}=\\d+ npm start$`,
        ),
      );
    },
  );

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
