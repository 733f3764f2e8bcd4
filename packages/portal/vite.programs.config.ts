import { defaultServerConditions, defineConfig } from 'vite';

import manifest from './package.json' with { type: 'json' };

/** Packages of so many modules that loading them takes Node longer than running them. */
const bundled = new Set([
  '@portal-embed/contract',
  '@portal-embed/report-model',
  'diff',
  'kysely',
  'write-excel-file',
  'zod',
  'zod-openapi',
]);

/**
 * The command line and the processes that it starts. All files are in one folder, because a module
 * looks for the program of its process beside itself.
 */
export default defineConfig({
  ssr: {
    resolve: { conditions: ['source', ...defaultServerConditions] },
    // Bundles what the bundled packages depend on, too.
    noExternal: true,
    external: Object.keys(manifest.dependencies).filter((name) => !bundled.has(name)),
  },
  build: {
    ssr: true,
    outDir: 'dist/programs',
    target: 'es2023',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: {
        main: 'src/main.ts',
        index: 'src/index.ts',
        'npm-parent': 'src/cli/npm-parent.ts',
        process: 'report-engine/queries',
        'file-process': 'report-engine/files',
        'content-process': 'src/content/content-process.ts',
        'first-page-process': 'src/pages/first-page-process.ts',
        'xlsx-process': 'src/viewing/xlsx-process.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
