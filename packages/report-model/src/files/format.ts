import { z } from 'zod';

import { describeUnknown } from '../issues/nearest.ts';
import { expected, object } from './object.ts';

const fractionDigits = z.int().min(0).max(20);

/** `Intl.NumberFormat` accepts one unit, or two joined by `-per-`. */
function isUnit(unit: string): boolean {
  const parts = unit.split('-per-');
  return parts.length <= 2 && parts.every((part) => Intl.supportedValuesOf('unit').includes(part));
}

const formatOptionsSchema = object({
  style: z.enum(['decimal', 'percent', 'currency', 'unit']).default('decimal'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'write an ISO 4217 currency code, such as USD')
    .optional()
    .describe('ISO 4217 code, such as USD. Only with style: currency.'),
  unit: z
    .string()
    .refine(isUnit, {
      error: ({ input }) =>
        describeUnknown(
          'unit',
          String(input),
          Intl.supportedValuesOf('unit'),
          'write a unit of Intl.NumberFormat, such as kilometer-per-hour',
        ),
    })
    .optional()
    .describe('A unit of Intl.NumberFormat, such as kilometer-per-hour. Only with style: unit.'),
  notation: z.enum(['standard', 'compact']).default('standard'),
  minimumFractionDigits: fractionDigits.optional(),
  maximumFractionDigits: fractionDigits.optional(),
  signDisplay: z.enum(['auto', 'always', 'exceptZero', 'never']).optional(),
}).superRefine((options, context) => {
  for (const style of ['currency', 'unit'] as const)
    if ((options.style === style) !== (options[style] !== undefined))
      context.addIssue({
        code: 'custom',
        message:
          options.style === style
            ? `style: ${style} needs the property ${style}; add it`
            : `${style} needs style: ${style}; add it`,
      });
  const { minimumFractionDigits: least = 0, maximumFractionDigits: most = 20 } = options;
  if (least > most)
    context.addIssue({
      code: 'custom',
      path: ['maximumFractionDigits'],
      message: 'must be at least minimumFractionDigits',
    });
});

/** Options of `Intl.NumberFormat`. */
export type FormatOptions = z.output<typeof formatOptionsSchema>;

/** The named formats. */
export const namedFormats = {
  integer: { style: 'decimal', notation: 'standard', maximumFractionDigits: 0 },
  decimal: {
    style: 'decimal',
    notation: 'standard',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  },
  percent: {
    style: 'percent',
    notation: 'standard',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  },
} as const satisfies Record<string, FormatOptions>;

/** A named format, or options of `Intl.NumberFormat`. */
export const formatSchema = z
  .union(
    [z.enum(Object.keys(namedFormats) as (keyof typeof namedFormats)[]), formatOptionsSchema],
    {
      error: expected(
        'write integer, decimal, percent, or options such as { style: currency, currency: USD }',
      ),
    },
  )
  .transform((format): FormatOptions =>
    typeof format === 'string' ? namedFormats[format] : format,
  )
  .meta({
    id: 'format',
    description: 'Number format: a name, or options of Intl.NumberFormat.',
  });
