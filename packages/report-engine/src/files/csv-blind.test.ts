import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'testing';
import { afterAll, describe, expect, it } from 'vitest';

import { judge, listBlindFiles } from '../../test/support/blind-csv.ts';

const names = listBlindFiles(['numbers', 'dates', 'nulls', 'stay']);

describe.skipIf(names.length === 0)('a file whose values are hard to read', () => {
  const folder = createTemporaryFolder('portal-blind-');
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  it.each(names)('%s is read, asked about or named', async (name) => {
    expect(await judge(name, path.join(folder, 'converted.parquet'))).toEqual([]);
  });
});
