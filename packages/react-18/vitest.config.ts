import { defineProject } from 'vitest/config';

import { unitTests } from '../react/test/unit-tests.ts';

const project = unitTests('react-18', '18');
const here = new URL('node_modules/', import.meta.url).pathname;

export default defineProject({
  ...project,
  test: { ...project.test, dir: new URL('../react/', import.meta.url).pathname },
  resolve: {
    ...project.resolve,
    alias: [
      { find: /^(react|react-dom|@testing-library\/react)(\/.*)?$/, replacement: `${here}$1$2` },
    ],
  },
});
