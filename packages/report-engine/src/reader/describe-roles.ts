import type {
  FieldCondition,
  ResolvedDataset,
  RoleText,
  RowPredicate,
  ValueList,
} from '@portal-embed/report-model';

import type { RoleRows } from '../request.ts';

/** Values of a list that are named. */
const maxValues = 5;

interface Scope {
  fields: ResolvedDataset['fields'];
  /** The name of a dataset in which roles look up values. */
  nameOf: (slug: string) => string;
}

/** Describes the rows that a role allows. Values that `not` excludes are counted, and not named. */
export function describeRole(scope: Scope, rows: RoleRows, isNegated = false): RoleText {
  if (rows === 'all') return { kind: 'all' };
  const describe = (part: RowPredicate) => describeRole(scope, part, isNegated);
  if ('and' in rows) return { kind: 'and', parts: rows.and.map(describe) };
  if ('or' in rows) return { kind: 'or', parts: rows.or.map(describe) };
  if ('not' in rows) return { kind: 'not', part: describeRole(scope, rows.not, true) };
  if ('matches' in rows)
    return {
      kind: 'look-up',
      fields: Object.keys(rows.matches.fields),
      dataset: scope.nameOf(rows.matches.lookup),
      levels: false,
    };
  return describeCondition(scope, rows, isNegated);
}

function describeCondition(scope: Scope, condition: FieldCondition, isNegated: boolean): RoleText {
  const { field } = condition;
  if ('in' in condition) return describeList(scope, field, condition.in, isNegated);
  if ('notIn' in condition)
    return { kind: 'not', part: describeList(scope, field, condition.notIn, true) };
  if ('equals' in condition) {
    const { equals } = condition;
    const list = typeof equals === 'object' ? equals : [equals];
    return describeList(scope, field, list, isNegated);
  }
  if ('between' in condition) {
    const [from, to] = condition.between.map(String);
    return {
      kind: 'range',
      field,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    };
  }
  if ('before' in condition) return { kind: 'before', field, value: String(condition.before) };
  if ('after' in condition) return { kind: 'after', field, value: String(condition.after) };
  const blank: RoleText = { kind: 'blank', field };
  return condition.isNull ? blank : { kind: 'not', part: blank };
}

function describeList(
  { fields, nameOf }: Scope,
  field: string,
  list: ValueList,
  isNegated: boolean,
): RoleText {
  if (Array.isArray(list))
    return {
      kind: 'values',
      field,
      type: fields.get(field)?.type ?? 'text',
      values: isNegated ? [] : list.slice(0, maxValues).map(String),
      count: list.length,
    };
  if (!('lookup' in list)) return { kind: 'viewer', field, attribute: list.viewer };
  return {
    kind: 'look-up',
    fields: [field],
    dataset: nameOf(list.lookup),
    levels: list.through !== undefined,
  };
}
