import { Option, type CommandUnknownOpts, type OptionValues } from '@commander-js/extra-typings';
import type { z } from 'zod';

import type { Context } from '../actor/actor.ts';
import { parseInput } from './input.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** Options of a field that is given in another form than in the request. */
interface OwnField {
  options: readonly Option[];
  /** Returns the value of the field; `undefined` if it is not given. */
  read: (options: OptionValues, ctx: Context) => unknown;
}

export type OwnFields = Readonly<Record<string, OwnField>>;

/**
 * Adds the options of the fields of a request, in their order: `--department <department>`, or
 * `--can-edit-report` and `--no-can-edit-report` for a boolean. The description of the field is the
 * help, and `negation` of its metadata that of `--no-…`. `--without-department` sets `null`.
 */
export function addFieldOptions(
  command: CommandUnknownOpts,
  shape: Shape,
  own: OwnFields = {},
): void {
  for (const [field, schema] of Object.entries(shape))
    for (const option of own[field]?.options ?? createOptions(field, schema))
      command.addOption(option);
}

/**
 * Returns the fields that the options give.
 *
 * @throws `invalid_request`
 */
export async function readFieldOptions(
  ctx: Context,
  shape: Shape,
  options: OptionValues,
  own: OwnFields = {},
): Promise<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(shape)) {
    const value = await (own[field] ?? readerOf(field, schema)).read(options, ctx);
    if (value !== undefined) given[field] = value;
  }
  return given;
}

const toKebab = (field: string) =>
  field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const withoutName = (field: string) => `without${field[0]!.toUpperCase()}${field.slice(1)}`;

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

function createOptions(field: string, schema: z.ZodType): Option[] {
  const name = toKebab(field);
  const { description = '', negation } = schema.meta() ?? {};
  // In the documentation of the API, it is a sentence.
  const help = `${description[0]?.toLowerCase() ?? ''}${description.slice(1).replace(/\.$/, '')}`;
  const options = accepts(schema, true)
    ? [new Option(`--${name}`, help), new Option(`--no-${name}`, String(negation))]
    : [new Option(`--${name} <${name}>`, help)];
  if (!accepts(schema, null)) return options;
  const without = new Option(`--without-${name}`, `remove the ${name.replaceAll('-', ' ')}`);
  return [...options, without.conflicts(field)];
}

const readerOf = (field: string, schema: z.ZodType): Pick<OwnField, 'read'> => ({
  read: (options) => {
    const value: unknown = options[withoutName(field)] ? null : options[field];
    return value === undefined ? undefined : parseInput(schema, value, `--${toKebab(field)}`);
  },
});
