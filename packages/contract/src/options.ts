import { z } from 'zod';

import { fieldErrors } from './errors.ts';

/** Describes what is wrong with a value, field by field. Names fields and never values. */
export const describeIssues = (error: z.ZodError): string =>
  fieldErrors(error)
    .map(({ path, message }) => {
      const what = message.replace(/^Invalid input: expected (.+), received (.+)$/, 'must be $1');
      return path === '' ? what : `${path} ${what}`;
    })
    .join('; ');

/**
 * Checks the options that a function was called with.
 *
 * @param caller starts the message: the name of the function
 * @throws TypeError that names each wrong option and says what it must be
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  caller: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(options);
  if (!error) return data;
  const isMisspelled = error.issues.some(
    ({ code, path }) => code === 'unrecognized_keys' && path.length === 0,
  );
  const known =
    isMisspelled && schema instanceof z.ZodObject
      ? ` Options: ${Object.keys(schema.shape).join(', ')}.`
      : '';
  throw new TypeError(`${caller}: ${describeIssues(error)}.${known}`);
}
