// Checks without zod, which is larger than the whole component. A test compares them with the schemas.
import type { CustomFilter } from '../fields/filters.ts';

type Fields = Record<string, unknown>;
type Check = (value: unknown) => boolean;

/** Longest view in characters. With it, a URL has at most the 8 kB that most servers accept. */
export const maxViewLength = 6_000;

export const isText = (value: unknown): value is string => typeof value === 'string';

// `typeof` says number for NaN, zod does not.
export const isNumber: Check = Number.isFinite;

// Both checks spread the array, because `every` skips the holes of a sparse array.
export const areTexts = (value: unknown) => Array.isArray(value) && [...value].every(isText);

/** Whether the value is a list of filters with text keys and values. */
export const areFilters = (value: unknown): value is CustomFilter[] =>
  Array.isArray(value) &&
  [...(value as (Fields | undefined)[])].every(
    (filter) => isText(filter?.['key']) && isText(filter['value']),
  );

export const isOptionalText: Check = (value) => value === undefined || isText(value);
export const isOptionalNumber: Check = (value) => value === undefined || isNumber(value);

/** For each type of message, a check for each field beside `type`. */
export type Shapes = Record<string, Record<string, Check>>;

export const matches = (message: unknown, shapes: Shapes) => {
  const fields = Object(message) as Fields;
  const { type } = fields;
  return (
    isText(type) &&
    Object.hasOwn(shapes, type) &&
    Object.entries(shapes[type]!).every(([name, check]) => check(fields[name]))
  );
};
