import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

import type { DemoEnvironment } from 'demo-data';
import { findFreePort, send } from 'testing';
import { describe, expect, inject, it } from 'vitest';

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

/** Sockets cannot be copied. */
const isNoSocket = (file: string) => !fs.lstatSync(file).isSocket();

describe('npm start', { timeout: 120_000 }, () => {
  it('prints the URLs and writes demo.env', async () => {
    const { screen, env, dataDir } = inject('demo');
    expect(screen).toContain(env.HOST_URL_ACME);
    expect(screen).toContain('west@acme.example');
    const file = path.join(dataDir, 'demo.env');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(dataDir, 'database')).mode & 0o777).toBe(0o700);
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.every((line) => /^[A-Z_]+=[^\s'"]+$/.test(line))).toBe(true);
    expect((await listUsers(env)).json().data).toHaveLength(4);
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

    const second = await startDemo({ dataDir });
    expect(second.env.ACME_API_KEY).toBe(first.env.ACME_API_KEY);
    const listed = runPortal(dataDir, 'list');
    await second.interrupt();
    // The origin registered by hand stays; the origin of the earlier start is removed.
    for (const origin of ['https://own.example', second.env.HOST_URL_ACME])
      expect(listed).toContain(origin);
    expect(listed).not.toContain(first.env.HOST_URL_ACME);
    second.remove();
  });

  it.each(['PORTAL_PORT', 'HOST_PORT'])('names %s if that port is taken', async (name) => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const dataDir = newDataDir();
    const { child, output } = runScript('start', {
      PORTAL_PORT: String(await findFreePort()),
      HOST_PORT: String(await findFreePort()),
      PORTAL_DATA_DIR: dataDir,
      [name]: String(port),
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toContain(`Port ${port} is taken`);
    expect(output()).toContain(`${name}=`);
    expect(output()).not.toMatch(/^\s+at /m);
    blocker.close();
    fs.rmSync(dataDir, { recursive: true });
  });

  it.each([
    ['PORTAL_PORT and HOST_PORT are both', { PORTAL_PORT: '4999', HOST_PORT: '4999' }],
    ['PORTAL_PORT must be a port number', { PORTAL_PORT: 'x' }],
    ['PORTAL_DATABASE_URL cannot be used', { PORTAL_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }],
  ])('explains an invalid setting in a sentence: %s', async (sentence, wrong) => {
    const dataDir = newDataDir();
    const { child, output } = runScript('start', {
      PORTAL_PORT: String(await findFreePort()),
      HOST_PORT: String(await findFreePort()),
      PORTAL_DATA_DIR: dataDir,
      ...wrong,
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toContain(sentence);
    expect(output()).not.toMatch(/^\s+at /m);
    fs.rmSync(dataDir, { recursive: true });
  });
});
