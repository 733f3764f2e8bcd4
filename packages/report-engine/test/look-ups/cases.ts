import type { Dataset, RowPredicate } from '@portal-embed/report-model';
import { expect, it } from 'vitest';

import { LookUpLimitError } from '../../src/plan/look-ups.ts';
import { storeDataset, type ContentStage } from '../support/content.ts';

type Cell = string | number | null;

/** The types of columns that all engines have. */
export type ColumnKind = 'text' | 'integer' | 'decimal' | 'date';

/** A table as each engine stores it. */
export interface Table {
  columns: Record<string, ColumnKind>;
  rows: Cell[][];
}

const chain = Array.from({ length: 41 }, (_, level) => [
  `c${level}@x.example`,
  level === 0 ? null : `c${level - 1}@x.example`,
  `C${level}`,
]);

export const tables: Record<string, Table> = {
  orders: {
    columns: {
      Id: 'integer',
      Country: 'text',
      Product: 'text',
      // A name that the statements use, too.
      part: 'text',
      Owner: 'text',
      Price: 'decimal',
      Day: 'date',
    },
    rows: [
      [1, 'DE', 'Chair', 'West;East', 'ann@x.example', 1.5, '2024-01-01'],
      [2, 'DE', 'Desk', 'West', 'BOB@x.example', 2.5, '2024-01-02'],
      [4, 'FR', 'Chair', 'North', 'eve@x.example;bob@x.example', 1.5, '2024-01-02'],
      [8, 'FR', 'Desk', '', 'Eve@X.example', 2.5, '2024-01-01'],
      [16, null, 'Chair', null, 'dan@x.example', 3, null],
      [32, 'DE', null, 'West; South', null, null, '2024-01-01'],
      [64, null, null, 'Südost', 'c33@x.example', 0, '2024-02-29'],
      [128, ' DE', 'Chair', ';', "o'hara@x.example", 1, '2024-01-01'],
      [256, 'O\'Hara "x"; --', '\\', 'East', 'c40@x.example', 1.5, '2024-01-01'],
    ],
  },
  access: {
    columns: {
      email: 'text',
      country: 'text',
      product: 'text',
      price: 'decimal',
      day: 'date',
      areas: 'text',
      n: 'integer',
    },
    rows: [
      ['Ann@X.example', 'DE', 'Chair', 1.5, '2024-01-01', 'West, South', 1],
      ['ann@x.example', ' FR ', 'Desk', 2.5, '2024-01-01', null, 8],
      ['ann@x.example', null, 'Desk', null, null, ' ,, ', null],
      ['blank@x.example', 'DE', '', 1.5, null, '  ', null],
      ['nulls@x.example', null, null, null, null, null, null],
      ['quote@x.example', 'O\'Hara "x"; --', '\\', null, null, 'East', 2],
      ['list@x.example', 'DE,FR', 'Chair', null, null, 'East,North', 4],
      ['ids@x.example', 'DE', 'Chair', 1.5, null, '1, 8,none', null],
      [null, 'DE', 'Desk', 2.5, '2024-01-02', 'West', 16],
      ['', 'DE', 'Desk', 2.5, '2024-01-02', 'West', 16],
    ],
  },
  employees: {
    columns: { email: 'text', manager: 'text', area: 'text' },
    rows: [
      ['ann@x.example', null, 'West'],
      ['Bob@x.example', 'ANN@x.example', 'East'],
      ['eve@x.example', 'bob@X.example', ' North '],
      // A manager of two teams, who reports to two others.
      ['mia@x.example', 'ann@x.example', null],
      ['mia@x.example', 'tom@x.example', 'Südost'],
      ['dan@x.example', 'mia@x.example', null],
      // A circle.
      ['ring1@x.example', 'ring2@x.example', 'West'],
      ['ring2@x.example', 'RING3@x.example', null],
      ['ring3@x.example', 'Ring1@x.example', 'East'],
      ['self@x.example', 'self@x.example', 'North'],
      // Nobody's manager, and a row without a person.
      ['', 'ann@x.example', null],
      ['top@x.example', '', 'South'],
      [null, 'tom@x.example', 'East'],
      // Two users whose addresses differ only in the sigma.
      ['νικος@x.example', null, 'West'],
      ['νικοσ@x.example', null, ' North'],
      ['kim@x.example', 'νικοσ@x.example', 'East'],
      ...chain,
      // A circle of 33 levels, in other letters.
      ['C8@X.example', 'c40@x.example', null],
    ],
  },
};

/** A reader, by e-mail unless others are given. */
const readerOf = (email: string) => ({ email: [email], department: [], groups: [], companies: [] });

const matches = (fields: Record<string, string>, more: object = {}) =>
  ({
    matches: { lookup: 'access', key: 'email', viewer: 'email', fields, ...more },
  }) as RowPredicate;

const pairs = matches({ Country: 'country', Product: 'product' });

const look = (value: string, more: object = {}) => ({
  lookup: 'access',
  key: 'email',
  viewer: 'email',
  value,
  ...more,
});

