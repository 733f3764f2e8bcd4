import { z } from 'zod';

import { object } from './object.ts';

const thresholdSchema = object({
  below: z.number().optional().describe('Numbers less than this one.'),
  atLeast: z.number().optional().describe('Numbers that are this one or greater.'),
  status: z
    .enum(['good', 'warning', 'bad'])
    .describe('What such a number means: its sign, color and word.'),
}).superRefine(({ below, atLeast }, context) => {
  if (below === undefined && atLeast === undefined)
    context.addIssue({ code: 'custom', message: 'a threshold needs below, atLeast or both' });
  if (below !== undefined && atLeast !== undefined && atLeast >= below)
    context.addIssue({
      code: 'custom',
      message: 'atLeast must be less than below; no number is between them',
    });
});

const limit = z.number().optional();

/** Highlights numbers by a rule. Each highlight has more than a color: a sign, a word or a length. */
export const conditionalFormatSchema = z
  .discriminatedUnion(
    'type',
    [
      object({
        type: z.literal('thresholds'),
        thresholds: z
          .array(thresholdSchema)
          .min(1)
          .max(10)
          .describe('The first threshold that a number meets applies.'),
      }),
      object({
        type: z.literal('scale'),
        from: limit.describe('The palest number. Default: the lowest of the column.'),
        to: limit.describe('The strongest number. Default: the highest of the column.'),
      }).refine(({ from = -Infinity, to = Infinity }) => from < to, {
        path: ['to'],
        error: 'must be greater than from',
      }),
      object({ type: z.literal('bar') }),
      object({ type: z.literal('arrow') }),
    ],
    {
      error: 'write a type: thresholds, scale, bar or arrow',
    },
  )
  .meta({
    id: 'conditionalFormat',
    description:
      'Highlights numbers. thresholds: by their size. scale: the deeper the color, the higher the number. bar: a bar behind each number. arrow: up above zero, down below.',
  });
export type ConditionalFormat = z.output<typeof conditionalFormatSchema>;
