import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that systems give to connections and to servers that ask for any, and each of
// vitest's workers has its own: a server that starts later still finds its port free.
const lowest = 20_000;
const portsEach = 600;
const workers = 16;
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % workers;
const given = new Set<number>();

/** A port of the loopback address at which nothing listens, and which nothing is given by chance. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = lowest + worker * portsEach + Math.floor(Math.random() * portsEach);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
