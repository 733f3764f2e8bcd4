import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';

import { createServer, type Plugin, type ViteDevServer } from 'vite';

import type { WatchedService } from './watched-service.ts';

/** Puts a Vite server in front of a service: it answers for the page's files, the service for the rest. */
export async function servePages(options: {
  port: number;
  /** The package with the `vite.config.ts`. */
  folder: string;
  /** The root of that configuration: the folder whose files it serves. */
  root: string;
  /** The first module of each page. */
  entries: readonly string[];
  /** Folders outside of the root whose modules change the pages. */
  watched?: readonly string[];
  /** Where the service listens. */
  target: string;
  service: WatchedService;
}): Promise<ViteDevServer> {
  const isPageFile = (url: string) => {
    const { pathname } = new URL(url, options.target);
    if (/^\/(@|node_modules\/)/.test(pathname)) return true;
    return (
      fs.statSync(path.join(options.root, pathname), { throwIfNoEntry: false })?.isFile() === true
    );
  };
  const waitForService: Plugin = {
    name: 'wait-for-service',
    configureServer: ({ middlewares }) => {
      const admit = async (req: IncomingMessage, res: ServerResponse, next: () => void) => {
        try {
          if (!isPageFile(req.url ?? '/')) await options.service.isUp();
        } catch (error) {
          res.writeHead(503, { 'Content-Type': 'text/plain' }).end((error as Error).message);
          return;
        }
        next();
      };
      middlewares.use((...call) => void admit(...call));
    },
  };
  const vite = await createServer({
    configFile: path.join(options.folder, 'vite.config.ts'),
    mode: 'development',
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    plugins: [waitForService, enableFastRefresh(options.entries)],
    optimizeDeps: { entries: [...options.entries] },
    server: {
      host: '127.0.0.1',
      port: options.port,
      strictPort: true,
      cors: false,
      // A file that is read while an editor writes it may be empty.
      watch: { awaitWriteFinish: { stabilityThreshold: 30, pollInterval: 10 } },
      proxy: {
        '/': {
          target: options.target,
          bypass: ({ url = '/' }) => (isPageFile(url) ? url : undefined),
          configure: (proxy) => {
            proxy.on('proxyRes', ({ headers }) => {
              const policy = headers['content-security-policy'];
              // Vite puts styles into <style> elements. Only this proxy allows them.
              if (policy)
                headers['content-security-policy'] = String(policy).replace(
                  /style-src [^;]*/,
                  "style-src 'self' 'unsafe-inline'",
                );
            });
          },
        },
      },
    },
  });
  // Outside of its root, Vite watches single files, and loses one that is replaced at the wrong moment.
  vite.watcher.add([...(options.watched ?? [])]);
  vite.watcher.on('all', (_event, file) => options.service.fileChanged(file));
  await vite.listen();
  return vite;
}

/** React's Fast Refresh must be set up before a page's first module; no policy allows an inline script. */
const enableFastRefresh = (entries: readonly string[]): Plugin => ({
  name: 'enable-fast-refresh',
  transform: (code, id) =>
    entries.includes(id) ? `import '@vitejs/plugin-react/preamble';${code}` : undefined,
});
