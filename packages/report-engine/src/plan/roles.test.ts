import type { LookUp, RowPredicate } from '@portal-embed/report-model';
import { afterAll, describe, expect, it } from 'vitest';

import { ContentStage, storeDataset, type StageRequest } from '../../test/support/content.ts';
import { salesCsv, salesDataset } from '../../test/support/sales.ts';

const stage = new ContentStage();
afterAll(() => stage.close());
stage.write('sales.csv', salesCsv);

const dataset = {
  ...salesDataset,
  fields: [{ name: 'Area', expression: "coalesce(Region, '')" }],
};

/** The sales of the rows that a role allows. */
async function salesOf(predicate: RowPredicate, request: StageRequest = {}): Promise<number[]> {
  const tile = { type: 'table' as const, dimensions: ['Sales'], metrics: ['Customers'] };
  const { page } = await stage.compute(dataset, [tile], { visibleRows: [predicate], ...request });
  const [[computed] = []] = page.rows;
  if (!computed || !('groups' in computed)) throw new Error(JSON.stringify(computed));
  return computed.groups.map(({ keys }) => Number(keys[0])).toSorted((a, b) => a - b);
}

describe('the rows of a role', () => {
  it.each<[RowPredicate, number[]]>([
    [{ field: 'Region', equals: 'West' }, [10, 20]],
    [{ field: 'Sales', equals: 40 }, [40]],
    [{ field: 'Region', in: ['West', 'North'] }, [10, 20, 160]],
    [{ field: 'Ordered', between: ['2023-02-03', '2023-05-01'] }, [20, 40, 80]],
    [{ field: 'Sales', between: [20, 80] }, [20, 40, 80]],
    [{ field: 'Ordered', before: '2023-02-20' }, [10, 20]],
    [{ field: 'Ordered', after: '2023-02-20' }, [80, 160, 320]],
    [{ field: 'Region', isNull: true }, [320]],
    [{ field: 'Region', isNull: false }, [10, 20, 40, 80, 160]],
    [
      {
        and: [
          { field: 'Region', equals: 'East' },
          { field: 'Category', equals: 'Desks' },
        ],
      },
      [80],
    ],
    [
      {
        or: [
          { field: 'Region', equals: 'North' },
          { field: 'Category', equals: 'Desks' },
        ],
      },
      [20, 80, 160],
    ],
    [{ not: { field: 'Sales', before: 100 } }, [160, 320]],
    [{ field: 'Sales', notIn: [10, 20, 40] }, [80, 160, 320]],
  ])('a role with %j allows the rows with the sales %j', async (predicate, sales) => {
    expect(await salesOf(predicate)).toEqual(sales);
  });

  it('a role by department allows the rows of the reader’s department, and none without a department', async () => {
    const predicate: RowPredicate = { field: 'Area', in: { viewer: 'department' } };
    const readBy = (...department: string[]) =>
      salesOf(predicate, { viewer: { email: [], groups: [], companies: [], department } });
    expect(await readBy('West')).toEqual([10, 20]);
    expect(await readBy('west')).toEqual([]);
    expect(await readBy('')).toEqual([]);
    expect(await readBy()).toEqual([]);
  });

  it.each<[string, (lookUp: LookUp) => RowPredicate, number[]]>([
    ['in', (lookUp) => ({ field: 'Area', in: lookUp }), [10, 20]],
    ['notIn', (lookUp) => ({ field: 'Area', notIn: lookUp }), [40, 80, 160, 320]],
    ['not', (lookUp) => ({ not: { field: 'Area', in: lookUp } }), [40, 80, 160, 320]],
    [
      'and',
      (lookUp) => ({
        and: [
          { field: 'Sales', equals: 20 },
          { field: 'Area', in: lookUp },
        ],
      }),
      [20],
    ],
    [
      'or',
      (lookUp) => ({
        or: [
          { field: 'Sales', equals: 40 },
          { field: 'Area', in: lookUp },
        ],
      }),
      [10, 20, 40],
    ],
  ])('a role looks up values inside %s', async (_part, write, sales) => {
    stage.write('areas.csv', 'Department,Area\nHome,West\nHome,\nAway,East\n');
    const areas = storeDataset({ name: 'Areas', source: { file: 'areas.csv' } });
    const list = { lookup: 'areas', key: 'Department', value: 'Area' };
    const viewer = { email: [], groups: [], companies: [], department: ['Home'] };
    const request = { viewer, findDataset: async () => areas };
    expect(await salesOf(write({ ...list, viewer: 'department' }), request)).toEqual(sales);
  });

  it.each(['in', 'notIn'] as const)(
    'a role looks up values by the e-mail of the reader in any letter case inside %s',
    async (operator) => {
      stage.write('owners.csv', 'Email,Area\nANN@x.example,West\nbob@x.example,East\n');
      const owners = storeDataset({ name: 'Owners', source: { file: 'owners.csv' } });
      const list = { lookup: 'owners', key: 'Email', value: 'Area', viewer: 'email' } as const;
      const readBy = (email: string) =>
        salesOf({ field: 'Area', [operator]: list } as unknown as RowPredicate, {
          viewer: { email: [email], groups: [], companies: [], department: [] },
          findDataset: async () => owners,
        });
      const own = operator === 'in' ? [10, 20] : [40, 80, 160, 320];
      for (const email of ['ann@x.example', 'ANN@x.example', 'Ann@X.Example'])
        expect(await readBy(email)).toEqual(own);
      expect(await readBy('BOB@x.example')).not.toEqual(own);
      expect(await readBy('cy@x.example')).toEqual([]);
    },
  );

  it('a role that compares rounded numbers gives no rows, and the reader’s other roles still give theirs', async () => {
    stage.write(
      'accounts.csv',
      'Account,Sales\n12345678901234567890.5,1\n12345678901234567891.5,2\n',
    );
    const count = async (...visibleRows: RowPredicate[]) =>
      (
        await stage.compute({ source: { file: 'accounts.csv' } }, [{ type: 'text', text: 'x' }], {
          visibleRows,
        })
      ).rowCount;
    const account: RowPredicate = { field: 'Account', in: ['12345678901234567890.5'] };
    const sales: RowPredicate = { field: 'Sales', equals: 1 };
    expect(await count(account)).toBe(0);
    expect(await count({ or: [{ and: [account] }, sales] })).toBe(0);
    expect(await count({ not: account })).toBe(0);
    expect(await count(account, sales)).toBe(1);
  });

  it.each([
    ['10\nHome,5', [10]],
    ['10\nHome,0.5', []],
  ])(
    'a role that looks up the numbers %j gives the rows of exact ones: %j',
    async (numbers, sales) => {
      stage.write('limits.csv', `Department,Limit\nHome,${numbers}\n`);
      const limits = storeDataset({ name: 'Limits', source: { file: 'limits.csv' } });
      const list = { lookup: 'limits', key: 'Department', value: 'Limit' };
      const request = {
        viewer: { email: [], groups: [], companies: [], department: ['Home'] },
        findDataset: async () => limits,
      };
      const role: RowPredicate = { field: 'Sales', in: { ...list, viewer: 'department' } };
      expect(await salesOf(role, request)).toEqual(sales);
    },
  );

  it('a role that looks up values in a dataset that does not exist is an error, and names it', async () => {
    const list = { lookup: 'gone', key: 'Department', value: 'Area', viewer: 'email' } as const;
    await expect(
      salesOf({ field: 'Area', in: list }, { findDataset: async () => undefined }),
    ).rejects.toThrow('A role looks up values in the dataset "gone", which does not exist.');
  });

  it('a role with a field that the dataset lacks is an error, and does not allow all rows', async () => {
    await expect(salesOf({ field: 'Owner', equals: 'x' })).rejects.toThrow(
      'A role uses the field "Owner", which the dataset does not have.',
    );
  });
});

it.each([
  { field: 'Region' },
  { field: 'Region', in: [] },
  { or: [{ field: 'Region', in: [] }] },
  { field: 'Region', in: ['West'], equals: 'East' },
  { field: 'Region', startsWith: 'W' },
  {},
  'everything',
  null,
])('a stored role with the predicate %j is an error, and is not ignored', async (predicate) => {
  const tiles = [{ type: 'text', text: 'A' }] as const;
  await expect(
    stage.compute(dataset, [...tiles], { visibleRows: ['all', predicate as never] }),
  ).rejects.toThrow(
    'The stored role "Role 1" of the dataset "Orders" has a predicate that this release cannot read.',
  );
});