const tree = (value: string, more: object = {}) => ({
  lookup: 'employees',
  key: 'email',
  viewer: 'email',
  value,
  through: 'manager',
  ...more,
});

const where = (field: string, operator: object, more: object = {}) =>
  ({ field, ...operator, ...more }) as unknown as RowPredicate;

const split = { split: ';' };
const not = (part: RowPredicate): RowPredicate => ({ not: part });
const everything: RowPredicate = { field: 'Id', between: [1, 1_000] };

/** The ids of the rows that a reader sees, added: each id is another power of two. */
export const cases: [string, string, RowPredicate, number][] = [
  ['pairs of one row', 'ann@x.example', pairs, 1 + 8],
  ['the reader in other letters', 'ANN@X.EXAMPLE', pairs, 1 + 8],
  ['all other pairs', 'ann@x.example', not(pairs), 2 + 4 + 128 + 256],
  ['a negated negation', 'ann@x.example', not(not(pairs)), 1 + 8],
  ['no row of the table', 'bob@x.example', pairs, 0],
  ['no row of the table, negated', 'bob@x.example', not(pairs), 0],
  ['no row of the table, or others', 'bob@x.example', { or: [not(pairs), everything] }, 511],
  ['a blank in each row', 'blank@x.example', not(pairs), 0],
  ['a null in each row', 'nulls@x.example', not(pairs), 0],
  ['quotes', 'quote@x.example', pairs, 256],
  ['quotes, negated', 'quote@x.example', not(pairs), 1 + 2 + 4 + 8 + 128],
  ['a reader without an e-mail', '', not(pairs), 0],
  ['lists in one row', 'list@x.example', matches(pairsOf(), { split: ',' }), 1 + 4],
  ['lists without a separator', 'list@x.example', pairs, 0],
  ['one field', 'ann@x.example', matches({ Product: 'product' }), 1 + 2 + 4 + 8 + 16 + 128],
  ['a decimal and a date', 'ann@x.example', matches({ Price: 'price', Day: 'day' }), 1 + 8 + 256],
  [
    'a decimal and a date, negated',
    'ann@x.example',
    not(matches({ Price: 'price', Day: 'day' })),
    2 + 4 + 64 + 128,
  ],
  ['three fields', 'ann@x.example', matches({ ...pairsOf(), Id: 'n' }), 1 + 8],
  ['pairs under and', 'ann@x.example', { and: [pairs, where('Id', { between: [2, 99] })] }, 8],
  [
    'pairs under and, negated',
    'ann@x.example',
    not({ and: [pairs, where('Id', { between: [2, 99] })] }),
    511 - 8 - 16 - 32 - 64,
  ],
  ['pairs under or', 'ann@x.example', { or: [pairs, where('Id', { equals: 2 })] }, 1 + 2 + 8],
  [
    'pairs under or, negated',
    'ann@x.example',
    not({ or: [pairs, where('Id', { equals: 2 })] }),
    4 + 128 + 256,
  ],

  ['lists of a look-up', 'ann@x.example', where('part', { in: look('areas', { split: ',' }) }), 2],
  [
    'lists of a look-up, negated',
    'ann@x.example',
    where('part', { notIn: look('areas', { split: ',' }) }),
    1 + 4 + 8 + 32 + 64 + 128 + 256,
  ],
  ['only blanks in a list', 'blank@x.example', where('part', { notIn: look('areas') }), 0],
  ['numbers in a list', 'ids@x.example', where('Id', { in: look('areas', { split: ',' }) }), 1 + 8],
  [
    'spaces around a value',
    'ann@x.example',
    where('Country', { in: look('country') }),
    1 + 2 + 4 + 8 + 32,
  ],
  ['lists of a field', 'any', where('part', { in: ['East'] }, split), 1 + 256],
  ['lists of a field, untrimmed', 'any', where('part', { in: ['South'] }, split), 0],
  ['lists of a field with spaces', 'any', where('part', { in: ['South'] }, { split: '; ' }), 32],
  [
    'lists of a field, negated',
    'any',
    where('part', { notIn: ['East'] }, split),
    2 + 4 + 8 + 32 + 64 + 128,
  ],
  [
    'not a list of a field',
    'any',
    not(where('part', { in: ['East'] }, split)),
    2 + 4 + 8 + 32 + 64 + 128,
  ],
  ['a list of a field equals', 'any', where('part', { equals: 'West' }, split), 1 + 2 + 32],
  ['an accent in a list', 'any', where('part', { in: ['ost'] }, { split: 'ü' }), 0],
  ['a letter as separator', 'any', where('part', { in: ['dost'] }, { split: 'ü' }), 64],
  ['an empty part', 'any', where('part', { in: [''] }, split), 0],
  ['an empty part, negated', 'any', where('part', { notIn: [''] }, split), 0],
  [
    'the reader in a list of a field',
    'BOB@x.example',
    where('Owner', { in: { viewer: 'email' } }, split),
    2 + 4,
  ],
  [
    'the reader not in a list of a field',
    'bob@x.example',
    where('Owner', { notIn: { viewer: 'email' } }, split),
    1 + 8 + 16 + 64 + 128 + 256,
  ],
  [
    'the reader equals a part',
    'eve@x.example',
    where('Owner', { equals: { viewer: 'email' } }, split),
    4 + 8,
  ],
  ['no reader in a list of a field', '', where('Owner', { notIn: { viewer: 'email' } }, split), 0],
  [
    'lists of a field and of a look-up',
    'list@x.example',
    where('part', { in: look('areas', { split: ',' }) }, split),
    1 + 4 + 256,
  ],
  [
    'a long list for a field',
    'any',
    where(
      'part',
      { in: ['East', ...Array.from({ length: 500 }, (_, index) => `x${index}`)] },
      split,
    ),
    1 + 256,
  ],

  ['all levels below', 'ann@x.example', where('Owner', { in: tree('email') }), 1 + 2 + 8 + 16],
  [
    'all levels below, in lists',
    'ann@x.example',
    where('Owner', { in: tree('email') }, split),
    1 + 2 + 4 + 8 + 16,
  ],
  [
    'all levels below, negated',
    'ann@x.example',
    where('Owner', { notIn: tree('email') }),
    4 + 64 + 128 + 256,
  ],
  ['the levels below the second', 'BOB@X.example', where('Owner', { in: tree('email') }), 2 + 8],
  ['nobody below', 'eve@x.example', where('Owner', { in: tree('email') }), 8],
  ['a manager of another one’s team', 'tom@x.example', where('Owner', { in: tree('email') }), 16],
  [
    'another value of all levels',
    'ann@x.example',
    where('part', { in: tree('area') }, split),
    1 + 2 + 4 + 32 + 256,
  ],
  ['a row without a person', 'tom@x.example', where('part', { in: tree('area') }), 64 + 256],
  ['a person of an empty manager', 'top@x.example', where('Owner', { in: tree('email') }), 0],
  ['a circle', 'ring1@x.example', where('part', { in: tree('area') }), 2 + 256],
  ['a circle from its middle', 'ring2@x.example', where('part', { in: tree('area') }), 2 + 256],
  ['a manager of themselves', 'self@x.example', where('part', { in: tree('area') }), 4],
  ['a reader outside of the tree', 'zoe@x.example', where('Owner', { notIn: tree('email') }), 0],
  ['a reader without an e-mail in a tree', '', where('Owner', { notIn: tree('email') }), 0],
  ['32 levels', 'c8@x.example', where('Owner', { in: tree('email') }), 64 + 256],
  [
    'a tree and pairs',
    'ann@x.example',
    { or: [pairs, where('Owner', { in: tree('email') })] },
    1 + 2 + 8 + 16,
  ],
  [
    'a tree without pairs',
    'ann@x.example',
    { and: [not(pairs), where('Owner', { in: tree('email') })] },
    2,
  ],
];

