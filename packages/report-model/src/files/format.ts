import { z } from 'zod';

const fractionDigits = z.int().min(0).max(20);

const formatOptionsSchema = z
  .strictObject({
    style: z.enum(['decimal', 'percent', 'currency', 'unit']).default('decimal'),
    /** ISO 4217 code, such as `USD`; required by the style `currency`. */
    currency: z.string().optional(),
    /** A unit of `Intl.NumberFormat`, such as `kilometer-per-hour`; required by the style `unit`. */
    unit: z.string().optional(),
    notation: z.enum(['standard', 'compact']).default('standard'),
    minimumFractionDigits: fractionDigits.optional(),
    maximumFractionDigits: fractionDigits.optional(),
    signDisplay: z.enum(['auto', 'always', 'exceptZero', 'never']).optional(),
  })
  .superRefine((options, context) => {
    try {
      new Intl.NumberFormat('en', options);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });

/** Options of `Intl.NumberFormat`, as a file writes them in full. */
export type FormatOptions = z.output<typeof formatOptionsSchema>;

const named = {
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
  .union([z.enum(Object.keys(named) as (keyof typeof named)[]), formatOptionsSchema])
  .transform((format): FormatOptions => (typeof format === 'string' ? named[format] : format));
