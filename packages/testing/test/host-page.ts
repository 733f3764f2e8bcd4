import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { portalEmbed } from '@portal-embed/express';
import { build } from 'esbuild';
import express from 'express';

import type { FakePortal } from '../src/index.ts';

/** Starts a host application whose user is signed in, and whose page has the element and the fakes. */
export async function startHostPage({ tenant }: FakePortal, userEmail: string) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('browser-app.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    conditions: ['source'],
    write: false,
  });
  const tenants = { 'host.localhost': tenant };
  const app = express();
  app.use('/portal-embed', portalEmbed({ tenants, user: () => ({ email: userEmail }) }));
  app.get('/app.js', (_, response) => response.type('js').send(outputFiles[0]!.text));
  app.get('/', (_, response) =>
    response.send('<!doctype html><title>Host</title><script type="module" src="app.js"></script>'),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://host.localhost:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type HostPage = Awaited<ReturnType<typeof startHostPage>>;
