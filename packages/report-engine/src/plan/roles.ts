import { emailKey } from '@portal-embed/contract';
import type {
  FieldCondition,
  Literal,
  LookUp,
  Match,
  ResolvedDataset,
  ResolvedField,
  RowPredicate,
  ValueList,
  ViewerAttribute,
} from '@portal-embed/report-model';

import type { Viewer } from '#platform';

import {
  anyOf,
  everyOf,
  isAfter,
  isBefore,
  isBetween,
  isIn,
  isMatch,
  negate,
  type Operand,
} from './compare.ts';
import type { Condition } from './plan.ts';

export interface RoleInputs {
  fields: ResolvedDataset['fields'];
  viewer: Viewer;
  /** The values of each look-up in the roles, by row. */
  lookUps: ReadonlyMap<LookUp | Match, readonly (readonly string[])[]>;
}

/** A role names a field that the dataset lacks. */
export class UnknownFieldError extends Error {
  override name = 'UnknownFieldError';
}

/** Whether a field has one of the attribute's values. E-mails are compared without letter case. */
export const matchesAttribute = (
  viewer: Viewer,
  attribute: ViewerAttribute,
  field: Operand,
  split?: string,
): Condition => matchesKeys(viewer, attribute, field, viewer[attribute], split);

/** Like `matchesAttribute`, for values that are those of other readers. */
export function matchesKeys(
  viewer: Pick<Viewer, 'hasEmailTwin'>,
  attribute: ViewerAttribute,
  field: Operand,
  keys: readonly string[],
  split?: string,
): Condition {
  const values = keys.filter((value) => value !== '');
  if (attribute !== 'email') return isIn(field, values, { split });
  return viewer.hasEmailTwin
    ? isIn(field, values.map(emailKey), { split })
    : isIn(field, values, { ignoreCase: true, split });
}

/** Returns the rows that a role allows. */
export function compileRole(scope: RoleInputs, predicate: RowPredicate | 'all'): Condition {
  if (predicate === 'all') return { kind: 'every' };
  const compile = (part: RowPredicate) => compileRole(scope, part);
  if ('and' in predicate) return everyOf(predicate.and.map(compile));
  if ('or' in predicate) return anyOf(predicate.or.map(compile));
  if ('not' in predicate) return negate(compile(predicate.not));
  if ('matches' in predicate) {
    const { matches } = predicate;
    const fields = Object.keys(matches.fields).map((name) => requireField(scope, name));
    return isMatch(fields, scope.lookUps.get(matches) ?? []);
  }
  return compileCondition(scope, predicate);
}

function compileCondition(scope: RoleInputs, predicate: FieldCondition): Condition {
  const field = requireField(scope, predicate.field);
  if ('in' in predicate) return matchesList(scope, field, predicate.in, predicate.split);
  if ('notIn' in predicate)
    return negate(matchesList(scope, field, predicate.notIn, predicate.split));
  if ('equals' in predicate) {
    const { equals, split } = predicate;
    return matchesList(scope, field, typeof equals === 'object' ? equals : [equals], split);
  }
  if ('between' in predicate) {
    const [from, to] = predicate.between.map(String);
    return isBetween(field, { from, to });
  }
  if ('before' in predicate) return isBefore(field, String(predicate.before));
  if ('after' in predicate) return isAfter(field, String(predicate.after));
  const isNull: Condition = { kind: 'null', operand: field.expression };
  return predicate.isNull ? isNull : negate(isNull);
}

function requireField({ fields }: RoleInputs, name: string): ResolvedField {
  const field = fields.get(name);
  if (!field)
    throw new UnknownFieldError(
      `A role uses the field "${name}", which the dataset does not have.`,
    );
  return field;
}

function matchesList(
  { viewer, lookUps }: RoleInputs,
  field: ResolvedField,
  list: ValueList | Literal[],
  split: string | undefined,
): Condition {
  if (Array.isArray(list)) return isIn(field, list.map(String), { split });
  if (!isLookUp(list)) return matchesAttribute(viewer, list.viewer, field, split);
  const values = (lookUps.get(list) ?? []).flat();
  // The values are keys, which are e-mails.
  return list.viewer === 'email' && list.value === list.key
    ? matchesKeys(viewer, 'email', field, values, split)
    : isIn(field, values, { split });
}

/** Lists the look-ups of a role. */
export function listLookUps(predicate: RowPredicate | 'all'): (LookUp | Match)[] {
  if (predicate === 'all') return [];
  if ('and' in predicate) return predicate.and.flatMap(listLookUps);
  if ('or' in predicate) return predicate.or.flatMap(listLookUps);
  if ('not' in predicate) return listLookUps(predicate.not);
  if ('matches' in predicate) return [predicate.matches];
  const list = 'in' in predicate ? predicate.in : 'notIn' in predicate ? predicate.notIn : [];
  return isLookUp(list) ? [list] : [];
}

const isLookUp = (list: ValueList): list is LookUp => !Array.isArray(list) && 'lookup' in list;
