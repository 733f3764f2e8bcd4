import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range from which the system chooses ports. Each worker of Vitest has its own part, so the
// port is still free when the test's server starts.
const lowest = 20_000;
const portsEach = 600;
const workers = 16;
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % workers;
const given = new Set<number>();

/** Returns a free port of the loopback address, which the system gives to no other program. */
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
