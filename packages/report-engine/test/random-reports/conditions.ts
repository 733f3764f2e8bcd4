import type { RowPredicate } from '@portal-embed/report-model';
import fc from 'fast-check';

import type { RoleRows } from '../../src/request.ts';
import { fields, type FieldSpec } from './fields.ts';
import {
  compareValues,
  literalOf,
  toComparable,
  type Comparable,
  type Literal,
} from './literals.ts';
import { lookUpRole } from './look-ups.ts';
import type { Cell, Row } from './rows.ts';
import {
  every,
  fold,
  isIn,
  named,
  not,
  readTexts,
  some,
  type Condition,
  type Scope,
  type Truth,
  type Viewer,
} from './truth.ts';

const field = fc.constantFrom(...fields);

/** Roles do not compare rounded numbers for equality. */
const exactField = fc.constantFrom(...fields.filter(({ type }) => type !== 'number'));

interface Ends {
  from?: Literal | undefined;
  to?: Literal | undefined;
  /** Whether the ends belong to the range. */
  isClosed: boolean;
}

function isWithin({ type }: FieldSpec, cell: Cell, { from, to, isClosed }: Ends): Truth {
  if ([from, to].some((end) => end && !end.end) || cell === null) return null;
  const value = toComparable(type, cell);
  const compare = (end: Comparable) => compareValues(value, end);
  const first = from?.end;
  const last = to?.end;
  const isAfter =
    !first ||
    (isClosed
      ? compare(first.first) >= 0
      : first.next === undefined
        ? compare(first.first) > 0
        : compare(first.next) >= 0);
  const isBefore =
    !last ||
    (isClosed
      ? last.next === undefined
        ? compare(last.first) <= 0
        : compare(last.next) < 0
      : compare(last.first) < 0);
  return isAfter && isBefore;
}

type Role = Condition<RowPredicate>;

const membership = fc.tuple(exactField, fc.boolean()).chain(([spec, isNegated]) =>
  fc.array(literalOf(spec.type), { minLength: 1, maxLength: 20 }).map((list): Role => {
    const texts = list.map(({ text }) => text);
    const operator = isNegated ? { notIn: texts } : { in: texts };
    return {
      written: { field: spec.name, ...operator },
      test: (row, { timeZone }) => {
        const truth = isIn(
          spec.read(row, timeZone),
          list.map(({ value }) => value),
        );
        return isNegated ? not(truth) : truth;
      },
    };
  }),
);

const ofViewer = fc
  .tuple(
    fc.constantFrom(...named('Owner', 'Owner', 'Region', 'Label', 'N')),
    fc.constantFrom('email', 'department', 'groups', 'companies'),
    fc.constantFrom('in', 'notIn', 'equals'),
  )
  .map(([spec, viewer, operator]): Role => ({
    written: { field: spec.name, [operator]: { viewer } } as unknown as RowPredicate,
    test: (row, scope) => {
      const ignoresCase = viewer === 'email';
      const texts = scope.viewer[viewer].filter((text) => text !== '');
      const values = readTexts(spec, ignoresCase ? texts.map((text) => text.toLowerCase()) : texts);
      const cell = spec.read(row, scope.timeZone);
      const truth = isIn(ignoresCase ? fold(cell) : cell, values);
      return operator === 'notIn' ? not(truth) : truth;
    },
  }));

/** Times more often, as their days are whole. */
const ranged = fields.flatMap((spec) =>
  spec.type === 'boolean' ? [] : spec.type === 'datetime' ? [spec, spec, spec] : [spec],
);

const range = fc
  .tuple(fc.constantFrom(...ranged), fc.constantFrom('between', 'before', 'after'))
  .chain(([spec, operator]) =>
    fc.tuple(literalOf(spec.type), literalOf(spec.type)).map(([one, other]): Role => {
      const isBetween = operator === 'between';
      const ends: Ends = {
        from: operator === 'before' ? undefined : one,
        to: operator === 'after' ? undefined : isBetween ? other : one,
        isClosed: isBetween,
      };
      const operand = isBetween ? [one.text, other.text] : one.text;
      return {
        written: { field: spec.name, [operator]: operand } as unknown as RowPredicate,
        test: (row, { timeZone }) => isWithin(spec, spec.read(row, timeZone), ends),
      };
    }),
  );

const isNull = fc.tuple(field, fc.boolean()).map(([spec, wanted]): Role => ({
  written: { field: spec.name, isNull: wanted },
  test: (row, { timeZone }) => (spec.read(row, timeZone) === null) === wanted,
}));

