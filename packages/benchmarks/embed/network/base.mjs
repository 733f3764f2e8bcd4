/** The earlier version that the benchmarks compare with. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Mints before it loads the frame, and loads a second frame for each change. */
const baseCommit = 'f36e3ff';

export const repository = new URL('../../../../', import.meta.url).pathname;

const git = (...args) => execFileSync('git', args, { cwd: repository, stdio: 'inherit' });

/**
 * Returns a built folder of the earlier version: the one that is given, or a new worktree, which takes
 * minutes to install and build.
 */
export async function openBase(given) {
  if (given) return { root: path.resolve(given), remove: () => {} };
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-base-'));
  git('worktree', 'add', '--detach', root, baseCommit);
  const prepare = pathToFileURL(path.join(root, 'packages/tooling/prepare.mjs')).href;
  const { install, build } = await import(prepare);
  install();
  build();
  return { root, remove: () => git('worktree', 'remove', '--force', root) };
}
