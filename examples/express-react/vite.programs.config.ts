import { defaultServerConditions, defineConfig } from 'vite';

/** What `npm start` runs, bundled from sources, so that it waits for no compiler. */
export default defineConfig({
  ssr: {
    resolve: { conditions: ['source', ...defaultServerConditions] },
    noExternal: true,
    external: ['express', 'express-session', 'pino'],
  },
  build: {
    ssr: true,
    outDir: 'dist/programs',
    target: 'es2023',
    rolldownOptions: {
      input: { start: 'src/start.ts', server: 'src/server.ts' },
      external: ['@portal-embed/portal'],
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        paths: { '@portal-embed/portal': '../../../../packages/portal/dist/programs/index.js' },
      },
    },
  },
});
