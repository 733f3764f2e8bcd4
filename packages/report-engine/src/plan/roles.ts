import { emailKey } from '@portal-embed/contract';
import type {
  Literal,
  LookUp,
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
  negate,
  type Operand,
} from './compare.ts';
import type { Condition } from './plan.ts';

export interface RoleInputs {
  fields: ResolvedDataset['fields'];
  viewer: Viewer;
  /** The values of each look-up in the roles. */
  lookUps: ReadonlyMap<LookUp, readonly string[]>;
}

/** A role names a field that the dataset lacks. */
export class UnknownFieldError extends Error {
  override name = 'UnknownFieldError';
}

/** Whether a field has one of the attribute's values. E-mails are compared without letter case. */
export function matchesAttribute(
  viewer: Viewer,
  attribute: ViewerAttribute,
  field: Operand,
): Condition {
  const values = viewer[attribute].filter((value) => value !== '');
  if (attribute !== 'email') return isIn(field, values);
  return viewer.hasEmailTwin ? isIn(field, values.map(emailKey)) : isIn(field, values, true);
}

/** Returns the rows that a role allows. */
export function compileRole(scope: RoleInputs, predicate: RowPredicate | 'all'): Condition {
  if (predicate === 'all') return { kind: 'every' };
  const compile = (part: RowPredicate) => compileRole(scope, part);
  if ('and' in predicate) return everyOf(predicate.and.map(compile));
  if ('or' in predicate) return anyOf(predicate.or.map(compile));
  if ('not' in predicate) return negate(compile(predicate.not));
  const field = requireField(scope, predicate.field);
  if ('in' in predicate) return matchesList(scope, field, predicate.in);
  if ('notIn' in predicate) return negate(matchesList(scope, field, predicate.notIn));
  if ('equals' in predicate) {
    const { equals } = predicate;
    return matchesList(scope, field, typeof equals === 'object' ? equals : [equals]);
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
): Condition {
  if (Array.isArray(list)) return isIn(field, list.map(String));
  if (isLookUp(list)) return isIn(field, lookUps.get(list) ?? []);
  return matchesAttribute(viewer, list.viewer, field);
}

/** Lists the look-ups of a role. */
export function listLookUps(predicate: RowPredicate | 'all'): LookUp[] {
  if (predicate === 'all') return [];
  if ('and' in predicate) return predicate.and.flatMap(listLookUps);
  if ('or' in predicate) return predicate.or.flatMap(listLookUps);
  if ('not' in predicate) return listLookUps(predicate.not);
  const list = 'in' in predicate ? predicate.in : 'notIn' in predicate ? predicate.notIn : [];
  return isLookUp(list) ? [list] : [];
}

const isLookUp = (list: ValueList): list is LookUp => !Array.isArray(list) && 'lookup' in list;
