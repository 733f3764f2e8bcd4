import type { ViewerAttribute } from '@portal-embed/report-model';

import { fields, type FieldSpec } from './fields.ts';
import type { Cell, Row } from './rows.ts';

export type Viewer = Record<ViewerAttribute, string[]>;

export interface Scope {
  viewer: Viewer;
  timeZone: string;
}

/** True, false or unknown. */
export type Truth = boolean | null;

/** What a role or a filter says, and what it means for a row. */
export interface Condition<Written> {
  written: Written;
  test: (row: Row, scope: Scope) => Truth;
}

export const not = (truth: Truth): Truth => (truth === null ? null : !truth);

export const every = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true;

export const some = (truths: readonly Truth[]): Truth => not(every(truths.map(not)));

export function isIn(cell: Cell, values: readonly (Cell | undefined)[]): Truth {
  const known = values.filter((value) => value !== undefined && value !== null);
  if (known.length === 0 || cell === null) return null;
  // -0 equals 0.
  return known.some((value) => value === cell);
}

export const fold = (cell: Cell) => (typeof cell === 'string' ? cell.toLowerCase() : cell);

/** Values of an attribute or of a look-up in the field's type. */
export function readTexts({ type }: FieldSpec, texts: readonly string[]): (Cell | undefined)[] {
  if (type === 'text') return [...texts];
  return texts.map((text) => (type === 'integer' && /^\d+$/.test(text) ? BigInt(text) : undefined));
}

export const named = (...names: string[]) =>
  names.map((name) => fields.find((spec) => spec.name === name) as FieldSpec);
