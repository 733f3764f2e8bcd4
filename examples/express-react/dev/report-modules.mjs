/**
 * Loaded into a process before its program (`--import`): reports each source file that the program
 * loads to the process that started it.
 */
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, MessageChannel } from 'node:worker_threads';

if (isMainThread) {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (loaded) => process.connected && process.send({ loaded }));
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
  if (protocol === 'file:' && !pathname.includes('/node_modules/'))
    port.postMessage(fileURLToPath(`file://${pathname}`));
  return nextLoad(url, context);
}
