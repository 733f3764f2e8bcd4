import fs from 'node:fs';
import path from 'node:path';

import { csvSchema } from '@portal-embed/report-model';
import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import {
  convertCsv,
  describeParquet,
  summarizeFiles,
  watchFiles,
  type WatchedFile,
} from './data-file.ts';

let folder: string;
beforeAll(() => {
  folder = createTemporaryFolder('portal-files-');
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const csv = csvSchema.parse({});

/** The processes that read data files, from /proc. */
const listProcesses = (): number[] =>
  fs
    .readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('file-process'));

let converted = 0;
/** Converts a small file. */
const convert = () => {
  const source = path.join(folder, 'small.csv');
  fs.writeFileSync(source, 'x\n1\n');
  return convertCsv(source, { csv }, path.join(folder, `${++converted}.parquet`));
};

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
    expect(await describeParquet(target)).toEqual({ columns, hints: [], questions: [] });
  });

  it('the total of rounded numbers has no digits of the rounding', async () => {
    const source = path.join(folder, 'tenths.csv');
    fs.writeFileSync(source, 'x,y\n0.1,\n0.2,\n');
    const target = path.join(folder, 'tenths.parquet');
    const fields = { x: { type: 'number' }, y: { type: 'number' } } as const;
    const { columns } = await convertCsv(source, { csv, fields }, target);
    const { totals } = await summarizeFiles({ sources: [target], columns, keys: [] });
    expect(totals).toEqual({ x: '0.3', y: null });
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

  it('one process reads one file after another, and is replaced if it ended while it waited', async () => {
    await convert();
    const first = listProcesses();
    expect(first).toHaveLength(1);
    await convert();
    expect(listProcesses()).toEqual(first);
    process.kill(first[0]!, 'SIGKILL');
    await expect.poll(() => fs.existsSync(`/proc/${first[0]}`)).toBe(false);
    await convert();
    expect(listProcesses()).toHaveLength(1);
  });

  it('a process ends if no file follows within two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await convert();
    vi.advanceTimersByTime(1_999);
    await convert();
    vi.advanceTimersByTime(1_999);
    expect(listProcesses()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await expect.poll(listProcesses).toEqual([]);
  });
});

it('those who watch are told how far the conversion is', async () => {
  const source = path.join(folder, 'long.csv');
  const lines = Array.from(
    { length: 400_000 },
    (_, row) => `${row},name ${row % 1_003},${row}.5\n`,
  );
  fs.writeFileSync(source, `A,B,C\n${lines.join('')}`);
  const seen: WatchedFile[] = [];
  await watchFiles(
    (progress) => seen.push(progress),
    () => convertCsv(source, { csv: csvSchema.parse({}) }, path.join(folder, 'long.parquet')),
  );
  expect(seen.length).toBeGreaterThan(0);
  for (const { file, percent, phase } of seen) {
    expect([file, ['read', 'write'].includes(phase)]).toEqual(['long.csv', true]);
    expect(percent).toBeGreaterThanOrEqual(0);
    expect(percent).toBeLessThanOrEqual(100);
  }
});
