import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** Tests of what only the embedded database does. */
const chosen = ['api-guide', 'broken-database', 'commands-beside-server', 'lock', 'storage'];

// `npm test` runs the others on PostgreSQL alone if there is a server; `npm run test:deep` runs all.
const files =
  process.env['PORTAL_TEST_EMBEDDED'] === 'chosen' ? `{${chosen.join(',')}}.embedded` : '**/*';

/** The promises of the whole service, on the embedded database. */
export default testProject({
  env: typescriptChildren,
  name: 'portal-embedded',
  // Optimizing WebAssembly takes longer than the databases of these tests live.
  execArgv: ['--liftoff-only'],
  include: [`test/${files}.test.ts`],
  exclude: ['test/**/*.{postgres,specmatic,browser,chdb,deep}.test.ts'],
  globalSetup: ['test/support/embedded.setup.ts'],
});
