import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { chooseTests, findBase, listChanged, testedElsewhere } from './changed.mjs';
import { repository } from './prepare.mjs';

const portal = path.join(repository, 'packages/portal');
const hasTests = (folder) =>
  fs.existsSync(path.join(portal, folder)) &&
  fs
    .readdirSync(path.join(portal, folder), { recursive: true })
    .some((file) => file.endsWith('.test.ts'));
const folders = fs
  .readdirSync(path.join(portal, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('the tests of a changed file', () => {
  it('a file of the portal selects the tests beside it and those of its folder in test', () => {
    const { tests } = chooseTests(['packages/portal/src/content/apply/plan.ts']);
    expect(tests).toEqual(['packages/portal/src/content/', 'packages/portal/test/content/']);
  });

  it('a file selects tests in folders with another name', () => {
    const { tests } = chooseTests(['packages/portal/src/catalogue/store.ts']);
    expect(tests).toEqual([
      'packages/portal/src/catalogue/',
      'packages/portal/test/catalogue/',
      'packages/portal/test/access/',
      'packages/portal/test/readings/',
    ]);
  });

  it('a changed test selects itself, and a changed helper the tests of its folder', () => {
    const test = 'packages/portal/test/http/metrics.test.ts';
    expect(chooseTests([test]).tests).toEqual([test]);
    const helper = 'packages/portal/test/api/model/world.ts';
    expect(chooseTests([helper]).tests).toEqual(['packages/portal/test/api/']);
  });

  it('a file outside the folders selects the test beside it', () => {
    expect(chooseTests(['packages/portal/src/config.ts']).tests).toEqual([
      'packages/portal/src/config.test.ts',
      'packages/portal/test/service/',
    ]);
  });

  it('a migration selects the tests of the database', () => {
    const { tests } = chooseTests(['packages/portal/migrations/0001-start.sql']);
    expect(tests).toEqual(['packages/portal/test/db/']);
  });

  it('a test that several files select runs once', () => {
    const { tests } = chooseTests([
      'packages/portal/src/http/body.ts',
      'packages/portal/src/http/body.test.ts',
      'packages/portal/test/http/http.test.ts',
    ]);
    expect(tests).toEqual(['packages/portal/src/http/', 'packages/portal/test/http/']);
  });

  it('a file that all tests use selects none and is reported, and other packages are left to Vitest', () => {
    const files = ['packages/portal/test/support/portal.ts', 'packages/portal/package.json'];
    expect(chooseTests([...files, 'packages/host/src/index.ts'])).toEqual({
      tests: [],
      without: files,
    });
  });
});

it.each(folders)('npm test -- --changed finds tests of portal/src/%s', (folder) => {
  const { tests } = chooseTests([`packages/portal/src/${folder}/file.ts`]);
  const found = tests.map((name) => name.replace('packages/portal/', '')).filter(hasTests);
  expect(found).not.toEqual([]);
});

it('each folder with tests elsewhere, and each of these folders, exists', () => {
  expect(folders).toEqual(expect.arrayContaining(Object.keys(testedElsewhere)));
  const elsewhere = Object.values(testedElsewhere).flat();
  expect(elsewhere.filter((folder) => !hasTests(`test/${folder}`))).toEqual([]);
});

describe('the changes of a clone', () => {
  let clone;
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      cwd: clone,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  const write = (name) => fs.writeFileSync(path.join(clone, name), name);
  beforeEach(() => {
    clone = fs.mkdtempSync(path.join(os.tmpdir(), 'changed-'));
    git('init', '--quiet');
    ['kept', 'deleted', 'changed'].forEach(write);
    git('add', '.');
    git('commit', '--quiet', '-m', 'start');
  });
  afterEach(() => fs.rmSync(clone, { recursive: true }));

  it('without origin/main, the working tree is compared with HEAD', () => {
    fs.rmSync(path.join(clone, 'deleted'));
    fs.writeFileSync(path.join(clone, 'changed'), 'other');
    write('new');
    const base = findBase(clone);
    expect(base).toBe(git('rev-parse', 'HEAD'));
    expect(listChanged(base, clone)).toEqual(['changed', 'deleted', 'new']);
  });

  it('the commits since the branch left origin/main count as changes', () => {
    const start = git('rev-parse', 'HEAD');
    write('upstream');
    git('add', '.');
    git('commit', '--quiet', '-m', 'upstream');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    git('reset', '--quiet', '--hard', start);
    write('committed');
    git('add', '.');
    git('commit', '--quiet', '-m', 'branch');
    write('new');
    expect(findBase(clone)).toBe(start);
    expect(listChanged(start, clone)).toEqual(['committed', 'new']);
  });
});

it.each([
  [['--watch'], 'npm test has no option --watch.'],
  [['--changed', 'http'], 'Use either --changed or names.'],
])('npm test -- %s is refused with the usage', (args, reason) => {
  const script = fileURLToPath(new URL('test.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  expect(stderr.split('\n')[0]).toBe(reason);
  expect(stderr).toContain('npm test -- --changed');
  expect(status).toBe(2);
});
