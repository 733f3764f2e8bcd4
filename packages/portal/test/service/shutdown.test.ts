import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';

import { findFreePort, send } from 'test-support';
import { buildFirst } from 'test-support/build';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { version } from '../../src/version.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { buildProgram, startPortalProcess, type PortalProcess } from '../support/processes.ts';

buildFirst();

let database: TestDatabase;
let portal: PortalProcess;
let acme: TestOrganization;
let metricsUrl: string;
async function startPortal(): Promise<void> {
  database = await createTestDatabase();
  const port = await findFreePort();
  const metricsPort = await findFreePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  acme = await createAcme(database, port);
  const env = { PORTAL_METRICS_PORT: String(metricsPort) };
  portal = await startPortalProcess(database, { port, env });
}
async function createAcme(owner: TestDatabase, port = 4000): Promise<TestOrganization> {
  const { db, close } = await openDatabase(owner);
  const created = await createTestOrganization(
    { db, dataDir: owner.dataDir, publicUrl: `http://localhost:${port}` },
    'acme',
  );
  await close();
  return created;
}
async function stopPortal(): Promise<void> {
  await portal.kill();
  await database.remove();
}

/** Starts a request whose body arrives in two parts, so that the test decides when it ends. */
async function beginCreateUser(email: string) {
  const body = JSON.stringify({ email, name: 'Late', role: 3 });
  const request = http.request(`${portal.publicUrl}/api/user`, {
    method: 'POST',
    agent: new http.Agent({ keepAlive: true }),
    headers: {
      'x-api-key': acme.apiKey,
      'content-type': 'application/json',
      'content-length': body.length,
      // The portal answers 100 once it has accepted the request.
      expect: '100-continue',
    },
  });
  request.flushHeaders();
  await once(request, 'continue');
  request.write(body.slice(0, 10));
  return {
    finish: async () => {
      const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
      request.end(body.slice(10));
      const [response] = await answered;
      response.resume();
      return response;
    },
  };
}

describe.each(['SIGTERM', 'SIGINT'] as const)('on %s the portal', (signal) => {
  beforeEach(startPortal);
  afterEach(stopPortal);

  it('a portal that gets a signal finishes the request in flight, rejects new ones and exits with 0', async () => {
    const late = await beginCreateUser('late@acme.example');
    const ended = portal.stop(signal);
    await expect
      .poll(() => send(`${portal.publicUrl}/livez`).catch(() => 'refused'))
      .toBe('refused');
    const response = await late.finish();
    expect(response.statusCode).toBe(201);
    expect(response.headers.connection).toBe('close');
    expect(await ended).toBe(0);
    expect(portal.output()).toContain('"msg":"stopped"');

    const { db, close } = await openDatabase(database);
    const user = db.selectFrom('users').selectAll().where('email', '=', 'late@acme.example');
    expect(await user.execute()).toHaveLength(1);
    await close();
  });
});

describe('the drain notice for load balancers', () => {
  it('makes /readyz answer 503 while other requests are served, and then the portal exits', async () => {
    const own = await createTestDatabase();
    await createAcme(own);
    const env = { PORTAL_DRAIN_NOTICE: '2' };
    const instance = await startPortalProcess(own, { env });
    const readiness = async () => (await send(`${instance.publicUrl}/readyz`)).status;
    expect(await readiness()).toBe(200);
    const ended = instance.stop('SIGTERM');
    await expect.poll(readiness).toBe(503);
    const refused = await send(`${instance.publicUrl}/readyz`);
    expect(refused.json()).toMatchObject({
      code: 'draining',
      detail: 'This instance is stopping. Send requests to another one.',
    });
    const served = await send(`${instance.publicUrl}/livez`);
    expect([served.status, served.headers.connection]).toEqual([200, 'close']);
    expect(await ended).toBe(0);
    await own.remove();
  });

  it('is skipped on SIGINT', async () => {
    const own = await createTestDatabase();
    await createAcme(own);
    const limits = { PORTAL_DRAIN_NOTICE: '3600', PORTAL_DRAIN_LIMIT: '3600' };
    const env = { ...limits, PORTAL_LOG_LEVEL: 'debug' };
    const instance = await startPortalProcess(own, { env });
    expect((await send(`${instance.publicUrl}/readyz`)).status).toBe(200);
    await expect.poll(() => instance.output()).toContain('"path":"/readyz"');
    expect(await instance.stop('SIGINT')).toBe(0);
    await own.remove();
  });
});

describe('a portal whose parent has ended', () => {
  const envOf = async (own: TestDatabase) => ({
    PATH: process.env['PATH'],
    PORTAL_PORT: String(await findFreePort()),
    PORTAL_DATA_DIR: own.dataDir,
    PORTAL_DATABASE_URL: own.databaseUrl ?? '',
    PORTAL_DRAIN_NOTICE: '0',
  });

  it.each([
    [
      'stops when the channel to its parent closes',
      (child: ChildProcess) => once(child.stdout!, 'data'),
    ],
    [
      'stops if that channel closes during the start',
      (child: ChildProcess) => once(child, 'spawn'),
    ],
  ])('%s', async (_, wait) => {
    const own = await createTestDatabase();
    const child = fork(await buildProgram(), ['serve'], {
      env: await envOf(own),
      execArgv: [],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await wait(child);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
    await own.remove();
  });

  it('stops when npm, which started it, has ended', async () => {
    const own = await createTestDatabase();
    // The shell stands in for npm. Its second command keeps it from replacing itself with the portal.
    const npm = spawn('sh', ['-c', '"$NODE" "$PROGRAM" serve; exit'], {
      env: {
        ...(await envOf(own)),
        NODE: process.execPath,
        PROGRAM: await buildProgram(),
        npm_lifecycle_event: 'portal',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    npm.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
    await expect.poll(() => output).toContain('"listening"');
    npm.kill('SIGKILL');
    await once(npm.stdout, 'close');
    expect(output).toContain('"msg":"stopped"');
    await own.remove();
  });
});

describe('a running portal', () => {
  beforeAll(startPortal);
  afterAll(stopPortal);

  it('logs its version, database and data directory at the start, and no credentials', () => {
    const line = portal
      .output()
      .split('\n')
      .find((text) => text.includes('"listening"'));
    const { databaseUrl, dataDir } = database;
    expect(JSON.parse(line!)).toMatchObject({
      version,
      database: databaseUrl
        ? new URL(databaseUrl).host + new URL(databaseUrl).pathname
        : path.join(dataDir, 'database'),
      dataDir,
    });
    expect(line).not.toContain('portal@');
  });

  it('exits with an error that names the variable if its port is taken', async () => {
    const other = await createTestDatabase();
    const second = startPortalProcess(other, { port: portal.port });
    await expect(second).rejects.toThrow(/PORTAL_PORT/);
    await other.remove();
  });

  it('serves /metrics at its own port, and logs lines of JSON without secrets', async () => {
    const headers = { 'x-api-key': acme.apiKey };
    await send(`${portal.publicUrl}/api/user?email=nobody`, { headers });
    const { body } = await send(metricsUrl);
    expect(body).toMatch(/route="\/api\/user",status="200"} 1/);
    expect(body).toContain('portal_database_connections');
    await portal.stop();
    const lines = portal.output().trim().split('\n');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ name: 'portal' });
    expect(portal.output()).toContain('/api/user');
    expect(portal.output()).not.toContain(acme.apiKey);
  });
});
