/**
 * `npm run dev`: the portal and the host application from their sources. In front of each is a Vite
 * server, which updates its pages in the browser. Each is restarted when a file that it loaded changes.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { findFreePort } from 'test-support';
import type { ViteDevServer } from 'vite';

import { portalFolder, runDemo, type DemoServices } from '../src/start/run.ts';
import type { Service } from '../src/start/services.ts';
import { servePages } from './pages.ts';
import { startWatchedService } from './watched-service.ts';

const here = fileURLToPath(new URL('..', import.meta.url));
const sourcesOf = (name: string) => path.join(portalFolder, `../${name}/src`);
let hostPages: ViteDevServer | undefined;

async function startDevelopment(
  options: DemoServices['portal'] & {
    script: string;
    args?: readonly string[];
    folder: string;
    root: string;
    entries: readonly string[];
    watched?: readonly string[];
    /** The variable that sets the service's port. */
    portVariable: string;
    readyPath: string;
  },
): Promise<{ service: Service; pages: ViteDevServer }> {
  const target = `http://127.0.0.1:${await findFreePort()}`;
  const early = new Set<string>();
  let watch = (file: string): unknown => early.add(file);
  const watched = startWatchedService({
    ...options,
    env: { ...options.env, [options.portVariable]: new URL(target).port },
    readyUrl: target + options.readyPath,
    onLoaded: (file) => watch(file),
    // The page of the host frames the portal's.
    onRestarted: () => hostPages?.ws.send({ type: 'full-reload' }),
  });
  const pages = await servePages({ ...options, target, service: watched });
  // A watched file is lost when an editor or Git replaces it at the wrong moment; a folder is not.
  watch = (file) => pages.watcher.add(path.dirname(file));
  for (const file of early) watch(file);
  const stop = async () => {
    await pages.close();
    await watched.stop();
  };
  return { service: { ...watched, stop }, pages };
}

await runDemo('npm run dev', async function* startServices({ portal, host }) {
  const { service } = await startDevelopment({
    ...portal,
    // A restart does not wait for long queries.
    env: { ...portal.env, PORTAL_DRAIN_LIMIT: '1' },
    script: path.join(portalFolder, 'dev/main.ts'),
    folder: portalFolder,
    root: sourcesOf('viewer'),
    entries: [`${sourcesOf('viewer')}/viewer.tsx`, `${sourcesOf('admin')}/admin.tsx`],
    watched: [sourcesOf('admin'), sourcesOf('page-kit')],
    portVariable: 'PORTAL_PORT',
    readyPath: '/readyz',
  });
  yield service;
  const started = await startDevelopment({
    ...host,
    script: path.join(here, 'src/server.ts'),
    args: ['../web'],
    folder: here,
    root: path.join(here, 'web'),
    entries: [path.join(here, 'web/main.tsx')],
    portVariable: 'HOST_PORT',
    readyPath: '/livez',
  });
  hostPages = started.pages;
  yield started.service;
});
