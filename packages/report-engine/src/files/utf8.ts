import { isUtf8 } from 'node:buffer';

/** Whether the first bytes of a text are UTF-8. The last character may be incomplete. */
export const isUtf8Start = (bytes: Uint8Array): boolean =>
  [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)));
