import { z } from 'zod';

import { describeFieldErrors, fieldErrors } from './errors.ts';

/**
 * Describes the first five invalid fields and counts the others. The text contains no values, which
 * may be secret.
 */
export const describeIssues = (error: z.ZodError): string =>
  describeFieldErrors(fieldErrors(error));

/**
 * Checks the options of a public function and fills in the defaults.
 *
 * @param caller name of the function, the start of the message
 * @throws TypeError that describes the invalid options and what they must be
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  caller: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(options);
  if (!error) return data;
  const hasUnknownOption = error.issues.some(
    ({ code, path }) => code === 'unrecognized_keys' && path.length === 0,
  );
  const known =
    hasUnknownOption && schema instanceof z.ZodObject
      ? ` Options: ${Object.keys(schema.shape).join(', ')}.`
      : '';
  throw new TypeError(`${caller}: ${describeIssues(error)}.${known}`);
}
