import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** Tests of what only the embedded database does. */
const chosen = ['api-guide', 'broken-database', 'commands-beside-server', 'lock', 'storage'];

const chosenFiles = `test/{${chosen.join(',')}}.embedded.test.ts`;

// If there is a PostgreSQL server, `npm test` runs the others on it alone. `npm run test:deep` runs all
// on the embedded database, or, with `--bounded`, those that `npm test` does not.
const part = process.env['PORTAL_TEST_EMBEDDED'];

/** The promises of the whole service, on the embedded database. */
export default testProject({
  env: typescriptChildren,
  name: 'portal-embedded',
  // Optimizing WebAssembly takes longer than the databases of these tests live.
  execArgv: ['--liftoff-only'],
  include: [part === 'chosen' ? chosenFiles : 'test/**/*.test.ts'],
  exclude: [
    'test/**/*.{postgres,specmatic,browser,chdb,deep}.test.ts',
    ...(part === 'others' ? [chosenFiles] : []),
  ],
  globalSetup: ['test/support/embedded.setup.ts'],
});
