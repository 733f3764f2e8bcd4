/**
 * `npm test`: build and the tests except the deep ones. Ends with a line `N passed, N failed`. Under `CI`
 * nothing may be skipped.
 */
import { build, install } from './prepare.mjs';
import { runTests } from './run-tests.mjs';

if (process.argv.length > 2) {
  console.error('npm test takes no arguments. To run one file: npm run vitest -- run FILE');
  process.exit(2);
}
await install();
console.log('\nBuild');
await build();

const { findChromium, findPostgres } = await import('../testing/dist/index.js');

const options = [];
const missing = [];
if (findPostgres()) {
  // The project portal-service runs the same tests. Those of the embedded database alone are deep.
  options.push('--project=!portal-embedded');
} else {
  missing.push('a PostgreSQL server');
  options.push('--project=!portal-service');
}
if (!findChromium()) {
  missing.push('Chromium');
  options.push('--project=!example-express-react');
  process.env.PORTAL_TEST_WITHOUT_BROWSER = '1';
}

console.log('\nTests');
const { passed, failures, skipped, ...results } = await runTests('vitest.root.ts', options);
let { failed } = results;

for (const what of missing)
  console.error(`\n!!! NOT RUN: the tests that need ${what}. Install it.`);
if (process.env.CI && (missing.length > 0 || skipped > 0)) {
  console.error(`Under CI nothing may be skipped; ${skipped} tests were.`);
  failed++;
}

for (const name of failures) console.error(`FAILED: ${name}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
