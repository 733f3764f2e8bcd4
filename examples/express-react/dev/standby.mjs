/**
 * Loaded into a process before its program (`--import`): loads the libraries that the process before it
 * loaded, since a change of a source file leaves them as they are. Then waits for the start.
 */
import { on } from 'node:events';

const messages = on(process, 'message');
const { value } = await messages.next();
const [{ libraries }] = value;
// A library that is gone fails where the program imports it.
await Promise.allSettled(libraries.map((library) => import(library)));
await messages.next();
await messages.return();
