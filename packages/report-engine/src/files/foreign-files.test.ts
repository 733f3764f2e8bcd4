import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { describe, expect, it, onTestFinished } from 'vitest';

import { judge, listForeignFiles } from '../../test/support/foreign-files.ts';

describe('a file as companies write them', () => {
  it.each(listForeignFiles())('%s is read, asked about, named or refused', async (name) => {
    const folder = createTemporaryFolder('portal-blind-');
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    expect(await judge(name, path.join(folder, 'converted.parquet'))).toEqual([]);
  });
});
