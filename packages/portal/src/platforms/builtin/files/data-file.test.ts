import fs from 'node:fs';
import path from 'node:path';

import { csvSchema } from '@portal-embed/report-model';
import { createTemporaryFolder } from 'testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { convertCsv, describeParquet } from './data-file.ts';

let folder: string;
beforeAll(() => {
  folder = createTemporaryFolder('portal-files-');
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const csv = csvSchema.parse({});

describe('a process that reads a data file', () => {
  it('a process converts a CSV file, and another one describes the result', async () => {
    const source = path.join(folder, 'source.csv');
    fs.writeFileSync(source, 'Region,Sales\nWest,1\n');
    const target = path.join(folder, 'target.parquet');
    const { columns } = await convertCsv(source, { csv }, target);
    expect(columns).toEqual([
      { name: 'Region', type: 'text' },
      { name: 'Sales', type: 'integer' },
    ]);
    expect(await describeParquet(target)).toEqual({ columns, hints: [] });
  });

  it('a message does not name folders of the server', async () => {
    const source = path.join(folder, 'folders.csv');
    fs.writeFileSync(source, 'A\n1\n');
    for (const [from, to] of [
      [source, path.join(folder, 'missing', 'file.parquet')],
      [path.join(folder, 'missing.csv'), path.join(folder, 'file.parquet')],
    ] as const)
      await expect(convertCsv(from, { csv }, to)).rejects.toThrow(/^the file cannot be read[^/]+$/);
  });

  it('an aborted conversion leaves no files', async () => {
    const source = path.join(folder, 'long.csv');
    fs.writeFileSync(source, `x\n${'1\n'.repeat(1_000_000)}`);
    const signal = AbortSignal.timeout(50);
    const target = path.join(folder, 'aborted.parquet');
    await expect(convertCsv(source, { csv }, target, signal)).rejects.toThrow('timeout');
  });
});
