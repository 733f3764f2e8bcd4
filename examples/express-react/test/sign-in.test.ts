import { once } from 'node:events';
import fs from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createHostApp, readHostConfig } from '../src/index.ts';

const tenant = (name: string) => ({
  [`${name}_API_KEY`]: 'key',
  [`${name}_ORGANIZATION_ID`]: '11111111-1111-4111-8111-111111111111',
  [`${name}_BASE_URL`]: 'http://portal.localhost:4000',
});

let folder: string;
let server: Server;
let address: string;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'host-page-'));
  fs.writeFileSync(path.join(folder, 'index.html'), '<title>Host</title>');
  const config = readHostConfig({
    ...tenant('ACME'),
    ...tenant('GLOBEX'),
    REPORTS_URL: 'http://localhost:4000',
    HOST_SESSION_SECRET: 'secret',
    SALES_REPORT_ID: 'sales',
    FLIGHTS_REPORT_ID: 'flights',
  });
  server = createHostApp(config, folder).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://acme.localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  fs.rmSync(folder, { recursive: true });
});

const form = Buffer.from(new URLSearchParams({ email: 'west@acme.example' }).toString());
const post = (target: string, headers: Record<string, string>, body = form) =>
  send(address + target, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });

describe('signing in and out', () => {
  it.each([
    [{}, 303],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'own' }, 303],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'http://globex.localhost' }, 403],
    [{ origin: 'null' }, 403],
  ])(
    'sign-in and sign-out with the headers %j answer %i',
    async (headers: Record<string, string>, status) => {
      const sent = headers['origin'] === 'own' ? { origin: address } : headers;
      for (const target of ['/login', '/logout'])
        expect((await post(target, sent)).status).toBe(status);
    },
  );

  it('sign-in rejects a compressed form', async () => {
    const answer = await post('/login', { 'content-encoding': 'gzip' }, gzipSync(form));
    expect(answer.status).toBe(415);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });
});
