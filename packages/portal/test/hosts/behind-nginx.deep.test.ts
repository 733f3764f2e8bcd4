import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder, findFreePort, send } from 'test-support';
import { buildFirst } from 'test-support/build';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { createTestDatabase } from '../support/database.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { startPortalProcess, type PortalProcess } from '../support/processes.ts';

buildFirst();

const writeConfiguration = (port: number, portalPort: number, lines: string) => `
daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join(' ')}
  upstream portal { server 127.0.0.1:${portalPort}; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://portal;
      ${lines}
    }
  }
}
`;

async function startNginx(portalPort: number, port: number, lines: string): Promise<void> {
  const folder = createTemporaryFolder('portal-nginx-');
  const file = path.join(folder, 'nginx.conf');
  fs.writeFileSync(file, writeConfiguration(port, portalPort, lines));
  const nginx = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: 'ignore' });
  onTestFinished(async () => {
    nginx.kill('SIGKILL');
    await once(nginx, 'exit');
    fs.rmSync(folder, { recursive: true });
  });
  await expect
    .poll(() =>
      send(`http://127.0.0.1:${port}/livez`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
}

/** Mints a link at the portal, and opens it at the address of nginx. */
async function openLink(portal: PortalProcess, acme: TestOrganization) {
  const minted = await send(`${portal.publicUrl}/api/identity/url`, {
    method: 'POST',
    headers: { 'x-api-key': acme.apiKey },
    json: { userEmail: acme.emails.west, baseUrl: acme.address },
  });
  return send(minted.json().embedUrl, { headers: { accept: 'text/html' } });
}

it.skipIf(spawnSync('nginx', ['-v']).status !== 0)(
  'behind nginx without `proxy_set_header Host`, links open after adding the line in the hint of the log (skipped without nginx)',
  async () => {
    const database = await createTestDatabase();
    const [first, second] = [await findFreePort(), await findFreePort()];
    const { db, close } = await openDatabase(database);
    const acmeAt = (port: number, slug: string) =>
      createTestOrganization(
        { db, dataDir: database.dataDir, publicUrl: `http://localhost:${port}` },
        slug,
      );
    const [acme, globex] = [await acmeAt(first, 'acme'), await acmeAt(second, 'globex')];
    await close();
    const portal = await startPortalProcess(database);
    onTestFinished(async () => {
      await portal.stop();
      await database.remove();
    });

    await startNginx(portal.port, first, '');
    expect((await openLink(portal, acme)).status).toBe(410);
    const readHint = () =>
      portal
        .output()
        .split('\n')
        .find((line) => line.includes('identity_url_spent'));
    await expect.poll(readHint).toBeDefined();
    const { hint } = JSON.parse(readHint()!) as { hint: string };
    expect(hint).toContain('No organization has the address http://portal.');
    const [, line = ''] = /nginx needs `([^`]+)`/.exec(hint) ?? [];
    expect(line).toBe('proxy_set_header Host $http_host;');

    await startNginx(portal.port, second, line);
    expect((await openLink(portal, globex)).status).toBe(200);
  },
);
