import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

const outDir = '../dist/pages';

/**
 * Two builds into one folder: the viewer with hashed assets and a manifest, and `boot.js`, a single
 * classic script under a fixed name, which the service inlines into every document.
 */
export default defineConfig({
  root: new URL('web', import.meta.url).pathname,
  plugins: [react()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  environments: {
    client: {
      build: {
        outDir,
        emptyOutDir: true,
        manifest: true,
        // Every browser that lacks modulepreload only loses the head start.
        modulePreload: { polyfill: false },
        rolldownOptions: { input: { viewer: 'web/viewer.tsx' } },
      },
    },
    boot: {
      consumer: 'client',
      build: {
        outDir,
        emptyOutDir: false,
        modulePreload: false,
        rolldownOptions: {
          input: 'web/boot.ts',
          output: { format: 'iife', entryFileNames: 'boot.js' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      await builder.build(builder.environments.client);
      await builder.build(builder.environments.boot);
    },
  },
});
