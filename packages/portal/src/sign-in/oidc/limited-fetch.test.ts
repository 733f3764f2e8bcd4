import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

import { expect, it, onTestFinished } from 'vitest';

import { checkProvider } from './provider.ts';

it('a small answer that expands to many megabytes is not read', async () => {
  const body = brotliCompressSync(`{"issuer":"${' '.repeat(50_000_000)}"}`);
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'br' };
  const server = http.createServer((_, res) => void res.writeHead(200, headers).end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  await expect(checkProvider(`http://localhost:${port}`)).rejects.toThrow(
    'the discovery document is larger than 1 MB',
  );
});
