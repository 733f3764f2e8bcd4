import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { findFreePort, send, startPostgres } from 'testing';
import { expect, it, onTestFinished } from 'vitest';

import type * as Portal from '../src/index.ts';
import { buildProgram, startPortalProcess } from './support/processes.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const commit = fs
  .readFileSync(new URL('../migrations/previous-release', import.meta.url), 'utf8')
  .trim();

/** A shallow clone lacks the commit. */
const hasCommit =
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: repository }).status === 0;

/** Builds the previous release in its own folder. */
function buildPrevious(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-previous-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository });
  git('worktree', 'add', '--detach', folder, commit);
  onTestFinished(() => void git('worktree', 'remove', '--force', folder));
  const build = path.join(folder, 'packages/tooling/build.mjs');
  const { status, stderr } = spawnSync(process.execPath, [build], { cwd: folder });
  if (status !== 0) throw new Error(`Building the previous release failed:\n${String(stderr)}`);
  return folder;
}

it.skipIf(!hasCommit)(
  'a release works beside the previous one during and after its migration',
  async () => {
    const folder = path.join(buildPrevious(), 'packages/portal');
    const cluster = await startPostgres();
    onTestFinished(() => cluster.stop());
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-upgrade-'));
    onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
    const database = { databaseUrl: cluster.url('postgres'), dataDir };
    const previous = (await import(path.join(folder, 'dist/index.js'))) as typeof Portal;
    const { db, close } = await previous.openDatabase(database);
    const accentColor = '#0f6e56';
    const organizationId = await previous.createOrganization(db, {
      slug: 'acme',
      name: 'Acme',
      accentColor,
    });
    const ctx = previous.operatorContext({
      db,
      organizationId,
      publicUrl: 'http://localhost:4000',
    });
    const { key } = await previous.createApiKey(ctx, {
      name: 'load',
      permissions: ['users:read', 'users:write', 'identity:mint'],
    });
    await close();

    const env = { PORTAL_RATE_LIMIT: '0', PORTAL_PUBLIC_URL: 'http://localhost:4000' };
    const start = async (of: string | undefined) => {
      const options = { port: await findFreePort(), env, ...(of ? { program: of } : {}) };
      const instance = await startPortalProcess(database, options);
      onTestFinished(() => instance.kill());
      return instance;
    };
    const old = await start(path.join(folder, 'bin/portal.js'));
    const instances = [old];
    const failures: string[] = [];
    const acknowledged: string[] = [];
    let unused: string | undefined;
    const over = new AbortController();
    const request = async (
      method: string,
      at: string,
      options: Parameters<typeof send>[1] = {},
    ) => {
      const instance = instances[Math.floor(Math.random() * instances.length)]!;
      const answer = await send(`http://127.0.0.1:${instance.port}${at}`, {
        method,
        headers: { 'x-api-key': key, host: 'localhost:4000' },
        ...options,
      });
      if (answer.status >= 400) failures.push(`${method} ${at}: ${answer.status} ${answer.body}`);
      return answer;
    };
    const load = async (name: string) => {
      for (let n = 0; !over.signal.aborted; n++) {
        const userEmail = `${name}-${n}@acme.example`;
        const json = { email: userEmail, name, role: 3 };
        if ((await request('POST', '/api/user', { json })).status === 201)
          acknowledged.push(userEmail);
        const minted = await request('POST', '/api/identity/url', { json: { userEmail } });
        const { pathname, search } = new URL(minted.json().embedUrl as string);
        if (n === 0) unused = pathname + search;
        else await request('GET', pathname + search);
        await request('GET', '/api/user?pageSize=5');
      }
    };
    const loads = ['a', 'b', 'c'].map(load);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    const migration = spawnSync(process.execPath, [await buildProgram(), 'migrate', '--json'], {
      env: { PATH: process.env['PATH'], PORTAL_DATABASE_URL: database.databaseUrl, ...env },
    });
    expect(JSON.parse(String(migration.stdout)).applied.length).toBeGreaterThan(0);
    instances.push(await start(undefined));
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 200);
    over.abort();
    await Promise.all(loads);
    expect(failures).toEqual([]);
    await request('GET', unused!);
    for (const userEmail of acknowledged)
      await request('POST', '/api/identity/url', { json: { userEmail } });
    expect(failures).toEqual([]);
  },
);
