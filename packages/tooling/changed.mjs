/** Which files have changed, and which tests of the portal `npm test -- --changed` runs for them. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { repository } from './prepare.mjs';

/** Folders of `portal/src` whose tests are in folders of `portal/test` with other names. */
export const testedElsewhere = {
  catalogue: ['access', 'readings'],
  companies: ['groups'],
  platforms: ['readings'],
  'sign-in': ['cli'],
  'viewer-api': ['viewing'],
};

/**
 * Returns the commit with which the working tree is compared: where the branch left `origin/main`, or
 * HEAD without such a branch.
 *
 * @throws if the folder is no Git repository
 */
export function findBase(folder = repository) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  const head = git('rev-parse', 'HEAD');
  try {
    return git('merge-base', 'HEAD', 'origin/main');
  } catch {
    return head;
  }
}

/** Lists the files that differ from a commit, deleted and untracked ones included. */
export function listChanged(base, folder = repository) {
  const list = (...args) =>
    execFileSync('git', [...args, '-z'], { cwd: folder, encoding: 'utf8', maxBuffer: Infinity })
      .split('\0')
      .filter(Boolean);
  return [
    ...list('diff', '--name-only', '--no-renames', base),
    ...list('ls-files', '--others', '--exclude-standard'),
  ].toSorted();
}

const portal = 'packages/portal/';

/** Lists the folders of all packages but the portal. */
export const listOtherFolders = () =>
  ['packages', 'examples']
    .flatMap((group) =>
      fs.readdirSync(path.join(repository, group)).map((name) => `${group}/${name}/`),
    )
    .filter((folder) => folder !== portal);

/** The tests of a changed file of the portal: paths of files, and of folders with a slash at the end. */
function listTests(file) {
  const [root, folder, ...below] = file.slice(portal.length).split('/');
  if (root === 'migrations') return ['test/db/'];
  if (root === 'src' && below.length === 0)
    return [`src/${folder.replace(/(?:\.test)?\.ts$/, '.test.ts')}`, 'test/service/'];
  if (root === 'src')
    return [`src/${folder}/`].concat(
      [folder, ...(testedElsewhere[folder] ?? [])].map((name) => `test/${name}/`),
    );
  // Nearly all tests import a file of `support`.
  if (root !== 'test' || folder === 'support') return [];
  return [file.endsWith('.test.ts') ? `test/${folder}/${below.join('/')}` : `test/${folder}/`];
}

/**
 * Chooses the tests of the portal for changed files.
 *
 * @returns `tests`, paths from the root of the repository, and `without`, the changed files of the
 * portal for which none is chosen
 */
export function chooseTests(changed) {
  const chosen = changed
    .filter((file) => file.startsWith(portal))
    .map((file) => ({
      file,
      tests: listTests(file)
        .map((name) => `${portal}${name}`)
        .filter((name) => fs.existsSync(path.join(repository, name))),
    }));
  const tests = [...new Set(chosen.flatMap((each) => each.tests))];
  return {
    // A file of a chosen folder runs with it.
    tests: tests.filter(
      (name) =>
        !tests.some((folder) => folder.endsWith('/') && name !== folder && name.startsWith(folder)),
    ),
    without: chosen.filter((each) => each.tests.length === 0).map(({ file }) => file),
  };
}
