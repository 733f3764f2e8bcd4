import { fileURLToPath } from 'node:url';

import { defineProject } from 'vitest/config';

import { unitTests } from '../react/test/unit-tests.ts';

const project = unitTests('react-18', '18');
const here = fileURLToPath(new URL('node_modules/', import.meta.url));

export default defineProject({
  ...project,
  test: {
    ...project.test,
    dir: fileURLToPath(new URL('../react/', import.meta.url)),
    // The core does not use React.
    exclude: ['**/src/core/**'],
  },
  resolve: {
    ...project.resolve,
    alias: [
      { find: /^(react|react-dom|@testing-library\/react)(\/.*)?$/, replacement: `${here}$1$2` },
    ],
  },
});