function pairsOf() {
  return { Country: 'country', Product: 'product' };
}

type Source = Dataset['source'];

export interface Given {
  stage: ContentStage;
  /** The source of a table. */
  sourceOf: (table: string) => Source;
}

/** The sum of the ids of the rows that a reader of the orders sees. */
export async function sumIds(
  { stage, sourceOf }: Given,
  email: string,
  role: RowPredicate,
  viewer: object = readerOf(email),
): Promise<number> {
  const dataset = {
    source: sourceOf('orders'),
    metrics: [{ name: 'Ids', expression: 'sum(Id)' }],
  };
  const [tile] = await stage.tilesOf(dataset, [{ type: 'kpi', metric: 'Ids' }], {
    visibleRows: [role],
    viewer: viewer as ReturnType<typeof readerOf>,
    findDataset: async (slug) =>
      slug in tables ? storeDataset({ name: slug, source: sourceOf(slug) }) : undefined,
  });
  return Number((tile as { value: unknown }).value ?? 0);
}

/** Adds the promises of look-ups to the tests of an engine. */
export function testLookUps(given: () => Given): void {
  it.each(cases)('a role with %s', async (_name, email, role, ids) => {
    expect(await sumIds(given(), email, role)).toBe(ids);
  });

  it('of two users whose addresses differ only in the sigma, each has their own levels', async () => {
    const role = where('part', { in: tree('area') });
    const sum = (email: string, hasEmailTwin: boolean) =>
      sumIds(given(), email, role, { ...readerOf(email), hasEmailTwin });
    expect(await sum('νικος@x.example', false)).toBe(2 + 4 + 256);
    expect(await sum('νικος@x.example', true)).toBe(2);
    expect(await sum('νικοσ@x.example', true)).toBe(4 + 256);
  });

  it('a role with more than 32 levels below the reader is an error, and no cut', async () => {
    const role = where('Owner', { in: tree('email') });
    for (const email of ['c0@x.example', 'c7@x.example'])
      for (const part of [role, not(role)])
        await expect(sumIds(given(), email, part)).rejects.toThrow(LookUpLimitError);
    await expect(sumIds(given(), 'c7@x.example', role)).rejects.toThrow(
      'The look-up in "employees" returns more than 32 levels for one reader.',
    );
  });
}
