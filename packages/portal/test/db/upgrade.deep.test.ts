import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { createTemporaryFolder, findFreePort, send, startPostgres } from 'test-support';
import { beforeAll, expect, it, onTestFinished } from 'vitest';

import type * as Portal from '../../src/index.ts';
import { runCommand } from '../support/command-line.ts';
import { ordersDataset, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { buildProgram, startPortalProcess, type PortalProcess } from '../support/processes.ts';
import { open, readSession, view } from '../support/viewer.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const commit = fs
  .readFileSync(new URL('../../migrations/previous-release', import.meta.url), 'utf8')
  .trim();

/** A shallow clone lacks the commit. */
const hasCommit =
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: repository }).status === 0;

/** The portal's package of the previous release, built in its own folder. */
let folder: string;
beforeAll(() => {
  if (!hasCommit) return undefined;
  const clone = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-previous-'));
  folder = path.join(clone, 'packages/portal');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository });
  git('worktree', 'add', '--detach', clone, commit);
  const build = path.join(clone, 'packages/tooling/build.mjs');
  const { status, stderr } = spawnSync(process.execPath, [build], { cwd: clone });
  if (status !== 0) throw new Error(`Building the previous release failed:\n${String(stderr)}`);
  return () => void git('worktree', 'remove', '--force', clone);
});

const importPrevious = () =>
  import(path.join(folder, 'dist/index.js')) as Promise<typeof Portal & FormerFunctions>;

/** Functions that only release 0.2 exports. */
type FormerFunctions = Record<
  'importDataset' | 'importReport',
  (ctx: unknown, input: object) => Promise<string>
>;

/** An empty PostgreSQL database and a folder for the data. */
async function createDatabase() {
  const cluster = await startPostgres();
  onTestFinished(() => cluster.stop());
  const dataDir = createTemporaryFolder('portal-upgrade-');
  return { databaseUrl: cluster.url('postgres'), dataDir };
}

