import { fileURLToPath } from 'node:url';

import { testProject } from './vitest.project.ts';

/** The tests that need no settings of their own. One project, so that they share workers. */
export default testProject({
  name: 'packages',
  root: fileURLToPath(new URL('../../', import.meta.url)),
  include: [
    'packages/{client,conformance,contract,create-app,docs,host,other-portal,platform-powerbi,report-model,server-kit,testing,tooling}/**/*.test.{ts,mjs}',
    'packages/react/test/browser/**/*.test.ts',
    'examples/{express,fastify,hono,node}/test/**/*.test.ts',
  ],
  exclude: ['**/node_modules/**', '**/dist/**', '**/*.deep.test.*', '**/test/engines/**'],
});
