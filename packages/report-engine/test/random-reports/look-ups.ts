import type { RowPredicate, ViewerAttribute } from '@portal-embed/report-model';
import fc from 'fast-check';

import type { FieldSpec } from './fields.ts';
import type { Cell } from './rows.ts';
import {
  fold,
  isIn,
  named,
  not,
  readTexts,
  type Condition,
  type Truth,
  type Viewer,
} from './truth.ts';

/** A row of the dataset in which roles look up values. */
export interface Manager {
  email: string | null;
  team: string | null;
  region: string | null;
  n: bigint | null;
  /** Several values, with a semicolon between two. */
  list: string | null;
  /** The e-mail of the manager above. */
  boss: string | null;
}

type Column = keyof Manager;

const columns = ['email', 'team', 'region', 'n', 'list', 'boss'] as const;

const rowOf = (...cells: (string | bigint | null)[]) =>
  Object.fromEntries(columns.map((column, index) => [column, cells[index]])) as unknown as Manager;

export const managers: Manager[] = [
  rowOf('ann@x.example', 'Sales', 'West', 1n, 'West; é ;;3', null),
  rowOf('ANN@X.example', 'Sales', 'é', 2n, ' 2;high', 'NOBODY@x.example'),
  rowOf('ann@x.example', 'sales', null, null, null, 'ann@x.example'),
  rowOf('ann@x.example', 'Sales', ' ', 4n, ' ; ', null),
  rowOf('ann@x.example', 'Sales', 'high', 5n, 'one;4', null),
  rowOf('bob@x.example', null, null, null, ' ;; ', 'Ann@x.example'),
  rowOf('äl@x.example', 'sales', ' West', 5n, 'West ', 'BOB@x.example'),
  rowOf('ÄL@X.example', 'Sales', 'Z', 3n, 'Z;Other;05', 'zoe@x.example'),
  // A circle.
  rowOf('zoe@x.example', 'Sales', 'Other', 2n, '2', 'Eve@x.example'),
  rowOf('eve@x.example', 'sales', 'ß', 1n, '1', 'äl@x.example'),
  // No key, and no parent of the rows without one.
  rowOf(null, 'Sales', 'Z', 0n, 'Z;0', 'ann@x.example'),
  rowOf(' ', 'sales', 'ꙮ', 3n, 'ꙮ', 'bob@x.example'),
  rowOf('lone@x.example', 'Sales', '🦀', 4n, '🦀', ' '),
];

type Role = Condition<RowPredicate>;

/** Attributes of the viewer, and the columns that have them. */
const lookUpKeys = fc.constantFrom(
  ...([
    { viewer: 'email', key: 'email' },
    { viewer: 'email', key: 'email' },
    { viewer: 'email', key: 'email' },
    { viewer: 'email', key: 'email' },
    { viewer: 'department', key: 'team' },
    { viewer: 'groups', key: 'team' },
    { viewer: 'groups', key: 'email' },
  ] as const),
);

interface Keys {
  viewer: ViewerAttribute;
  key: 'email' | 'team';
}

/** A key as it is compared: e-mails without letter case. */
const keyOf = ({ viewer }: Keys, cell: string) => (viewer === 'email' ? fold(cell) : cell);

const listKeys = (keys: Keys, viewer: Viewer) =>
  new Set(viewer[keys.viewer].filter((text) => text !== '').map((text) => keyOf(keys, text)));

const hasKey = (keys: Keys, cell: string | null, wanted: ReadonlySet<Cell>) =>
  cell !== null && wanted.has(keyOf(keys, cell));

const ownRows = (keys: Keys, viewer: Viewer) =>
  managers.filter((manager) => hasKey(keys, manager[keys.key], listKeys(keys, viewer)));

/** The rows of the reader, and those whose chain of parents reaches the reader. */
function rowsBelow(keys: Keys, viewer: Viewer): Manager[] {
  const above = listKeys(keys, viewer);
  const isBelow = ({ boss }: Manager) => boss?.trim() !== '' && hasKey(keys, boss, above);
  let size: number;
  do {
    size = above.size;
    for (const manager of managers) {
      const key = manager[keys.key];
      if (isBelow(manager) && key !== null && key.trim() !== '') above.add(keyOf(keys, key));
    }
  } while (above.size > size);
  const own = ownRows(keys, viewer);
  return managers.filter((manager) => own.includes(manager) || isBelow(manager));
}

/** The values of a cell: trimmed, and none that is empty. */
const valuesOf = (cell: Manager[Column], split: string | undefined): string[] =>
  cell === null
    ? []
    : (split === undefined ? [String(cell)] : String(cell).split(split))
        .map((text) => text.trim())
        .filter((text) => text !== '');

const semicolon = fc.constantFrom(undefined, undefined, ';');

/** The column with values for a field. Only lists have values of another type. */
function valueColumns({ type, name }: FieldSpec, split: string | undefined): Column[] {
  const list: Column[] = split === undefined ? [] : ['list', 'list'];
  if (type === 'integer') return ['n', ...list];
  return name === 'Owner' ? ['email', 'email', 'region'] : ['region', ...list, 'list'];
}

/** Values of a look-up for the reader, and whether they are e-mails. */
interface Values {
  written: object;
  list: (viewer: Viewer) => string[];
  areKeys: boolean;
}

