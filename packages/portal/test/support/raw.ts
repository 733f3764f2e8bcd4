import { once } from 'node:events';
import net from 'node:net';

/**
 * Sends bytes to the portal and returns all that it sends back.
 *
 * @param options.keepOpen lets the portal end the connection. By default the client ends its side at
 *   once, and the portal drops requests that it has not answered by then
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
 * Sends `first`, waits for the start of a response, sends `second` and returns all responses.
 *
 * @param meanwhile runs between the two
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

/** Sends the start of a request and returns the first data of the response. */
export async function sendBeginning(origin: string, bytes: string | Buffer): Promise<string> {
  const { port } = new URL(origin);
  const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(bytes));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}
