/**
 * `npm run test:deep [-- --bounded] [FILE]`: the tests that take minutes (upgrades, rolling restarts,
 * the OpenAPI document, installing the packages, front ends, the example for Next.js, React 18,
 * Express 4, Firefox and WebKit, ClickHouse), all tests of the portal on the embedded database, and the
 * random and racing tests of `npm test` with many repetitions. `--bounded` leaves out the tests that
 * `npm test` runs, the pages on the embedded database, the repetitions, ClickHouse and the engine tests
 * in Chromium, and runs fewer rolling restarts and fewer cases of the pages' matrices. With FILE, only matching tests that take minutes run. Ends
 * with a line `N passed, N failed`.
 */
import { build, install, installChdb } from './prepare.mjs';
import { runTests } from './run-tests.mjs';

install();
build();

/** Tests that call `chooseRepetitions`. */
const repeated = [
  'crash.test.ts',
  'every-endpoint.test.ts',
  'model.test.ts',
  'random-reports.test.ts',
  'redeem-race.',
  'instances.',
  'races.postgres',
  'lock.embedded',
  'browser/leaks.test.ts',
  'browser/random-sequences.test.ts',
  'express-react/test/view.test.ts',
];

const args = process.argv.slice(2);
const files = args.filter((arg) => arg !== '--bounded');
const isBounded = files.length < args.length;
if (isBounded) process.env.PORTAL_DEEP_BOUNDED = '1';
else installChdb();
const runs = [await runTests('vitest.deep.ts', files)];
if (files.length === 0) runs.push(await runTests('vitest.root.ts', ['--project=portal-embedded']));
if (!isBounded && files.length === 0) {
  process.env.PORTAL_TEST_DEEP = '1';
  runs.push(await runTests('vitest.root.ts', repeated));
}
const sum = (count) => runs.reduce((total, run) => total + run[count], 0);
for (const name of runs.flatMap((run) => run.failures)) console.error(`FAILED: ${name}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 ? 0 : 1);
