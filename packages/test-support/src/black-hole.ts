import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';

/** A port of this machine that accepts no connection and refuses none. */
export interface BlackHole extends AsyncDisposable {
  port: number;
}

// It listens and never accepts, because its event loop is blocked forever.
const program = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** Simulates a firewall that drops packets: connecting never ends. */
export async function startBlackHole(): Promise<BlackHole> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [data] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(data);
  // These connections fill the queue of the port, so the system accepts no more.
  const places = Array.from({ length: 8 }, () =>
    net.connect(port, '127.0.0.1').on('error', () => {}),
  );
  await Promise.all([once(places[0]!, 'connect'), once(places[1]!, 'connect')]);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const place of places) place.destroy();
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
