import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { repository } from './prepare.mjs';

const checks = [
  { title: 'Types', command: 'tsc', args: ['-b', 'packages/tooling'] },
  { title: 'Lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { title: 'Format', command: 'oxfmt', args: ['--check'] },
];

/** Runs one check and returns its output. */
async function check({ title, command, args }) {
  const program = path.join(repository, 'node_modules/.bin', command);
  const child = spawn(program, args, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
  // The checks use the time in which the tests wait, and do not delay them.
  os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  const [[status], ...output] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { title, output: output.join(''), isPassed: status === 0 };
}

/** Runs the checks one after another, since each uses all cores. */
export async function runChecks() {
  const results = [];
  for (const each of checks) results.push(await check(each));
  return {
    passed: results.filter(({ isPassed }) => isPassed),
    failed: results.filter(({ isPassed }) => !isPassed),
  };
}
