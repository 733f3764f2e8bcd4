import { fileURLToPath } from 'node:url';

import { unitTests } from '../react/test/unit-tests.ts';

const here = fileURLToPath(new URL('node_modules/', import.meta.url));

export default unitTests(
  {
    name: 'react-18',
    env: { REACT_MAJOR: '18' },
    dir: fileURLToPath(new URL('../react/', import.meta.url)),
    // The core does not use React.
    exclude: ['**/src/core/**'],
  },
  {
    resolve: {
      alias: [
        { find: /^(react|react-dom|@testing-library\/react)(\/.*)?$/, replacement: `${here}$1$2` },
      ],
    },
  },
);
