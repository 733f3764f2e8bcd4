import { z } from 'zod';

import { describeUnknown } from '../check/nearest.ts';

/** An object that refuses unknown properties, and says which was probably meant: one line for each. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => describeUnknown('property', key, Object.keys(shape))).join('\n')
        : undefined,
  });

/** Refuses an object that has none or several of some properties. */
export const exactlyOne =
  (names: readonly string[], what: string) =>
  (value: object, context: z.RefinementCtx): void => {
    const found = names.filter((name) => name in value);
    if (found.length === 1) return;
    const message =
      found.length === 0
        ? `${what} needs one of ${names.join(', ')}`
        : `${what} has ${found.join(' and ')}, but it can have only one of them`;
    context.addIssue({ code: 'custom', message });
  };

/** What a value must be, as the message of a union that it does not fit. */
export const expected =
  (message: string) =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? 'is missing' : message;
