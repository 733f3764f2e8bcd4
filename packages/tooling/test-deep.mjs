/**
 * `npm run test:deep [-- --bounded] [FILE]`: the tests that take minutes (upgrades and rolling
 * restarts), with `--bounded` fewer repetitions of them. Ends with a line `N passed, N failed`.
 */
import { build, install } from './prepare.mjs';
import { runTests } from './run-tests.mjs';

install();
build();
const args = process.argv.slice(2);
if (args.includes('--bounded')) process.env['PORTAL_DEEP_BOUNDED'] = '1';
const { passed, failed } = runTests(
  'vitest.deep.ts',
  args.filter((arg) => arg !== '--bounded'),
);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
