/**
 * `npm test`: types, lint, format, build and the tests that take seconds. Ends with a line
 * `N passed, N failed`, in which each of the first four counts as one. Under `CI` nothing may be
 * skipped.
 */
import { build, install } from './prepare.mjs';
import { runChecks } from './run-checks.mjs';
import { runTests } from './run-tests.mjs';

install();
console.log('\nBuild');
build();

const { findChromium, findPostgres } = await import('../testing/dist/index.js');

/** Programs that some tests need, and the names of the Vitest projects of these tests. */
const needs = [
  { what: 'a PostgreSQL server', found: findPostgres(), projects: ['*postgres*'] },
  { what: 'Chromium', found: findChromium(), projects: ['*browser*', 'example-*'] },
];
const missing = needs.filter((need) => !need.found);
const excluded = missing.flatMap((need) => need.projects.map((name) => `--project=!${name}`));

if (findPostgres()) process.env.PORTAL_TEST_EMBEDDED = 'chosen';
console.log('\nTypes, lint, format and tests');
const [checks, results] = await Promise.all([runChecks(), runTests('vitest.root.ts', excluded)]);
for (const { title, output } of checks.failed) console.error(`\n${output}\n${title}: FAILED`);
const passed = 1 + checks.passed.length + results.passed;
let failed = checks.failed.length + results.failed;

for (const { what, projects } of missing)
  console.error(`\n!!! NOT RUN: the tests that need ${what} (${projects.join(', ')}). Install it.`);
if (process.env.CI && (missing.length > 0 || results.skipped > 0)) {
  console.error(`Under CI nothing may be skipped; ${results.skipped} tests were.`);
  failed++;
}

for (const name of results.failures) console.error(`FAILED: ${name}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
