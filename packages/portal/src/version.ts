import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { packageFolder } from './package-folder.ts';

const file = new URL('package.json', packageFolder);

/** `npm run release` adds `gitHead`, the whole hash of the commit. */
const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string; gitHead?: string };

/** Release of this portal, such as `0.1.0`. */
export const { version } = manifest;

/**
 * Commit of this portal, such as `abcdef0`. Its release tells it or, in a clone, git; `undefined` if
 * neither does.
 */
export const commit: string | undefined = manifest.gitHead?.slice(0, 7) ?? readCommit();

/** Release and commit, such as `0.1.0 (abcdef0)`. */
export const versionWithCommit = commit === undefined ? version : `${version} (${commit})`;

function readCommit(): string | undefined {
  // An installed package can be in a repository of somebody else.
  if (!fs.existsSync(new URL('../../.git', packageFolder))) return undefined;
  const args = ['rev-parse', '--short=7', 'HEAD'];
  const { status, stdout } = spawnSync('git', args, { cwd: packageFolder, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
