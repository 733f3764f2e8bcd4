import { createLogCollector } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { createLogger } from '../logger.ts';
import { watchDisks } from './disk-watch.ts';

const mebibyte = 2 ** 20;

function startWatch() {
  const space = { bavail: 100, bsize: mebibyte, ffree: 1_000, files: 2_000 };
  const clock = { now: 0 };
  const { log, destination } = createLogCollector();
  const watch = watchDisks({
    dataDir: '/data',
    logger: createLogger('info', destination),
    intervalMs: 5,
    statfs: async () => space,
    now: () => clock.now,
  });
  onTestFinished(() => watch.stop());
  const messages = () => log.map((line) => JSON.parse(line).msg as string);
  return { space, clock, watch, messages };
}

it('a disk with less than 16 MiB or without free files is full, and is logged once', async () => {
  const { space, watch, messages } = startWatch();
  expect(watch.listFull()).toEqual([]);
  for (const full of [{ bavail: 15 }, { ffree: 0 }]) {
    Object.assign(space, full);
    await expect.poll(watch.listFull).toEqual(['dataDirectory']);
    Object.assign(space, { bavail: 16, ffree: 1 });
    await expect.poll(watch.listFull).toEqual([]);
  }
  const [full, free] = [
    'disk of the data directory full',
    'disk of the data directory has space again',
  ];
  expect(messages()).toEqual([full, free, full, free]);
});

it('a file system without a limit of files is not full', async () => {
  const { space, watch } = startWatch();
  Object.assign(space, { files: 0, ffree: 0, bavail: 1 });
  await expect.poll(watch.listFull).toEqual(['dataDirectory']);
  Object.assign(space, { bavail: 100 });
  await expect.poll(watch.listFull).toEqual([]);
});

it('the disk of the database counts as full for a minute after a write that failed', () => {
  const { clock, watch } = startWatch();
  watch.noteDatabaseFull();
  expect(watch.listFull()).toEqual(['database']);
  clock.now = 59_999;
  expect(watch.listFull()).toEqual(['database']);
  clock.now = 60_000;
  expect(watch.listFull()).toEqual([]);
});
