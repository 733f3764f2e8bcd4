import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Response } from 'express';

/** Listeners for the end of a response: six of `pipeline`, and about five of the service. */
const maxListeners = 16;

/** Codes of `pipeline` for a response that its client has closed. */
const clientLeft = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/**
 * Sends text while it is produced. The producer waits for a slow client, and ends if the client leaves.
 *
 * @throws the error of the producer
 */
export async function sendStream(res: Response, content: AsyncIterable<string>): Promise<void> {
  // Above 10 listeners, Node prints a warning about a leak.
  res.setMaxListeners(maxListeners);
  await pipeline(Readable.from(content), res).catch((error: NodeJS.ErrnoException) => {
    if (!clientLeft.has(error.code ?? '')) throw error;
  });
}
