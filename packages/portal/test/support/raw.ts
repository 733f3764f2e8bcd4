import { once } from 'node:events';
import net from 'node:net';

/**
 * Writes bytes to the portal's port and returns all that comes back.
 *
 * @param options.keepOpen leaves it to the portal to end the connection; one that its caller has
 *   ended hears nothing of what is not answered by then
 */
export function sendBytes(
  origin: string,
  bytes: string,
  { keepOpen = false } = {},
): Promise<string> {
  const { port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), '127.0.0.1', () =>
      keepOpen ? socket.write(bytes) : socket.end(bytes),
    );
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (received += chunk));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

/**
 * Writes `first`, waits for the head of an answer, writes `second` and returns all that came back.
 *
 * @param meanwhile is done between the two
 */
export function sendInTwo(
  origin: string,
  first: string,
  second: string,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<string> {
  const { port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(first));
    let received = '';
    socket.setEncoding('utf8');
    socket.once('data', () => {
      meanwhile().then(() => socket.write(second), reject);
    });
    socket.on('data', (chunk: string) => (received += chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}

/** Writes the beginning of a request, leaves it at that, and returns what the portal says to it. */
export async function sendBeginning(origin: string, bytes: string | Buffer): Promise<string> {
  const { port } = new URL(origin);
  const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(bytes));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}
