import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { it } from 'vitest';

import { setUpAdminPages } from '../support/admin-pages.ts';
import { createFolder, expectInstalledReport, expectReport, repository } from '../support/paste.ts';

const admin = setUpAdminPages();

it('the code for Next.js shows a report when pasted and installed as the page says', async () => {
  execFileSync('npm', ['run', 'pack'], { cwd: repository, stdio: 'ignore' });
  const parent = createFolder();
  fs.symlinkSync(path.join(repository, 'packs'), path.join(parent, 'release'));
  const folder = path.join(parent, 'app');
  fs.mkdirSync(folder);
  await expectReport(admin, { server: 'Next.js', pages: undefined }, folder);
});

it.each([
  ['Express', 'Plain HTML'],
  ['Hono', 'React'],
  ['Fastify', 'React'],
  ['Fetch handler', 'Plain HTML'],
])('the code for %s and %s shows a report when pasted into a folder', (server, pages) =>
  expectInstalledReport(admin, server, pages),
);
