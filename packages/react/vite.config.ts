import { defaultClientConditions, defineConfig } from 'vite';

/** Builds the custom element as one script, for pages without a bundler. */
export default defineConfig({
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    emptyOutDir: false,
    lib: {
      entry: 'src/element.global.ts',
      formats: ['iife'],
      name: 'PortalEmbed',
      fileName: () => 'element.global.js',
    },
  },
});
