/**
 * `npm test`: build and the tests except the deep ones. `npm test -- NAME…` runs the test files whose
 * path contains a name, `npm test -- --changed` those of what has changed; a test that needs a build
 * starts it. Ends with a line `N passed, N failed`. Under `CI` nothing may be skipped.
 */
import path from 'node:path';

import { chooseTests, findBase, listChanged, listOtherFolders } from './changed.mjs';
import { build, install, repository } from './prepare.mjs';
import { runTests } from './run-tests.mjs';

const usage = `npm test                what CI runs, except types, lint, format and deep tests
npm test -- NAME…       the test files whose path contains a name
npm test -- --changed   the tests of what has changed since origin/main, or HEAD without it`;

/** Refuses the command line. */
function refuse(reason) {
  console.error(`${reason}\n\n${usage}\n\nOptions of Vitest: npm run vitest -- run …`);
  process.exit(2);
}

const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('-'));
const isChanged = args.includes('--changed');
const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--changed');
if (unknown) refuse(`npm test has no option ${unknown}.`);
if (isChanged && names.length > 0) refuse('Use either --changed or names.');

await install();
if (args.length === 0) {
  console.log('\nBuild');
  await build();
}

const { tsImport } = await import('tsx/esm/api');
const { findChromium, findPostgres } = await tsImport(
  '../test-support/src/index.ts',
  import.meta.url,
);

const missing = [];
// The project portal-service runs the same tests. Those of the embedded database alone are deep.
const hasPostgres = Boolean(findPostgres());
// One negation only: Vitest runs a project that matches any `--project`.
const database = `--project=!${hasPostgres ? 'portal-embedded' : 'portal-service'}`;
if (!hasPostgres) missing.push('a PostgreSQL server');
if (!findChromium()) {
  missing.push('Chromium');
  process.env.PORTAL_TEST_WITHOUT_BROWSER = '1';
}

/** Runs Vitest's selection of the other packages and the chosen tests of the portal. */
async function runChanged() {
  const base = findBase();
  const changed = listChanged(base);
  const { tests, without } = chooseTests(changed);
  const list = (files) => files.map((file) => `\n  ${file}`).join('');
  console.log(`\nFiles that differ from ${base}: ${changed.length}`);
  console.log(`Tests of the portal:${list(tests) || ' none'}`);
  if (without.length > 0) console.log(`No tests are chosen for:${list(without)}`);
  console.log('Tests of the other packages: those that import a changed file');
  const run = (option, paths) =>
    runTests('vitest.root.ts', [
      database,
      option,
      ...paths.map((each) => path.join(repository, each)),
    ]);
  const others = await run(`--changed=${base}`, listOtherFolders());
  if (tests.length === 0) return [others];
  // A changed folder may have deep tests only.
  return [others, await run('--passWithNoTests', tests)];
}

/** Runs the test files that match a name, or all. */
async function runNamed() {
  console.log('\nTests');
  const run = await runTests('vitest.root.ts', [database, ...names]);
  if (names.length > 0 && run.files.length === 0)
    console.error(
      `No path of a test file contains ${names.join(' or ')}. For deep tests: npm run test:deep -- NAME`,
    );
  return run;
}

const runs = isChanged ? await runChanged() : [await runNamed()];
const sum = (count) => runs.reduce((total, each) => total + each[count], 0);
const skipped = sum('skipped');
let failed = sum('failed');

for (const what of missing)
  console.error(`\n!!! NOT RUN: the tests that need ${what}. Install it.`);
if (process.env.CI && (missing.length > 0 || skipped > 0)) {
  console.error(`Under CI nothing may be skipped; ${skipped} tests were.`);
  failed++;
}

for (const name of runs.flatMap(({ failures }) => failures)) console.error(`FAILED: ${name}`);
if (isChanged) console.log('\nA change can have effects that these tests miss. CI runs all tests.');
console.log(`\n${sum('passed')} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
