import fs from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';

import { expect, it, onTestFinished, vi } from 'vitest';

import { apply, openContentDatabase, ordersFiles, writeFiles } from './support/content-files.ts';
import { ordersCsv } from './support/organization.ts';

it('applied data is on the disk, so that a power failure does not lose it', async () => {
  const { createOrganization, datasetFolder, close } = await openContentDatabase();
  onTestFinished(close);
  const acme = await createOrganization('acme');
  const folder = path.join(datasetFolder, acme.id);
  writeFiles(folder, { 'orders.csv': ordersCsv });

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

  const versions = path.join(folder, '.versions');
  const written = fs.readdirSync(versions).map((name) => path.join(versions, name));
  expect(written.map((file) => path.extname(file)).toSorted()).toEqual(['.json', '.parquet']);
  for (const file of [versions, ...written])
    expect([path.basename(file), synced.has(fs.statSync(file).ino)]).toEqual([
      path.basename(file),
      true,
    ]);
});
