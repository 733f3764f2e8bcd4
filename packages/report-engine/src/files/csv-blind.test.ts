import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { judge, listBlindFiles } from '../../test/support/blind-csv.ts';

describe('a file as companies write them', () => {
  it.each(listBlindFiles())('%s is read, asked about, named or refused', async (name) => {
    const folder = createTemporaryFolder('portal-blind-');
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    expect(await judge(name, path.join(folder, 'converted.parquet'))).toEqual([]);
  });
});
