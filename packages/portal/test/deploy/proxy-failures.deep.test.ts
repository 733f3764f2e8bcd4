import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { createTemporaryFolder, startPostgres, type PostgresCluster } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { fillDisk, findCanMount, mountDisk } from '../support/disks.ts';
import {
  countOutcomes,
  createClient,
  names,
  startProxiedPortals,
  writeCertificate,
  type ProxiedPortals,
} from '../support/proxies.ts';

buildFirst();

/** What clients of two portals behind each proxy see when something fails. */

const canMount = findCanMount();
let folder: string;
let cluster: PostgresCluster;
beforeAll(async () => {
  folder = createTemporaryFolder('portal-proxies-');
  cluster = await startPostgres();
});
afterAll(async () => {
  await cluster.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe.each(['haproxy', 'nginx'] as const)('behind %s', (name) => {
  let proxied: ProxiedPortals;
  let dataDir: string;
  beforeAll(async () => {
    const disk = canMount ? mountDisk('128m') : undefined;
    dataDir = disk?.folder ?? createTemporaryFolder('portal-data-');
    proxied = await startProxiedPortals(name, { cluster, folder, dataDir });
    await proxied.untilServing();
    return async () => {
      await proxied.close();
      disk?.remove();
    };
  });

  const report = (failure: string, outcomes: Record<string, number>) =>
    console.info(`${name}, ${failure}: ${JSON.stringify(outcomes)}`);

  const acknowledged: string[] = [];
  let next = 0;
  /** Creates a user, and mints and opens a link. */
  const request = async (count: (outcome: string | number) => void) => {
    const userEmail = `reader-${(next += 1)}@acme.example`;
    const created = await proxied.call('POST', '/api/user', {
      email: userEmail,
      name: 'R',
      role: 3,
    });
    count(created.status);
    if (created.status === 201) acknowledged.push(userEmail);
    const minted = await proxied.mint();
    count(minted.status);
    if (minted.status === 200) count((await proxied.openLink(minted)).status);
  };
  const expectAllUsers = async () => {
    const rows = await proxied.acme.ctx.db.selectFrom('users').select('email').execute();
    const found = new Set(rows.map(({ email }) => email));
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(acknowledged.filter((email) => !found.has(email))).toEqual([]);
  };

  it('a killed instance fails only its own requests, and loses nothing acknowledged', async () => {
    const { portals, startPortal } = proxied;
    const outcomes = await countOutcomes(request, async () => {
      for (const index of [0, 1]) {
        await delay(1_000);
        await portals[index]!.kill();
        await delay(5_000);
        portals[index] = await startPortal(index);
        await delay(6_000);
      }
    });
    report('kill -9 of each instance', outcomes);
    const { 200: opened, 201: created, ...failed } = outcomes;
    expect([opened! > 500, created! > 200]).toEqual([true, true]);
    // Those in flight at the two moments.
    expect(Object.values(failed).reduce((sum, count) => sum + count, 0)).toBeLessThan(10);
    await expectAllUsers();
  });

  it('without the database, every answer is 503 and says when to try again', async () => {
    const unused = await proxied.mint();
    const outcomes = await countOutcomes(request, async () => {
      await delay(1_000);
      await cluster.kill();
      await delay(10_000);
      const answer = await proxied.mint();
      expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([503, true]);
      const page = await proxied.openLink(unused);
      expect(page.status).toBe(503);
      expect(page.body).toContain('<h1>');
      await cluster.restart();
      await expect.poll(async () => (await proxied.mint()).status, { timeout: 20_000 }).toBe(200);
    });
    report('database away for 10 s', outcomes);
    expect((await proxied.openLink(unused)).status).toBe(200);
    await expectAllUsers();
  });

  it.skipIf(!canMount)('a full disk of the data directory stops uploads alone', async () => {
    const upload = await proxied.signIn();
    const free = fillDisk(dataDir);
    const file = `Region,Note\n${'West,7\n'.repeat(100_000)}`;
    const outcomes = await countOutcomes(request, async () => {
      await delay(3_000);
      const refused = await upload('orders.csv', file);
      expect([refused.status, refused.body]).toEqual([
        507,
        expect.stringContaining('storage_full'),
      ]);
      await delay(3_000);
    });
    report('full disk', outcomes);
    expect(Object.keys(outcomes).toSorted()).toEqual(['200', '201']);
    free();
    expect((await upload('orders.csv', file)).status).toBe(200);
  });

  it('an expired certificate stops clients before the portal, and a reload of the proxy replaces it', async () => {
    const expired = writeCertificate(folder, -1);
    onTestFinished(() => void writeCertificate(folder, 2));
    proxied.reloadProxy();
    const attempt = (certificate: Buffer) =>
      createClient(proxied.ports.https, certificate)(names.api, '/api/report').then(
        ({ status }) => status,
        (error: NodeJS.ErrnoException) => error.code,
      );
    await expect.poll(() => attempt(expired), { timeout: 10_000 }).toBe('CERT_HAS_EXPIRED');
    const renewed = writeCertificate(folder, 2);
    proxied.reloadProxy();
    await expect.poll(() => attempt(renewed), { timeout: 10_000 }).toBe(401);
  });
});
