/**
 * `npm run check`: types, lint and format, one after another, since each uses all cores. Ends with a
 * line `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { install, repository } from './prepare.mjs';

const checks = [
  { title: 'Types', command: 'tsc', args: ['-b', 'packages/tooling'] },
  { title: 'Lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { title: 'Format', command: 'oxfmt', args: ['--check'] },
];

await install();
const failed = checks.filter(({ title, command, args }) => {
  console.log(`\n${title}`);
  const program = path.join(repository, 'node_modules/.bin', command);
  return spawnSync(program, args, { cwd: repository, stdio: 'inherit' }).status !== 0;
});
for (const { title } of failed) console.error(`FAILED: ${title}`);
console.log(`\n${checks.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