it.skipIf(!hasCommit)(
  'a release works beside the previous one during and after its migration',
  async () => {
    const database = await createDatabase();
    const previous = await importPrevious();
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

/** Fills a database with the previous release: two reports, one of which has no content file. */
async function fillDatabase() {
  const database = await createDatabase();
  const previous = await importPrevious();
  const { db, close } = await previous.openDatabase(database);
  const look = { slug: 'acme', name: 'Acme', accentColor: '#0f6e56' };
  const organizationId = await previous.createOrganization(db, look);
  const publicUrl = 'http://localhost:4000';
  const ctx = previous.operatorContext({ db, organizationId, publicUrl });
  const datasetFolder = path.join(database.dataDir, 'datasets');
  writeFiles(datasetFolder, { 'orders.csv': ordersCsv });
  writeFiles(path.join(datasetFolder, organizationId), { 'orders.csv': ordersCsv });
  const flat = { name: 'Flat', file: 'orders.csv' };
  const measure = { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' };
  const withoutContent = await previous.importReport(ctx, {
    name: 'Flat',
    description: null,
    datasetId: await previous.importDataset(ctx, flat),
    workspaceName: 'Sales',
    definition: { tiles: [{ id: 'total', title: 'Total', mark: 'kpi', measure }] },
  });
  const { changes } = await previous.applyContent(ctx, { datasetFolder }, { files: ordersFiles });
  const idOf = (of: string) => changes.find(({ kind }) => kind === of)!.id;
  const [datasetId, withContent] = [idOf('dataset'), idOf('report')];
  const userEmail = 'west@acme.example';
  await previous.createUser(ctx, { email: userEmail, name: 'Wanda', role: 3 });
  await previous.linkReports(ctx, { userEmail, reports: [withContent, withoutContent] });
  await previous.linkUsers(ctx, { datasetId, role: 'West', usersEmails: [userEmail] });
  const wanted = { name: 'app', permissions: ['identity:mint'] } as const;
  const { key } = await previous.createApiKey(ctx, wanted);
  await close();

  const start = async (options: { program?: string; env?: Record<string, string> } = {}) => {
    const instance = await startPortalProcess(database, options);
    onTestFinished(() => instance.kill());
    return instance;
  };
  /** Starts an instance on a machine of its own, whose files are in the database. */
  const startElsewhere = async () => {
    const machine = { ...database, dataDir: createTemporaryFolder('portal-machine-') };
    const instance = await startPortalProcess(machine, { env: { PORTAL_FILES: 'database' } });
    onTestFinished(async () => {
      await instance.kill();
      fs.rmSync(machine.dataDir, { recursive: true });
    });
    return instance;
  };
  /** Opens a report; returns the first number in it, or the status of a refused mint. */
  const read = async (
    { publicUrl: address }: PortalProcess,
    reportId: string,
    request?: Parameters<typeof view>[3],
  ) => {
    const minted = await send(`${address}/api/identity/url`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      json: { userEmail, organizationId, reportId },
    });
    if (minted.status !== 200) return `refused: ${minted.status}`;
    const { bearer } = readSession(await open(minted.json().embedUrl as string));
    const { page } = (await view(address, bearer, reportId, request)).json();
    return page.rows[0][0].value;
  };
  const program = path.join(folder, 'bin/portal.js');
  return { database, withContent, withoutContent, start, startElsewhere, program, read };
}

it.skipIf(!hasCommit)(
  'after the migration, both releases show reports with a content file, and neither shows one without',
  async () => {
    const { database, withContent, withoutContent, start, startElsewhere, program, read } =
      await fillDatabase();
    const old = await start({ program });
    expect([await read(old, withContent), await read(old, withoutContent)]).toEqual([30, 70]);
    expect((await runCommand(database, ['migrate'])).code).toBe(0);
    const instances = [old, await start({})];
    for (const instance of instances) {
      expect(await read(instance, withContent)).toBe(30);
      expect(await read(instance, withoutContent)).toBe('refused: 403');
    }

    // Both releases read a dataset that this release stores.
    const content = createTemporaryFolder('portal-content-');
    const renamed = ordersDataset.replace('name: Orders', 'name: All orders');
    writeFiles(content, { 'datasets/orders.yaml': renamed, 'data/orders.csv': ordersCsv });
    const apply = ['content', 'apply', content, '-o', 'acme', '--json'];
    expect((await runCommand(database, apply)).json().changes).toMatchObject([
      { slug: 'orders', change: 'update' },
    ]);
    for (const instance of instances) expect(await read(instance, withContent)).toBe(30);

    // The files move to the database while both serve, and the previous release keeps its folder.
    const copy = ['files', 'copy', '--to', 'database', '--json'];
    expect((await runCommand(database, copy)).json()).toMatchObject({ problems: [] });
    const moved = await startElsewhere();
    for (const instance of [...instances, moved])
      expect(await read(instance, withContent)).toBe(30);
    expect((await send(`${moved.publicUrl}/readyz`)).json()).toEqual({ status: 'ok' });
  },
);

it.skipIf(!hasCommit)(
  'fails no report of either release while data files move to the database',
  async () => {
    const { database, withContent, start, startElsewhere, program, read } = await fillDatabase();
    const env = { PORTAL_VIEWER_RATE_LIMIT: '0' };
    const old = await start({ program, env });
    expect((await runCommand(database, ['migrate'])).code).toBe(0);

    const instances = [old];
    const over = new AbortController();
    const wrong: unknown[] = [];
    let count = 0;
    const load = async (reader: number) => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const instance = instances[n % instances.length]!;
        // No result that is in the cache.
        const values = ['West', `${reader}-${n}`];
        const filters = [{ field: 'Region', values }];
        const number = await read(instance, withContent, {
          view: { filters, sorts: [], drills: [] },
        }).catch((error: Error) => error.message);
        if (number !== 30) wrong.push([number, instance === old ? 'previous' : 'this release']);
        count += 1;
      }
    };
    const readers = [1, 2, 3].map(load);
    const readMore = async () => {
      const before = count;
      await expect.poll(() => count, { timeout: 60_000 }).toBeGreaterThan(before + 100);
    };

    await readMore();
    const unset = await start({ env });
    instances.push(unset);
    await readMore();
    const set = await start({ env: { ...env, PORTAL_FILES: 'database' } });
    instances[1] = set;
    await readMore();
    expect(await unset.stop()).toBe(0);
    const copy = ['files', 'copy', '--to', 'database', '--json'];
    expect((await runCommand(database, copy)).json()).toMatchObject({ problems: [] });
    await readMore();
    instances.push(await startElsewhere());
    await readMore();
    over.abort();
    await Promise.all(readers);
    expect(wrong).toEqual([]);
  },
);