const valuesFor = (spec: FieldSpec): fc.Arbitrary<Values> =>
  fc.tuple(lookUpKeys, semicolon, fc.boolean()).chain(([keys, split, isTree]) =>
    fc.constantFrom(...valueColumns(spec, split)).map((value): Values => {
      const hasTree = isTree && value !== 'boss';
      return {
        written: {
          lookup: 'managers',
          value,
          ...keys,
          ...(split === undefined ? {} : { split }),
          ...(hasTree ? { through: 'boss' } : {}),
        },
        list: (viewer) =>
          (hasTree ? rowsBelow : ownRows)(keys, viewer).flatMap((manager) =>
            valuesOf(manager[value], split),
          ),
        areKeys: keys.viewer === 'email' && value === keys.key,
      };
    }),
  );

const operator = fc.constantFrom('in', 'in', 'notIn');

const ofLookUp = fc
  .tuple(fc.constantFrom(...named('Region', 'Region', 'Owner', 'N', 'Label')), operator)
  .chain(([spec, name]) =>
    valuesFor(spec).map(({ written, list, areKeys }): Role => ({
      written: { field: spec.name, [name]: written } as unknown as RowPredicate,
      test: (row, { viewer, timeZone }) => {
        const texts = list(viewer);
        const cell = spec.read(row, timeZone);
        const truth = areKeys
          ? isIn(fold(cell), texts.map(fold))
          : isIn(cell, readTexts(spec, texts));
        return name === 'notIn' ? not(truth) : truth;
      },
    })),
  );

/** Whether a part of a text is one of the values. */
function hasPart(cell: Cell, separator: string, values: readonly Cell[]): Truth {
  const known = values.filter((value) => value !== '' && value !== null);
  if (cell === null || known.length === 0) return null;
  return String(cell)
    .split(separator)
    .some((part) => known.includes(part));
}

const parts =
  'W,st,West,ast,ann,bob,x,example,hig,Äl,é,\u0301,,Oth,e,null,"quoted",ann@x,O\'Hara,high, W,;,Z'.split(
    ',',
  );

/** Values that a part is compared with. */
const partValues = (spec: FieldSpec): fc.Arbitrary<Values> =>
  fc.oneof(
    fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 20 }).map((list): Values => ({
      written: list,
      list: () => list,
      areKeys: false,
    })),
    fc.constantFrom('email', 'groups', 'department').map((viewer): Values => ({
      written: { viewer },
      list: (reader) => reader[viewer as ViewerAttribute],
      areKeys: viewer === 'email',
    })),
    valuesFor(spec),
  );

const ofPart = fc
  .tuple(
    fc.constantFrom(...named('Region', 'Owner', 'Label', 'Joined')),
    fc.constantFrom('/', '/', 'e', '@', '.', ' ', 'x.', ';', 'es', 'ü'),
    operator,
  )
  .chain(([spec, split, name]) =>
    partValues(spec).map(({ written, list, areKeys }): Role => ({
      written: { field: spec.name, split, [name]: written } as unknown as RowPredicate,
      test: (row, { viewer, timeZone }) => {
        const cell = spec.read(row, timeZone);
        const texts = list(viewer);
        // The text is split before its parts are compared without letter case.
        const truth =
          areKeys && cell !== null
            ? hasPart(String(cell).split(split).map(fold).join('\n'), '\n', texts.map(fold))
            : hasPart(cell, split, texts);
        return name === 'notIn' ? not(truth) : truth;
      },
    })),
  );

/** Each value of the first list with each one of the others. */
const combine = (lists: readonly string[][]): string[][] =>
  lists.reduce<string[][]>(
    (rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  );

const ofMatch = fc
  .tuple(
    lookUpKeys,
    semicolon,
    fc.uniqueArray(fc.constantFrom(...named('Region', 'N', 'Owner', 'Label', 'Year')), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.array(fc.nat(11), { minLength: 3, maxLength: 3 }),
  )
  .map(([keys, split, specs, choices]): Role => {
    const pairs = specs.map((spec, index): [FieldSpec, Column] => {
      const possible = valueColumns(spec, split);
      return [spec, possible[(choices[index] ?? 0) % possible.length] as Column];
    });
    const fields = Object.fromEntries(pairs.map(([spec, column]) => [spec.name, column]));
    return {
      written: {
        matches: {
          lookup: 'managers',
          ...keys,
          fields,
          ...(split === undefined ? {} : { split }),
        },
      },
      test: (row, { viewer, timeZone }) => {
        const rows = ownRows(keys, viewer)
          .flatMap((manager) =>
            combine(pairs.map(([, column]) => valuesOf(manager[column], split))),
          )
          .map((texts) => pairs.map(([spec], index) => readTexts(spec, [texts[index] ?? ''])[0]))
          .filter((values) => !values.includes(undefined));
        const cells = pairs.map(([spec]) => spec.read(row, timeZone));
        if (rows.length === 0 || cells.includes(null)) return null;
        return rows.some((values) => values.every((value, index) => value === cells[index]));
      },
    };
  });

/** Roles that look up values, or split texts. */
export const lookUpRole: fc.Arbitrary<Role> = fc.oneof(
  { arbitrary: ofLookUp, weight: 2 },
  { arbitrary: ofPart, weight: 1 },
  { arbitrary: ofMatch, weight: 1 },
);
