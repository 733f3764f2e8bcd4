import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { createTemporaryFolder, send, startPostgres, type PostgresCluster } from 'test-support';
import { buildFirst } from 'test-support/build';
import { chooseRepetitions } from 'test-support/repetitions';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import {
  countOutcomes,
  names,
  startProxiedPortals,
  type ProxiedPortals,
} from '../support/proxies.ts';

buildFirst();

const restarts = chooseRepetitions(2, 20);
const megabytes = chooseRepetitions(5, 250);

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

describe.each(['haproxy', 'nginx'] as const)('%s with the sample in deploy/', (name) => {
  let proxied: ProxiedPortals;
  beforeAll(async () => {
    proxied = await startProxiedPortals(name, { cluster, folder });
    await proxied.untilServing();
  });
  afterAll(() => proxied.close());

  it('opens a link at the https address of the organization', async () => {
    const page = await proxied.openLink(await proxied.mint());
    expect(page.status).toBe(200);
    expect(page.headers['strict-transport-security']).toBeDefined();
  });

  it('does not let clients choose their address or another organization', async () => {
    const forged = {
      'x-forwarded-host': 'globex.portal.example.com',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'http',
      forwarded: 'for=203.0.113.7;host=globex.portal.example.com;proto=http',
    };
    expect((await proxied.openLink(await proxied.mint(forged))).status).toBe(200);
    const refused = await proxied.client(names.api, '/api/report', {
      headers: { 'x-api-key': 'wrong', ...forged },
    });
    expect(refused.status).toBe(401);
    const output = () => proxied.portals.map((each) => each.output()).join('');
    await expect.poll(output).toContain('"client":"127.0.0.1"');
    expect(output()).not.toContain('203.0.113.7');
  });

  it('logs the path of a link without its token', async () => {
    const minted = await proxied.mint();
    const { searchParams, pathname } = new URL(JSON.parse(minted.body).embedUrl);
    expect((await proxied.openLink(minted)).status).toBe(200);
    await expect.poll(proxied.readProxyLog).toContain(`GET ${pathname}`);
    expect(proxied.readProxyLog()).not.toContain(searchParams.get('token'));
  });

  it('redirects http to https, and hides the health checks', async () => {
    const plain = await send(`http://127.0.0.1:${proxied.ports.http}/api/report`, {
      headers: { host: names.api },
    });
    expect([plain.status, plain.headers.location]).toEqual([
      301,
      `https://${names.api}/api/report`,
    ]);
    expect((await proxied.client(names.api, '/readyz')).status).toBe(404);
    expect((await proxied.client(names.api, '/livez')).status).toBe(404);
  });

  it(`takes an upload of ${megabytes} MB`, async () => {
    const upload = await proxied.signIn();
    const rows = 'West,'.padEnd(99, '7').concat('\n').repeat(10_000);
    async function* content() {
      yield 'Region,Note\n';
      for (let sent = 0; sent < megabytes; sent += 1) yield rows;
    }
    const uploaded = await upload('large.csv', content());
    expect([uploaded.status, uploaded.body.slice(0, 300)]).toEqual([200, expect.any(String)]);
    expect(JSON.parse(uploaded.body).sample.rowCount).toBe(megabytes * 10_000);
  });

  it(`fails no mint and no link in ${restarts} rolling restarts with a busy core`, async () => {
    const { portals, startPortal, mint, openLink } = proxied;
    const busy = spawn(process.execPath, ['--eval', 'for (;;);']);
    onTestFinished(() => void busy.kill('SIGKILL'));
    const outcomes = await countOutcomes(
      async (count) => {
        const minted = await mint();
        count(minted.status);
        if (minted.status === 200) count((await openLink(minted)).status);
      },
      async () => {
        for (let restart = 0; restart < restarts; restart += 1) {
          const index = restart % 2;
          expect(await portals[index]!.stop('SIGTERM')).toBe(0);
          portals[index] = await startPortal(index);
          // The proxy finds it again.
          await delay(6_000);
        }
      },
    );
    console.info(`${name}, ${restarts} rolling restarts: ${JSON.stringify(outcomes)}`);
    expect(Object.keys(outcomes)).toEqual(['200']);
  });

  it('shows a page while no instance runs, and reports soon after one has returned', async () => {
    const { portals, startPortal, client, mint } = proxied;
    await Promise.all(portals.map((each) => each.kill()));
    // A request on a connection that a killed instance had accepted gets no answer; browsers repeat it.
    const page = await vi.waitFor(() => client(names.readers, '/'), { timeout: 5_000 });
    expect(page.status).toBeOneOf([502, 503]);
    expect(page.body).toContain('<h1>Reports are unavailable</h1>');
    expect(page.headers['retry-after']).toBe('10');
    portals[0] = await startPortal(0);
    await expect.poll(async () => (await mint()).status, { timeout: 20_000 }).toBe(200);
  });
});
