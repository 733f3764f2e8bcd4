import { describeType, isTime } from '../expression/types.ts';
import { grains, type Grain } from '../files/tiles.ts';
import { describeMissing, describeUnknown } from '../issues/nearest.ts';
import type { DraftDataset, ResolvedDimension } from './resolved.ts';

const hourGrains: ReadonlySet<Grain> = new Set(['hour', 'hour of day']);
const isGrain = (text: string): text is Grain => (grains as readonly string[]).includes(text);

/** Resolves `FIELD` or `FIELD by GRAIN`. Returns a message if it is invalid. */
export function resolveDimension(
  text: string,
  { fields, metrics, broken, lost }: DraftDataset,
): ResolvedDimension | string {
  const whole = fields.get(text);
  if (whole) return { name: text, field: text, type: whole.type };
  // The field's mistake is already reported, so its type is unknown.
  if (broken.has(text)) return { name: text, field: text, type: 'text' };
  if (metrics.has(text) && !lost?.names.has(text))
    return `${JSON.stringify(text)} is a metric; write a field instead`;

  const [, name, grain] = /^(.+) by (.+)$/.exec(text) ?? [];
  const field = name === undefined ? undefined : fields.get(name);
  if (name !== undefined && broken.has(name)) return { name: text, field: name, type: 'text' };
  if (name === undefined || grain === undefined) return describeMissing(text, fields.keys(), lost);
  if (!field) return describeMissing(isGrain(grain) ? name : text, fields.keys(), lost);
  if (!isGrain(grain)) return describeUnknown('grain', grain, grains);
  if (!isTime(field.type))
    return `"by ${grain}" needs a date, but ${JSON.stringify(name)} is ${describeType(field.type)}; remove "by ${grain}", or give the field "type: date"`;
  if (field.type === 'date' && hourGrains.has(grain))
    return `${JSON.stringify(name)} is a date without a time; instead of "by ${grain}", write a grain such as "by day"`;
  return { name: text, field: name, type: field.type, grain };
}
