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

it.each([
  ['with an end', '"12345678"\n'],
  ['without an end', '"12345678'],
])('a message that is too long %s is refused', async (_, message) => {
  const stream = new PassThrough();
  stream.write('"1234"\n');
  const messages = readMessages(stream, 8);
  expect((await messages.next()).value).toBe('1234');
  stream.write(message);
  await expect(messages.next()).rejects.toThrow('The message is too long.');
});
