/** `npm run vitest -- …`: Vitest with the tests of all packages. Needs no build. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { install, repository } from './prepare.mjs';

await install();
const { status } = spawnSync(
  path.join(repository, 'node_modules/.bin/vitest'),
  ['--config', 'packages/tooling/vitest.root.ts', ...process.argv.slice(2)],
  { cwd: repository, stdio: 'inherit' },
);
process.exit(status ?? 1);
