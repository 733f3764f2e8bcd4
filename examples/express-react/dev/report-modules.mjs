/**
 * Loaded into a process before its program (`--import`): reports to the process that started it each
 * source file that the program loads, and each file of a library.
 */
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, MessageChannel } from 'node:worker_threads';

if (isMainThread) {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (message) => process.connected && process.send(message));
  port1.unref();
  register(import.meta.url, { data: port2, transferList: [port2] });
}

let port;

export function initialize(data) {
  port = data;
}

/** Hook of Node's module loader. */
export function load(url, context, nextLoad) {
  const { protocol, pathname } = new URL(url);
  if (protocol === 'file:')
    port.postMessage(
      pathname.includes('/node_modules/')
        ? { library: url }
        : { source: fileURLToPath(`file://${pathname}`) },
    );
  return nextLoad(url, context);
}
