/**
 * `npm run test:deep [-- --bounded | -- FILE]`: the deep tests (CONTRIBUTING.md lists them).
 * `--bounded` runs some tests of each kind, without ClickHouse, the OpenAPI document and repetitions.
 * With FILE, only files of the configuration `vitest.deep.ts` that match it run. Ends with a line
 * `N passed, N failed`.
 */
import { build, install, installChdb } from './prepare.mjs';
import { runTests } from './run-tests.mjs';

await install();
await build();

// Vitest searches for these names in the paths of test files, relative to their project.

/** Tests that repeat more in deep runs (`chooseRepetitions`). */
const repeated = [
  'admin-attacks',
  'backup/commands.test.ts',
  'backup/damaged.test.ts',
  'backup/moment.test.ts',
  'crash.test.ts',
  'element-lifecycle.test.ts',
  'every-endpoint.test.ts',
  'model.test.ts',
  'random-reports.test.ts',
  'redeem-race.',
  'instances.',
  'races.postgres',
  'lock.embedded',
  'host/test/isolation.test.ts',
  'host/src/policy.test.ts',
  'test/api/filters.test.ts',
];

/** Bounded selection of the tests that take minutes. */
const bounded = [
  'upgrade.deep',
  'behind-nginx.deep',
  'deploy/samples.deep',
  'deploy/proxies.deep',
  'deploy/production-machine.deep',
  'production-guide.deep',
  'folder-owner.deep',
  'full-disk.deep',
  'packed.deep',
  'light-clone.deep',
  'release.deep',
  'express-react/test/guide.deep',
  'express-react/test/dev.deep',
  // The examples for Next.js, Vue and plain HTML, and in Python and Java.
  'test/page.test',
  'examples/other-languages',
  // The conformance kit against the example hosts.
  'test/conformance.',
  // React 18 and Express 4.
  'src/',
];

/** Bounded selection of the tests of pages in Chromium that take minutes. */
const boundedPages = [
  'browser/',
  'admin-embedding.deep',
  'admin-oidc.deep',
  'admin-pages.deep',
  'docs.deep',
  'long-texts.deep',
  'viewer-home.deep',
  'viewer-reader.deep',
];

/** Bounded selection of the tests in all browser engines. */
const boundedEngines = ['engines/causes', 'engines/cookies'];

/**
 * Bounded selection of the portal's tests on the embedded database. `npm test` runs most of them on
 * PostgreSQL.
 */
const boundedEmbedded = [
  '.embedded.test.ts',
  'test/content/content.test.ts',
  'test/db/crash.test.ts',
  'test/identity-urls/identity.test.ts',
  'test/jobs/sweeper.test.ts',
  'test/access/viewer-rows.test.ts',
];

/** Keeps a core busy, which would starve the content processes of other tests. */
const boundedAlone = ['rolling-restart.deep'];

/** Runs the tests of a list. A name without a test file counts as a failure. */
async function runListed(config, list, options = []) {
  const run = await runTests(config, [...options, ...list]);
  const missing = list.filter((name) => !run.files.some((file) => file.includes(name)));
  const failures = missing.map((name) => `No test file has "${name}" in its path.`);
  return {
    ...run,
    failed: run.failed + missing.length,
    failures: [...run.failures, ...failures],
  };
}

/** Runs some tests of each kind, two kinds at a time, then those that run alone. */
async function runBounded() {
  const runOthers = async () => [
    await runListed('vitest.deep.ts', boundedPages),
    // Without Chromium, in which `npm test` and the tests above run.
    await runListed('vitest.deep.ts', boundedEngines, ['--project=!engine-chromium']),
    await runListed('vitest.root.ts', boundedEmbedded, [embedded]),
  ];
  const runs = await Promise.all([runListed('vitest.deep.ts', bounded), runOthers()]);
  return [...runs.flat(), await runListed('vitest.deep.ts', boundedAlone)];
}

async function runAll(files) {
  await installChdb();
  const onEmbedded = files.length > 0 ? [] : [await runTests('vitest.root.ts', [embedded])];
  // Makes tests run all repetitions and cases.
  process.env.PORTAL_TEST_DEEP = '1';
  const tested = await runTests('vitest.deep.ts', files);
  if (files.length > 0) return [tested];
  return [tested, ...onEmbedded, await runListed('vitest.root.ts', repeated)];
}

const embedded = '--project=portal-embedded';
const args = process.argv.slice(2);
const files = args.filter((arg) => arg !== '--bounded');
const runs = files.length < args.length ? await runBounded() : await runAll(files);
const sum = (count) => runs.reduce((total, run) => total + run[count], 0);
for (const name of runs.flatMap((run) => run.failures)) console.error(`FAILED: ${name}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 ? 0 : 1);
