import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { copyRepository } from 'test-support/copy-repository';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let clone;
beforeAll(() => {
  clone = copyRepository();
});
afterAll(() => fs.rmSync(clone, { recursive: true, force: true }));

const { PATH, HOME } = process.env;
const run = (...args) =>
  promisify(execFile)('npm', ['run', ...args], { cwd: clone, env: { PATH, HOME } });
const exists = (file) => fs.existsSync(path.join(clone, file));

describe('in a fresh clone', () => {
  it('in a fresh clone, a test file runs without a build', async () => {
    const files = [
      'packages/contract/src/errors.test.ts',
      'packages/portal/test/api/paging.test.ts',
    ];
    const projects = ['--project=packages', '--project=portal-embedded'];
    const { stdout } = await run('vitest', '--', 'run', ...projects, ...files);
    expect(stdout).toMatch(/Test Files.*2 passed/);
    const packages = fs.readdirSync(path.join(clone, 'packages'));
    expect(packages.filter((name) => exists(`packages/${name}/dist`))).toEqual([]);
  });

  it('a build restores missing modules and removes modules whose source was deleted', async () => {
    const dist = 'packages/contract/dist';
    const source = path.join(clone, 'packages/contract/src/moved.ts');
    fs.writeFileSync(source, 'export const moved = true;\n');
    await run('build');
    expect(exists(`${dist}/moved.js`)).toBe(true);
    fs.rmSync(source);
    fs.rmSync(path.join(clone, dist, 'errors.js'));
    await run('build');
    expect([exists(`${dist}/moved.js`), exists(`${dist}/errors.js`)]).toEqual([false, true]);
  });
});
