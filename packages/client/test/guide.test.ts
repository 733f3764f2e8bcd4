import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { seed, startOtherPortal } from 'other-portal';
import { buildFirst } from 'test-support/build';
import { readGuide } from 'test-support/guide';
import { expect, it, vi } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const runFile = promisify(execFile);
const readBlocks = readGuide(path.join(repository, 'packages/docs/guides/client.md'));
const headings = [
  'Connect',
  'Lists',
  'Users and reports',
  'An identity URL',
  'Errors',
  'Many users',
  'Clean up',
];

buildFirst();

it('the blocks of the guide form its whole file, and the file runs', async () => {
  const state = seed();
  // One page, because the program does not name the page parameter of this portal.
  state.users.length = 2;
  await using portal = await startOtherPortal({ state });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-embed-guide-'));
  try {
    const program = headings.flatMap(readBlocks).map(({ code }) => code);
    expect(program.join('\n')).toBe(readBlocks('The whole file')[0]!.code);
    fs.mkdirSync(path.join(folder, 'node_modules/@portal-embed'), { recursive: true });
    const installed = path.join(folder, 'node_modules/@portal-embed/client');
    fs.symlinkSync(path.join(repository, 'packages/client'), installed);
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    fs.writeFileSync(path.join(folder, 'first-steps.js'), program.join('\n'));
    const env = {
      PATH: process.env['PATH'],
      REPORTS_URL: portal.apiUrl,
      ACME_API_KEY: portal.apiKey,
      ACME_BASE_URL: portal.portalUrl,
    };
    const { stdout } = await runFile(process.execPath, ['first-steps.js'], { cwd: folder, env });
    expect(stdout.trim().split('\n')).toEqual([
      'report Orders',
      'report Stock',
      `a URL of ${new URL(portal.portalUrl).origin}, for 300 seconds`,
      'there is no such user',
      '7 calls to make',
      ...[1, 2, 3, 4, 5, 6, 7].map((done) => `${done} of 7`),
      '0 failures',
    ]);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

it('two copies of the module in the guide share one client', async () => {
  vi.stubEnv('REPORTS_URL', 'http://localhost:4000');
  vi.stubEnv('ACME_API_KEY', 'pk_1');
  const copies = [];
  for (let copy = 0; copy < 2; copy += 1) {
    vi.resetModules();
    copies.push(await import('../examples/guide/portal.ts'));
  }
  const [first, second] = copies;
  expect(first!.portal).not.toBe(second!.portal);
  expect(first!.portal()).toBe(second!.portal());
  vi.unstubAllEnvs();
});
