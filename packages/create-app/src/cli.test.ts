import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { typescriptChildren } from '../../tooling/vitest.children.ts';

it('the command writes an application, and says what to do if the packages are not published', () => {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'create-app-'));
  onTestFinished(() => fs.rmSync(parent, { recursive: true }));
  const folder = path.join(parent, 'my-host');
  const cli = path.join(import.meta.dirname, 'cli.ts');
  const output = execFileSync(process.execPath, [cli, folder, '--framework', 'hono'], {
    encoding: 'utf8',
    env: { ...process.env, ...typescriptChildren },
  });
  expect(output).toContain('npm run portal');
  expect(output).toContain('run this command again with --packs');
  expect(fs.readdirSync(folder)).toContain('package.json');
});
