import fs from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';

import { expect, it, onTestFinished, vi } from 'vitest';

import { openContentDatabase } from '../support/content-database.ts';
import { apply, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';

it('applied data is on the disk, so that a power failure does not lose it', async () => {
  const { createOrganization, datasetFolder, close } = await openContentDatabase();
  onTestFinished(close);
  const acme = await createOrganization('acme');
  const folder = path.join(datasetFolder, acme.id);
  // Another file than the organization has a version of.
  writeFiles(folder, { 'orders.csv': `${ordersCsv}North,,Desks,2024-03-02,5\n` });
  const versions = path.join(folder, '.versions');
  const before = new Set(fs.readdirSync(versions));

  const handle = await open(folder);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const synced = new Set<number>();
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: typeof handle) {
    await this.datasync();
    synced.add((await this.stat()).ino);
  });
  onTestFinished(() => spy.mockRestore());
  await apply(acme.ctx, datasetFolder, { files: ordersFiles });

  const written = fs
    .readdirSync(versions)
    .filter((name) => !before.has(name))
    .map((name) => path.join(versions, name));
  expect(written.map((file) => path.extname(file)).toSorted()).toEqual(['.json', '.parquet']);
  for (const file of [versions, ...written])
    expect([path.basename(file), synced.has(fs.statSync(file).ino)]).toEqual([
      path.basename(file),
      true,
    ]);
});
