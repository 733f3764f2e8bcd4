import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'web',
  build: { outDir: '../dist', emptyOutDir: true },
  // #region base-path
  base: '/app/',
  // #endregion
  plugins: [react()],
  // #region dev-server
  server: {
    port: 5173,
    proxy: {
      // Only the long form keeps the `Host` header, which selects the tenant.
      '/app/portal-embed': { target: 'http://localhost:3000' },
      '/app/sign-in': { target: 'http://localhost:3000' },
    },
  },
  // #endregion
});
