import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { createTemporaryFolder, findPostgres, startPostgres } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { buildProgram } from '../support/processes.ts';

const docs = path.join(import.meta.dirname, '../../../docs');
const guide = ['production', 'production-review']
  .map((name) => fs.readFileSync(path.join(docs, 'guides', `${name}.md`), 'utf8'))
  .join('\n');
const deploy = path.join(import.meta.dirname, '../../deploy');

it('the commands of the production guide lead to a portal that its running role cannot change', async () => {
  const folder = createTemporaryFolder('portal-production-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const cluster = await startPostgres();
  onTestFinished(() => cluster.stop());
  const server = new URL(cluster.url('portal'));
  const addressOf = (role: string, password: string, name = 'portal') => {
    const url = new URL(server);
    url.pathname = name;
    [url.username, url.password] = [role, password];
    return url.href;
  };
  fs.symlinkSync(deploy, path.join(folder, 'deploy'));
  fs.writeFileSync(path.join(folder, 'sales.csv'), 'Region,Amount\nWest,12.5\nEast,3\n');
  const program = await buildProgram();
  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(
    path.join(bin, 'portal'),
    `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const run = (code: string) =>
    promisify(execFile)('bash', ['--norc', '-c', `set -euo pipefail\n${code}`], {
      cwd: folder,
      env: {
        PATH: [bin, findPostgres(), process.env['PATH']].join(':'),
        PGHOST: server.hostname,
        PGPORT: server.port,
        PGUSER: server.username,
        OWNER_PASSWORD: 'owner-pass',
        RUN_PASSWORD: 'run-pass',
        OWNER_URL: addressOf('portal_owner', 'owner-pass'),
        RESTORED_URL: addressOf('portal_owner', 'owner-pass', 'portal_restored'),
        PORTAL_DATABASE_URL: addressOf('portal_run', 'run-pass'),
        PORTAL_MIGRATE: 'off',
        PORTAL_DATA_DIR: path.join(folder, 'data'),
        PORTAL_PUBLIC_URL: 'https://portal.example.com',
        PORTAL_ADMIN_URL: 'https://admin.portal.example.com',
      },
    });
  const outputs: string[] = [];
  for (const [, code] of guide.matchAll(/^```bash\n([^]*?)^```$/gm))
    outputs.push((await run(code!)).stdout);
  expect(outputs.length).toBeGreaterThan(5);
  const output = outputs.join('');
  expect(output).toContain('https://admin.portal.example.com/admin/invitation');
  expect((await run('portal reports list -o acme')).stdout).toContain('Sales');
  const restored = addressOf('portal_run', 'run-pass', 'portal_restored');
  const env = `PORTAL_DATABASE_URL="${restored}" PORTAL_DATA_DIR=other`;
  expect((await run(`${env} portal reports list -o acme`)).stdout).toContain('Sales');
  await expect(run(`psql "$PORTAL_DATABASE_URL" -c 'DROP TABLE users'`)).rejects.toThrow(
    'must be owner of table users',
  );
});
