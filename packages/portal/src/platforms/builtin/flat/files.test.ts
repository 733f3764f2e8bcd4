import fs from 'node:fs';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createFlatStage } from '../../../../test/support/flat-stage.ts';
import type { ReportRequest } from '../../platform.ts';
import { Engine } from '../engine/engine.ts';

const { root, folder, write, compute, total } = createFlatStage();

describe('a dataset’s file name', () => {
  it.each([
    'sales[1].csv',
    'sales*.csv',
    'sale?1.csv',
    's[!x]*.csv',
    '{a,b}.csv',
    'a,b.csv',
    'a\\[1].csv',
    "it's.csv",
    'sales 1%.csv',
    'sales.csv.gz.csv',
    '$1.csv',
  ])('a dataset’s file name is literal: %s', async (name) => {
    for (const other of ['sales1.csv', 'sales.csv', 'a.csv', 'b.csv', 'a1.csv'])
      write(other, 'Sales\n1\n');
    await expect(total(name)).rejects.toThrow('ENOENT');
    write(name, 'Sales\n100\n');
    expect(await total(name)).toBe(100);
  });

  it('a dataset’s folder name is literal', async () => {
    const odd = path.join(root, 'region=West[1]*');
    fs.mkdirSync(odd);
    fs.writeFileSync(path.join(odd, 'a.csv'), 'Sales\n5\n');
    fs.symlinkSync(path.join(odd, 'a.csv'), path.join(folder, 'linked.csv'));
    expect(await total('linked.csv')).toBe(5);
    const byFolder = { filters: [[{ key: 'region', value: 'East' }]] };
    expect(await total('linked.csv', byFolder)).toBe(5);
  });

  it('a dataset’s file must be in the folder and end in .csv or .parquet', async () => {
    fs.writeFileSync(path.join(root, 'outside.csv'), 'Sales\n1\n');
    fs.writeFileSync(path.join(root, 'datasets', 'orders.txt'), 'Sales\n1\n');
    for (const name of ['../outside.csv', path.join(root, 'outside.csv'), 'orders.txt', ''])
      await expect(total(name)).rejects.toThrow(
        `The dataset file "${name}" is not allowed. Use a .parquet or .csv file in ${folder}.`,
      );
  });
});

describe('a dataset’s file', () => {
  it('a dataset’s file may be a link that is added or changed while the portal runs', async () => {
    write('first.csv', 'Sales\n1\n');
    expect(await total('first.csv')).toBe(1);
    for (const [name, sales] of [
      ['old.csv', 10],
      ['new.csv', 20],
    ] as const) {
      fs.writeFileSync(path.join(root, name), `Sales\n${sales}\n`);
      fs.rmSync(path.join(folder, 'linked.csv'), { force: true });
      fs.symlinkSync(path.join(root, name), path.join(folder, 'linked.csv'));
      expect(await total('linked.csv')).toBe(sales);
    }
  });

  it('a dataset’s file and its columns are read again after a change', async () => {
    write('orders.csv', 'Sales\n1\n');
    expect(await total('orders.csv')).toBe(1);
    write('orders.csv', 'Region,Sales\nWest,2\nEast,3\n');
    expect(await total('orders.csv')).toBe(5);
    const west = { filters: [[{ key: 'Region', value: 'West' }]] };
    fs.writeFileSync(path.join(folder, 'next.csv'), 'Region,Sales\nWest,7\nEast,3\n');
    fs.renameSync(path.join(folder, 'next.csv'), path.join(folder, 'orders.csv'));
    expect(await total('orders.csv', west)).toBe(7);
  });

  it('the columns of a dataset’s file are read again after a change of the same length', async () => {
    const byNew = { filters: [[{ key: 'New', value: 'West' }]] };
    write('orders.csv', 'Old,Sales\nWest,1\nEast,2\n');
    expect(await total('orders.csv', byNew)).toBe(3);
    write('orders.csv', 'New,Sales\nWest,4\nEast,5\n');
    expect(await total('orders.csv', byNew)).toBe(4);
  });

  it('a dataset’s file is read again after another file with the same time and length replaces it', async () => {
    const sameTime = new Date('2024-01-01T00:00:00Z');
    const place = (text: string) => {
      write('next.csv', text);
      fs.utimesSync(path.join(folder, 'next.csv'), sameTime, sameTime);
      fs.renameSync(path.join(folder, 'next.csv'), path.join(folder, 'orders.csv'));
    };
    place('Sales\n1\n');
    expect(await total('orders.csv')).toBe(1);
    // Both files exist until the rename, so their inodes differ.
    place('Sales\n2\n');
    expect(await total('orders.csv')).toBe(2);
  });

  it('the columns of a dataset’s file are read again after a change of its length alone', async () => {
    const sameTime = new Date('2024-01-01T00:00:00Z');
    const byNewer = { filters: [[{ key: 'Newer', value: 'West' }]] };
    for (const [text, sales] of [
      ['Old,Sales\nWest,1\nEast,2\n', 3],
      ['Newer,Sales\nWest,4\nEast,5\n', 4],
    ] as const) {
      write('orders.csv', text);
      fs.utimesSync(path.join(folder, 'orders.csv'), sameTime, sameTime);
      expect(await total('orders.csv', byNewer)).toBe(sales);
    }
  });

  it('a link is read in the format of its own extension', async () => {
    write('orders.csv', 'Sales\n1\n');
    expect(await total('orders.csv')).toBe(1);
    fs.symlinkSync(path.join(folder, 'orders.csv'), path.join(folder, 'orders.parquet'));
    await expect(total('orders.parquet')).rejects.toThrow(/parquet/i);
  });

  it('the columns of a dataset’s file are read once while the file is the same', async () => {
    write('orders.csv', 'Sales\n1\n');
    const query = vi.spyOn(Engine.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    await total('orders.csv');
    await total('orders.csv');
    const described = query.mock.calls.filter(([, { text }]) => text.includes('LIMIT 0'));
    expect([described.length, query.mock.calls.length]).toEqual([1, 3]);
  });

  it('the name of a column may contain quotes', async () => {
    write('orders.csv', '"the ""net"" sales",Sales\n1,10\n2,20\n');
    const byQuoted = { filters: [[{ key: 'the "net" sales', value: '2' }]] };
    expect(await total('orders.csv', byQuoted)).toBe(20);
  });
});

it('the extension of a dataset’s file decides whether it is read as Parquet', async () => {
  write('orders.parquet', 'Sales\n1\n');
  await expect(total('orders.parquet')).rejects.toThrow(/parquet/i);
});

it('a role of a program that compares rounded numbers gives no rows', async () => {
  write('accounts.csv', 'Account,Sales\n12345678901234567890.5,1\n12345678901234567891.5,2\n');
  const count = async (...visibleRows: ReportRequest['visibleRows']) =>
    (await compute('accounts.csv', { visibleRows })).rowCount;
  const account = { column: 'Account', in: ['12345678901234567890.5'] };
  expect(await count(account)).toBe(0);
  expect(await count({ any: [{ all: [account] }, { column: 'Sales', in: ['1'] }] })).toBe(0);
  expect(await count(account, { column: 'Sales', in: ['1'] })).toBe(1);
});
