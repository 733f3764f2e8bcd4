import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { copyRepository } from 'testing/copy-repository';
import { expect, it, onTestFinished } from 'vitest';

const files = [
  'packages/contract/src/errors.test.ts',
  'packages/portal/test/paging.test.ts',
  'packages/client/src/client.test.ts',
];

it('a test file runs without a build', async () => {
  const clone = copyRepository();
  onTestFinished(() => fs.rmSync(clone, { recursive: true, force: true }));
  const { PATH, HOME } = process.env;
  const args = ['run', 'vitest', '--', 'run', '--project=!*postgres*', ...files];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: clone, env: { PATH, HOME } });
  expect(stdout).toMatch(/Test Files.*3 passed/);
  const built = fs
    .readdirSync(path.join(clone, 'packages'))
    .filter((name) => fs.existsSync(path.join(clone, 'packages', name, 'dist')));
  expect(built).toEqual([]);
});
