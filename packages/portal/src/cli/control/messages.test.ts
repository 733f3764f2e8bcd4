import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { encodeMessage, readMessages } from './messages.ts';

it('a message arrives unchanged when its characters are split between chunks', async () => {
  const stream = new PassThrough();
  const message = { stdout: 'Zoë, 東京, 😀\n' };
  const reading = readMessages(stream).next();
  for (const byte of Buffer.from(encodeMessage(message))) {
    stream.write(Buffer.of(byte));
    await setImmediate();
  }
  expect((await reading).value).toEqual(message);
});
