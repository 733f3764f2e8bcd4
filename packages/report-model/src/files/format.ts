import { z } from 'zod';

import { describeUnknown } from '../check/nearest.ts';
import { expected, object } from './object.ts';

const fractionDigits = z.int().min(0).max(20);

/** `Intl.NumberFormat` takes a unit, or two of them around `-per-`. */
function isUnit(unit: string): boolean {
  const parts = unit.split('-per-');
  return parts.length <= 2 && parts.every((part) => Intl.supportedValuesOf('unit').includes(part));
}

const formatOptionsSchema = object({
  style: z.enum(['decimal', 'percent', 'currency', 'unit']).default('decimal'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'write the ISO 4217 code of a currency, such as USD')
    .optional()
    .describe('ISO 4217 code, such as USD; for the style currency.'),
  unit: z
    .string()
    .refine(isUnit, {
      error: ({ input }) => describeUnknown('unit', String(input), Intl.supportedValuesOf('unit')),
    })
    .optional()
    .describe('A unit of Intl.NumberFormat, such as kilometer-per-hour; for the style unit.'),
  notation: z.enum(['standard', 'compact']).default('standard'),
  minimumFractionDigits: fractionDigits.optional(),
  maximumFractionDigits: fractionDigits.optional(),
  signDisplay: z.enum(['auto', 'always', 'exceptZero', 'never']).optional(),
}).superRefine((options, context) => {
  for (const style of ['currency', 'unit'] as const)
    if ((options.style === style) !== (options[style] !== undefined))
      context.addIssue({
        code: 'custom',
        message: `write style: ${style} and ${style}: … together`,
      });
  const { minimumFractionDigits: least = 0, maximumFractionDigits: most = 20 } = options;
  if (least > most)
    context.addIssue({
      code: 'custom',
      path: ['maximumFractionDigits'],
      message: 'is less than minimumFractionDigits',
    });
});

/** Options of `Intl.NumberFormat`, as a file writes them in full. */
export type FormatOptions = z.output<typeof formatOptionsSchema>;

/** Formats that a file names. */
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

/** How numbers are written: a name, or options of `Intl.NumberFormat`. */
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
    description: 'How numbers are written: a name, or options of Intl.NumberFormat.',
  });
