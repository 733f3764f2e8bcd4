import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { ContentStage, storeDataset } from '../../test/support/content.ts';
import { Engine } from '../engine/engine.ts';
import type { ReportRequest } from '../request.ts';

const stage = new ContentStage();
afterAll(() => stage.close());

const folder = path.join(stage.folder, 'acme');
beforeEach(() => {
  fs.rmSync(folder, { recursive: true });
  fs.mkdirSync(folder);
});

/** Writes rows to a file of the organization. */
async function write(name: string, csv: string): Promise<string> {
  stage.write(name, csv);
  await stage.written();
  return path.join(folder, name);
}

const orders = {
  source: { file: 'orders.parquet' },
  metrics: [{ name: 'Sales', expression: 'sum(Sales)' }],
};

/** The sales of the rows in a file. */
async function total(file: string, request: Partial<ReportRequest> = {}) {
  const [tile] = await stage.tilesOf(orders, [{ type: 'kpi', metric: 'Sales' }], {
    dataset: storeDataset(orders, [file]),
    ...request,
  });
  return tile && 'value' in tile ? tile.value : tile;
}

describe('a dataset’s file name', () => {
  it.each([
    'sales[1].parquet',
    'sales*.parquet',
    'sale?1.parquet',
    's[!x]*.parquet',
    '{a,b}.parquet',
    'a,b.parquet',
    'a\\[1].parquet',
    "it's.parquet",
    'sales 1%.parquet',
    'sales.parquet.gz.parquet',
    '$1.parquet',
  ])('is literal: %s', async (name) => {
    for (const other of ['sales1', 'sales', 'a', 'b', 'a1'])
      await write(`${other}.parquet`, 'Sales\n1\n');
    await expect(total(name)).rejects.toThrow('ENOENT');
    await write(name, 'Sales\n100\n');
    expect(await total(name)).toBe(100);
  });

  it('a dataset’s folder name is literal', async () => {
    const odd = path.join(stage.folder, 'region=West[1]*');
    fs.mkdirSync(odd);
    fs.renameSync(await write('a.parquet', 'Sales\n5\n'), path.join(odd, 'a.parquet'));
    fs.symlinkSync(path.join(odd, 'a.parquet'), path.join(folder, 'linked.parquet'));
    expect(await total('linked.parquet')).toBe(5);
    const byFolder = { filters: [[{ key: 'region', value: 'East' }]] };
    expect(await total('linked.parquet', byFolder)).toBe(5);
  });
});

describe('a dataset’s file', () => {
  it('may be a link that is added or changed while the portal runs', async () => {
    await write('first.parquet', 'Sales\n1\n');
    expect(await total('first.parquet')).toBe(1);
    const link = path.join(folder, 'linked.parquet');
    for (const [name, sales] of [
      ['old.parquet', 10],
      ['new.parquet', 20],
    ] as const) {
      const target = await write(name, `Sales\n${sales}\n`);
      fs.rmSync(link, { force: true });
      fs.symlinkSync(target, link);
      expect(await total('linked.parquet')).toBe(sales);
    }
  });

  it('and its columns are read again after a change', async () => {
    const file = await write('orders.parquet', 'Sales\n1\n');
    expect(await total('orders.parquet')).toBe(1);
    fs.copyFileSync(await write('next.parquet', 'Region,Sales\nWest,2\nEast,3\n'), file);
    expect(await total('orders.parquet')).toBe(5);
    const west = { filters: [[{ key: 'Region', value: 'West' }]] };
    fs.renameSync(await write('next.parquet', 'Region,Sales\nWest,7\nEast,3\n'), file);
    expect(await total('orders.parquet', west)).toBe(7);
  });

  it('the columns of a dataset’s file are read again after a change of the same length', async () => {
    const byNew = { filters: [[{ key: 'New', value: 'West' }]] };
    const file = await write('orders.parquet', 'Old,Sales\nWest,1\nEast,2\n');
    expect(await total('orders.parquet', byNew)).toBe(3);
    const next = await write('next.parquet', 'New,Sales\nWest,4\nEast,5\n');
    expect(fs.statSync(next).size).toBe(fs.statSync(file).size);
    fs.copyFileSync(next, file);
    expect(await total('orders.parquet', byNew)).toBe(4);
  });

  it('is read again after another file with the same time and length replaces it', async () => {
    const sameTime = new Date('2024-01-01T00:00:00Z');
    const sizes: number[] = [];
    for (const sales of [1, 2]) {
      // Both files exist until the rename, so their inodes differ.
      const next = await write('next.parquet', `Sales\n${sales}\n`);
      fs.utimesSync(next, sameTime, sameTime);
      sizes.push(fs.statSync(next).size);
      fs.renameSync(next, path.join(folder, 'orders.parquet'));
      expect(await total('orders.parquet')).toBe(sales);
    }
    expect(sizes[1]).toBe(sizes[0]);
  });

  it('the columns of a dataset’s file are read again after a change of its length alone', async () => {
    const sameTime = new Date('2024-01-01T00:00:00Z');
    const byNewer = { filters: [[{ key: 'Newer', value: 'West' }]] };
    const file = path.join(folder, 'orders.parquet');
    const inodes: number[] = [];
    for (const [text, sales] of [
      ['Old,Sales\nWest,1\nEast,2\n', 3],
      ['Newer,Sales\nWest,4\nEast,5\n', 4],
    ] as const) {
      fs.copyFileSync(await write('next.parquet', text), file);
      fs.utimesSync(file, sameTime, sameTime);
      inodes.push(fs.statSync(file).ino);
      expect(await total('orders.parquet', byNewer)).toBe(sales);
    }
    expect(inodes[1]).toBe(inodes[0]);
  });

  it('the columns of a dataset’s file are read once while the file is the same', async () => {
    await write('orders.parquet', 'Sales\n1\n');
    const query = vi.spyOn(Engine.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    await total('orders.parquet');
    await total('orders.parquet');
    const described = query.mock.calls.filter(([, { text }]) => text.includes('LIMIT 0'));
    expect([described.length, query.mock.calls.length]).toEqual([1, 3]);
  });

  it('the name of a column may contain quotes', async () => {
    await write('orders.parquet', '"the ""net"" sales",Sales\n1,10\n2,20\n');
    const byQuoted = { filters: [[{ key: 'the "net" sales', value: '2' }]] };
    expect(await total('orders.parquet', byQuoted)).toBe(20);
  });

  it('a file that is missing or is not Parquet fails the report', async () => {
    await expect(total('orders.parquet')).rejects.toThrow('ENOENT');
    fs.writeFileSync(path.join(folder, 'orders.parquet'), 'Sales\n1\n');
    await expect(total('orders.parquet')).rejects.toThrow(/parquet/i);
    await write('orders.parquet', 'Sales\n1\n');
    expect(await total('orders.parquet')).toBe(1);
  });
});
