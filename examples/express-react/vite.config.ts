import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  root: new URL('web', import.meta.url).pathname,
  plugins: [react()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: { outDir: '../dist/page', emptyOutDir: true, modulePreload: { polyfill: false } },
});
