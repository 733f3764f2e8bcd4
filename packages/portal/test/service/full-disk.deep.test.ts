import fs from 'node:fs';

import pg from 'pg';
import { send, startPostgres } from 'test-support';
import { buildFirst } from 'test-support/build';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { fillDisk, findCanMount, mountDisk } from '../support/disks.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startPortalProcess } from '../support/processes.ts';

buildFirst();

it.skipIf(!findCanMount())(
  '/readyz names a full disk of the data directory or of PostgreSQL, and the instance stays in service (skipped without the right to mount)',
  async () => {
    const cluster = await startPostgres();
    onTestFinished(() => cluster.stop());
    const { folder: dataDir, remove: removeDataDir } = mountDisk('32m');
    onTestFinished(removeDataDir);
    const { folder: tables, remove: removeTables } = mountDisk('64m');
    onTestFinished(removeTables);
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

    const free = fillDisk(dataDir);
    const isFull = (...fullDisks: string[]) => [200, { status: 'disk_full', fullDisks }];
    await expect.poll(read).toEqual(isFull('dataDirectory'));
    expect(portal.output()).toContain('disk of the data directory full');
    free();
    await expect.poll(read).toEqual(isOk);
    expect(portal.output()).toContain('disk of the data directory has space again');

    const freeTables = fillDisk(tables);
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
