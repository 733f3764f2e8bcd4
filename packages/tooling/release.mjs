/**
 * `npm run release`: the files of a release in `release/`, with their checksums. It names the commit and
 * builds everything anew, so that two runs give the same files.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { build, install, publicPackages, repository } from './prepare.mjs';

const git = (...args) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();

const changed = git('status', '--porcelain');
if (changed !== '') {
  console.error(`A release is made of a commit. Commit or remove these changes first:\n${changed}`);
  process.exit(1);
}
process.env.RELEASE_COMMIT = git('rev-parse', 'HEAD');

await install();
for (const { folder } of publicPackages())
  fs.rmSync(path.join(repository, folder, 'dist'), { recursive: true, force: true });
await build();

// It imports dependencies, which are installed only now.
const { writeRelease, listFiles } = await import('./release-files.mjs');
const release = path.join(repository, 'release');
await writeRelease(release);
for (const name of listFiles(release)) console.log(path.join('release', name));
