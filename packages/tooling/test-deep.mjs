/**
 * `npm run test:deep [-- --bounded] [FILE]`: the tests that take minutes (upgrades, rolling restarts,
 * the OpenAPI document, installing the packages, front ends, the example for Next.js, React 18,
 * Express 4, Firefox and WebKit, ClickHouse), all tests of the portal on the embedded database, and the
 * random and racing tests of `npm test` with many repetitions. `--bounded` runs the files of `bounded`
 * and of `boundedEmbedded` instead: the shortest of each kind. With FILE, only matching tests that take
 * minutes run. Ends with a line `N passed, N failed`.
 */
import { build, install, installChdb } from './prepare.mjs';
import { runTests } from './run-tests.mjs';

install();
build();

/** Tests that call `chooseRepetitions` or `chooseCases`. */
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
  'browser/sleep.test.ts',
  'portal/test/filters.test.ts',
  'express-react/test/frame-channel.test.ts',
  'express-react/test/view.test.ts',
  'viewer-tiles.browser',
  'viewer-home.browser',
];

/** Of the tests that take minutes. */
const bounded = [
  'upgrade.deep',
  'openapi.specmatic',
  'packed.deep',
  'express-react/test/guide.deep',
  'express-react/test/dev.deep',
  'nextjs/test/page',
  'html/test/page',
  'vue/test/page',
  'engines/causes',
  'engines/main-job',
  'engines/reader.test',
  'engines/cookies',
  'engines/language',
  'express/src',
  'react/src',
];

/** Of the tests of the portal on the embedded database. `npm test` runs all of them on PostgreSQL. */
const boundedEmbedded = [
  'test/access-log.test.ts',
  'test/admin-people.test.ts',
  'test/content.test.ts',
  'test/crash.test.ts',
  'test/every-endpoint.test.ts',
  'test/identity.test.ts',
  'test/sweeper.test.ts',
  'test/viewer-rows.test.ts',
];

const embedded = '--project=portal-embedded';
const args = process.argv.slice(2);
const files = args.filter((arg) => arg !== '--bounded');

const runs = [];
if (files.length < args.length) {
  // `npm test` has more tests in Chromium.
  runs.push(await runTests('vitest.deep.ts', ['--project=!engine-chromium', ...bounded]));
  runs.push(await runTests('vitest.root.ts', [embedded, ...boundedEmbedded]));
} else {
  installChdb();
  runs.push(await runTests('vitest.deep.ts', files));
  if (files.length === 0) {
    runs.push(await runTests('vitest.root.ts', [embedded]));
    process.env.PORTAL_TEST_DEEP = '1';
    runs.push(await runTests('vitest.root.ts', repeated));
  }
}
const sum = (count) => runs.reduce((total, run) => total + run[count], 0);
for (const name of runs.flatMap((run) => run.failures)) console.error(`FAILED: ${name}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 ? 0 : 1);
