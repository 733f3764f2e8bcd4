import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import pg from 'pg';
import { createTemporaryFolder, send, startPostgres } from 'testing';
import { buildFirst } from 'testing/build';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startPortalProcess } from '../support/processes.ts';

buildFirst();

const mount = (folder: string, size: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=777`, 'tmpfs', folder]).status === 0;

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder]);
  fs.rmSync(folder, { recursive: true });
}

/** Some containers do not let root mount. */
function findCanMount(): boolean {
  const folder = createTemporaryFolder('portal-disk-');
  const canMount = mount(folder, '1m');
  unmount(folder);
  return canMount;
}

/** Mounts a disk of its own. */
function mountDisk(size: string): string {
  const folder = createTemporaryFolder('portal-disk-');
  expect(mount(folder, size)).toBe(true);
  onTestFinished(() => unmount(folder));
  return folder;
}

/** Fills a disk, and returns a function that frees it. */
function fill(folder: string): () => void {
  const file = path.join(folder, 'filler');
  const handle = fs.openSync(file, 'w');
  try {
    for (;;) fs.writeSync(handle, Buffer.alloc(65_536));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  fs.closeSync(handle);
  return () => fs.rmSync(file);
}

it.skipIf(!findCanMount())(
  '/readyz names a full disk of the data directory or of PostgreSQL, and the instance stays in service (skipped without the right to mount)',
  async () => {
    const cluster = await startPostgres();
    onTestFinished(() => cluster.stop());
    const dataDir = mountDisk('32m');
    const tables = mountDisk('64m');
    const database = { databaseUrl: cluster.url('portal'), dataDir };
    const admin = new pg.Client({ connectionString: cluster.url('postgres') });
    await admin.connect();
    onTestFinished(() => admin.end());
    const { rows } = await admin.query<{ hba_file: string }>('SHOW hba_file');
    const { uid, gid } = fs.statSync(rows[0]!.hba_file);
    fs.chownSync(tables, uid, gid);
    await admin.query(`CREATE TABLESPACE small LOCATION '${tables}'`);
    await admin.query('CREATE DATABASE portal TABLESPACE small');
    const { db, close } = await openDatabase(database);
    const acme = await createTestOrganization(
      { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
      'acme',
    );
    await close();
    const portal = await startPortalProcess(database, { env: { PORTAL_RATE_LIMIT: '0' } });
    onTestFinished(async () => void (await portal.stop()));
    const read = async () => {
      const answer = await send(`${portal.publicUrl}/readyz`);
      return [answer.status, answer.json()];
    };
    const isOk = [200, { status: 'ok' }];
    expect(await read()).toEqual(isOk);

    const free = fill(dataDir);
    const isFull = (...fullDisks: string[]) => [200, { status: 'disk_full', fullDisks }];
    await expect.poll(read).toEqual(isFull('dataDirectory'));
    expect(portal.output()).toContain('disk of the data directory full');
    free();
    await expect.poll(read).toEqual(isOk);
    expect(portal.output()).toContain('disk of the data directory has space again');

    const freeTables = fill(tables);
    const call = (method: string, url: string, json?: unknown) =>
      send(portal.publicUrl + url, { method, json, headers: { 'x-api-key': acme.apiKey } });
    const body = { userEmail: acme.emails.west, baseUrl: acme.address };
    // Pages that exist still have room for some rows.
    await expect
      .poll(async () => (await call('POST', '/api/identity/url', body)).json(), {
        timeout: 120_000,
        interval: 1,
      })
      .toMatchObject({ code: 'database_unavailable', reason: 'disk_full' });
    expect(await read()).toEqual(isFull('database'));
    expect((await call('GET', '/api/user')).status).toBe(200);
    freeTables();
    expect((await call('POST', '/api/identity/url', body)).status).toBe(200);
  },
);
