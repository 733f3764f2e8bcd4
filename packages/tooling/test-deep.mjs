/** `npm run test:deep [FILE]`: the tests that take minutes (upgrades and rolling restarts). */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { build, install, repository } from './prepare.mjs';

install();
build();
const vitest = path.join(repository, 'node_modules/.bin/vitest');
const args = ['run', '--config=packages/tooling/vitest.deep.ts', ...process.argv.slice(2)];
process.exit(spawnSync(vitest, args, { cwd: repository, stdio: 'inherit' }).status ?? 1);
