import { describeType, isTime } from '../expression/types.ts';
import { grains, type Grain } from '../files/tiles.ts';
import { describeUnknown } from './nearest.ts';
import type { DraftDataset, ResolvedDimension } from './resolved.ts';

const hourGrains: ReadonlySet<Grain> = new Set(['hour', 'hour of day']);
const isGrain = (text: string): text is Grain => (grains as readonly string[]).includes(text);

/** Reads `FIELD` or `FIELD by GRAIN`. A string says what is wrong. */
export function resolveDimension(
  text: string,
  { fields, metrics, broken }: DraftDataset,
): ResolvedDimension | string {
  const whole = fields.get(text);
  if (whole) return { name: text, field: text, type: whole.type };
  // The mistake of the field is known, and its type is not.
  if (broken.has(text)) return { name: text, field: text, type: 'text' };
  if (metrics.has(text)) return `${JSON.stringify(text)} is a metric, but a field is needed here`;

  const [, name, grain] = /^(.+) by (.+)$/.exec(text) ?? [];
  const field = name === undefined ? undefined : fields.get(name);
  if (name !== undefined && broken.has(name)) return { name: text, field: name, type: 'text' };
  if (name === undefined || grain === undefined)
    return describeUnknown('field', text, fields.keys());
  if (!field) return describeUnknown('field', isGrain(grain) ? name : text, fields.keys());
  if (!isGrain(grain)) {
    const unknown = describeUnknown('grain', grain, grains);
    return unknown.endsWith('?') ? unknown : `${unknown}; write one of ${grains.join(', ')}`;
  }
  if (!isTime(field.type))
    return `${JSON.stringify(name)} is ${describeType(field.type)}, so it has no ${grain}; remove "by ${grain}", or give the field "type: date"`;
  if (field.type === 'date' && hourGrains.has(grain))
    return `${JSON.stringify(name)} is a date, so it has no ${grain}`;
  return { name: text, field: name, type: field.type, grain };
}
