import { fileURLToPath } from 'node:url';

import vue from '@vitejs/plugin-vue';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  // #region plugins
  plugins: [
    vue({
      template: { compilerOptions: { isCustomElement: (tag) => tag === 'portal-embed' } },
    }),
  ],
  // #endregion
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: { outDir: '../dist/page', emptyOutDir: true, modulePreload: { polyfill: false } },
});
