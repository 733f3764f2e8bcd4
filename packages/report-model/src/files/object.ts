import { z } from 'zod';

import { maxIssues } from '../issues/issue.ts';
import { describeUnknown } from '../issues/nearest.ts';

/** An object without unknown properties. The message has one line for each of them. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .slice(0, maxIssues + 1)
            .map((key) => describeUnknown('property', key, Object.keys(shape)))
            .join('\n')
        : undefined,
  });

/** Requires exactly one of the properties. */
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

/** The message for a value that fits no member of a union. */
export const expected =
  (message: string) =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? 'is missing' : message;
