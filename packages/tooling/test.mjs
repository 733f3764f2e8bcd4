/**
 * `npm test`: types, lint, format, build and the tests that take seconds. Ends with a line
 * `N passed, N failed`, in which each of the first four counts as one. Under `CI` nothing may be
 * skipped.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { build, install, repository } from './prepare.mjs';
import { runTests } from './run-tests.mjs';

install();

let passed = 0;
let failed = 0;

const bin = (name) => path.join(repository, 'node_modules/.bin', name);

const run = (command, args) =>
  spawnSync(command, args, { cwd: repository, stdio: 'inherit' }).status === 0;

/** Runs one check and counts it. */
function check(title, command, args) {
  console.log(`\n${title}`);
  if (run(bin(command), args)) passed++;
  else {
    failed++;
    console.error(`${title}: FAILED`);
  }
}

check('Types', 'tsc', ['-b', 'packages/tooling']);
check('Lint', 'oxlint', ['--type-aware', '--deny-warnings']);
check('Format', 'oxfmt', ['--check']);

console.log('\nBuild');
build();
passed++;

const { findChromium, findPostgres } = await import('../testing/dist/index.js');

/** Programs that some tests need, and the names of the Vitest projects of these tests. */
const needs = [
  { what: 'a PostgreSQL server', found: findPostgres(), projects: ['*postgres*'] },
  { what: 'Chromium', found: findChromium(), projects: ['*browser*', 'example-*'] },
];
const missing = needs.filter((need) => !need.found);
const excluded = missing.flatMap((need) => need.projects.map((name) => `--project=!${name}`));

if (findPostgres()) process.env.PORTAL_TEST_EMBEDDED = 'chosen';
console.log('\nTests');
const results = runTests('vitest.root.ts', excluded);
passed += results.passed;
failed += results.failed;

for (const { what, projects } of missing)
  console.error(`\n!!! NOT RUN: the tests that need ${what} (${projects.join(', ')}). Install it.`);
if (process.env.CI && (missing.length > 0 || results.skipped > 0)) {
  console.error(`Under CI nothing may be skipped; ${results.skipped} tests were.`);
  failed++;
}

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
