import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { maxUploadBytes } from '#admin/requests';

import { findUpload, storeUpload } from './uploads.ts';

/** A place for the files of an organization, which is removed after the test. */
function createPlace() {
  const root = createTemporaryFolder('portal-uploads-');
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const folder = path.join(root, 'acme', '.uploads');
  return {
    place: { root, organizationId: 'acme' },
    folder,
    list: () => fs.readdirSync(folder),
  };
}

async function* sendBytes(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const csv = () => sendBytes(Buffer.from('Region\nWest\n'));

it('a file that is larger than 256 MB is refused, and nothing of it is kept', async () => {
  const { place, list } = createPlace();
  const large = sendBytes(Buffer.from('a\n'), Buffer.alloc(maxUploadBytes - 1));
  await expect(storeUpload(place, 'large.csv', large)).rejects.toMatchObject({
    code: 'body_too_large',
    message: expect.stringMatching(/^The file is larger than 256 MB\./),
  });
  expect(list()).toEqual([]);
});

it.each([
  ['letters of three bytes', `${'日'.repeat(120)}.csv`, `${'日'.repeat(66)}.csv`],
  ['a letter that is cut', `${'a'.repeat(99)}𠀀.csv`, `${'a'.repeat(99)}.csv`],
  ['signs alone', '😀.csv', 'data.csv'],
])('a name of %s is one that a folder takes', async (_, given, name) => {
  const { place } = createPlace();
  expect(await storeUpload(place, given, csv())).toMatchObject({ name });
});

it('an organization may have ten files that are not datasets yet, and may send another an hour later', async () => {
  const { place, folder, list } = createPlace();
  const ids = Array.from({ length: 9 }, () => randomUUID());
  for (const id of ids) fs.mkdirSync(path.join(folder, id), { recursive: true });
  const { id: tenth } = await storeUpload(place, 'tenth.csv', csv());
  await expect(storeUpload(place, 'more.csv', csv())).rejects.toMatchObject({
    code: 'overloaded',
    message: expect.stringContaining('Create datasets from them, or try again in an hour.'),
    retryAfter: 600,
  });
  expect(list().toSorted()).toEqual([...ids, tenth].toSorted());

  const [oldest, ...others] = ids as [string, ...string[]];
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  fs.utimesSync(path.join(folder, oldest), minutesAgo(61), minutesAgo(61));
  fs.utimesSync(path.join(folder, others[0]!), minutesAgo(59), minutesAgo(59));
  const { id: next } = await storeUpload(place, 'next.csv', csv());
  expect(list().toSorted()).toEqual([...others, tenth, next].toSorted());
  await expect(findUpload(place, oldest)).rejects.toMatchObject({ code: 'not_found' });
});
