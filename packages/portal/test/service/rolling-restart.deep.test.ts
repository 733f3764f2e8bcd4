import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { findFreePort, send, startPostgres } from 'test-support';
import { chooseRepetitions } from 'test-support/repetitions';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startPortalProcess } from '../support/processes.ts';

const restarts = chooseRepetitions(5, 20);

/** Time between two requests: 20 a second, whatever the time of their answers. */
const requestGapMs = 50;

/** Keeps one core busy until the test ends. */
function occupyCore(): void {
  const child = spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
}

/** Starts haproxy, without retries, in front of the two ports. */
async function startProxy(folder: string, ports: readonly number[]) {
  const port = await findFreePort();
  const file = path.join(folder, 'haproxy.cfg');
  fs.writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retries 0
frontend portal
  bind 127.0.0.1:${port}
  stats enable
  stats uri /proxy
  default_backend portals
backend portals
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
${ports.map((each, index) => `  server portal-${index} 127.0.0.1:${each} check`).join('\n')}
`,
  );
  const proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  onTestFinished(async () => {
    proxy.kill('SIGKILL');
    await once(proxy, 'exit');
  });
  const origin = `http://127.0.0.1:${port}`;
  const isUp = async (index: number): Promise<boolean> => {
    const { body } = await send(`${origin}/proxy;csv`);
    return new RegExp(`^portals,portal-${index},.*,UP,`, 'm').test(body);
  };
  return { origin, isUp };
}

it.skipIf(spawnSync('haproxy', ['-v']).status !== 0)(
  `${restarts} rolling restarts behind haproxy fail none of 20 requests a second while one core is busy (skipped without haproxy)`,
  async () => {
    const cluster = await startPostgres();
    onTestFinished(() => cluster.stop());
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-rolling-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const database = { databaseUrl: cluster.url('postgres'), dataDir: folder };
    const { db, close } = await openDatabase(database);
    const acme = await createTestOrganization(
      { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
      'acme',
    );
    await close();
    // Unset: the default notice must be long enough for haproxy's default checks.
    const env = { PORTAL_DRAIN_NOTICE: '', PORTAL_RATE_LIMIT: '0' };
    const ports = [await findFreePort(), await findFreePort()];
    const start = (index: number) => startPortalProcess(database, { port: ports[index]!, env });
    const instances = [await start(0), await start(1)];
    onTestFinished(async () => void (await Promise.all(instances.map((each) => each.kill()))));
    const proxy = await startProxy(folder, ports);
    for (const index of [0, 1])
      await expect.poll(() => proxy.isUp(index).catch(() => false)).toBe(true);

    const over = new AbortController();
    const outcomes: Record<string, number> = {};
    const agent = new http.Agent({ keepAlive: true });
    const request = async () => {
      const answer = await send(`${proxy.origin}/api/identity/url`, {
        method: 'POST',
        agent,
        headers: { 'x-api-key': acme.apiKey },
        json: { userEmail: acme.emails.west, baseUrl: acme.address },
      }).catch((error: Error) => ({ status: error.message }));
      outcomes[answer.status] = (outcomes[answer.status] ?? 0) + 1;
    };
    const requests: Promise<void>[] = [];
    const load = async () => {
      while (!over.signal.aborted) {
        requests.push(request());
        await delay(requestGapMs);
      }
    };
    occupyCore();
    const loading = load();
    for (let restart = 0; restart < restarts; restart++) {
      const index = restart % 2;
      expect(await instances[index]!.stop('SIGTERM')).toBe(0);
      instances[index] = await start(index);
      await expect.poll(() => proxy.isUp(index)).toBe(true);
    }
    over.abort();
    await loading;
    await Promise.all(requests);
    console.log(`${restarts} restarts:`, outcomes);
    expect(Object.keys(outcomes)).toEqual(['200']);
  },
);