/** A role. */
const { role } = fc.letrec<{ role: Role; condition: Role; combination: Role }>((tie) => ({
  role: fc.oneof({ maxDepth: 3 }, tie('condition'), tie('combination')),
  condition: fc.oneof(membership, ofViewer, lookUpRole, range, isNull),
  combination: fc.oneof(
    tie('role').map(({ written, test }): Role => ({
      written: { not: written },
      test: (row, scope) => not(test(row, scope)),
    })),
    fc
      .tuple(fc.boolean(), fc.array(tie('role'), { minLength: 1, maxLength: 3 }))
      .map(([isAnd, parts]): Role => {
        const written = parts.map((part) => part.written);
        return {
          written: isAnd ? { and: written } : { or: written },
          test: (row, scope) => (isAnd ? every : some)(parts.map((part) => part.test(row, scope))),
        };
      }),
  ),
}));

const all: Condition<RoleRows> = { written: 'all', test: () => true };

/** The roles of a reader. */
export const roles: fc.Arbitrary<Condition<RoleRows>[]> = fc.oneof(
  { arbitrary: fc.constant<Condition<RoleRows>[]>([all]), weight: 2 },
  { arbitrary: fc.array(role, { maxLength: 3 }), weight: 5 },
);

export const isVisible = (held: readonly Condition<unknown>[], row: Row, scope: Scope): boolean =>
  held.some(({ test }) => test(row, scope) === true);

export const viewer: fc.Arbitrary<Viewer> = fc.record({
  email: fc.constantFrom(...['ann@x.example', 'Bob@X.example', 'ÄL@x.example', ''].map((e) => [e])),
  department: fc.constantFrom([], [''], ['Sales'], ['sales'], ['West']),
  groups: fc.subarray(['West', 'é', 'Sales', '2', '']),
  companies: fc.constant([]),
});

/** A key in another letter case, with or without the table. */
const keyOf = ({ name }: FieldSpec) =>
  fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()).map(([isUpper, isLower, hasTable]) => {
    const cased = isUpper ? name.toUpperCase() : isLower ? name.toLowerCase() : name;
    return hasTable ? `Orders/${cased}` : cased;
  });

interface Filter {
  written: { key: string; value: string }[];
  /** Absent for a key that no field has. */
  test?: Condition<unknown>['test'];
}

const rangeText = (spec: FieldSpec) =>
  fc
    .tuple(
      fc.option(literalOf(spec.type), { nil: undefined }),
      fc.option(literalOf(spec.type), { nil: undefined }),
    )
    .filter(([from, to]) => (from ?? to) !== undefined)
    .filter(([from, to]) => ![from?.text, to?.text].some((text) => text?.trim() === ''))
    .map(([from, to]) => ({
      text: `${from?.text ?? ''}..${to?.text ?? ''}`,
      test: (cell: Cell) => isWithin(spec, cell, { from, to, isClosed: true }),
    }));

const valueText = (spec: FieldSpec) =>
  literalOf(spec.type).map(({ text, value }) => ({
    text,
    test: (cell: Cell) => isIn(cell, [value]),
  }));

const filter: fc.Arbitrary<Filter> = fc.oneof(
  { arbitrary: fc.constant<Filter>({ written: [{ key: 'Regoin', value: 'West' }] }), weight: 1 },
  {
    arbitrary: field.chain((spec) => {
      const hasRanges = spec.type !== 'text' && spec.type !== 'boolean';
      const value = hasRanges ? fc.oneof(rangeText(spec), valueText(spec)) : valueText(spec);
      return fc
        .tuple(keyOf(spec), fc.array(value, { minLength: 1, maxLength: 4 }))
        .map(([key, values]): Filter => ({
          written: values.map(({ text }) => ({ key, value: text })),
          test: (row, { timeZone }) => {
            const cell = spec.read(row, timeZone);
            return some(values.map(({ test }) => test(cell)));
          },
        }));
    }),
    weight: 8,
  },
);

/** Lists of filters, whose keys are unique within a list. */
export const filterLists = fc.array(
  fc.uniqueArray(filter, { maxLength: 2, selector: ({ written }) => written[0]?.key }),
  { maxLength: 2 },
);

export const passes = (lists: readonly Filter[][], row: Row, scope: Scope): boolean =>
  lists.flat().every(({ test }) => !test || test(row, scope) === true);

export const unappliedKeys = (lists: readonly Filter[][]): string[] => [
  ...new Set(
    lists.flat().flatMap(({ test, written }) => (test ? [] : written.map(({ key }) => key))),
  ),
];
