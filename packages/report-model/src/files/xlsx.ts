import { z } from 'zod';

import { dateFormatSchema, nullsSchema, yearsFromSchema } from './file-options.ts';
import { object } from './object.ts';

/** A sheet of more rows above its column names, or below its data, is not a table. */
const maxSkip = 1_000;

/** How a workbook of Excel is read. Numbers and dates have their types; the others are texts. */
export const xlsxSchema = object({
  sheet: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Name of the sheet. Default: the first one that is not hidden and has values.'),
  header: z.boolean().default(true).describe('Whether the first row contains the column names.'),
  skip: z
    .int()
    .min(0)
    .max(maxSkip)
    .optional()
    .meta({ default: 0 })
    .describe(
      'Number of rows of the sheet above the column names: 3 if they are in row 4. Empty rows need not be counted.',
    ),
  skipFooter: z
    .int()
    .min(0)
    .max(maxSkip)
    .optional()
    .describe(
      'Number of rows at the end that are not data, such as totals. Empty rows do not count. 0 confirms that the last rows are data.',
    ),
  decimal: z
    .enum(['.', ','])
    .optional()
    .meta({ default: '.' })
    .describe('The decimal separator of numbers that are written as text.'),
  thousands: z
    .enum(['.', ',', ' ', "'"])
    .optional()
    .describe('The thousands separator of numbers that are written as text. Default: none.'),
  date: dateFormatSchema
    .optional()
    .describe(
      'Format of dates that are written as text, with strptime placeholders, such as %d.%m.%Y.',
    ),
  yearsFrom: yearsFromSchema
    .optional()
    .meta({ default: 1969 })
    .describe(
      'The first of the hundred years that two-digit years in texts mean. With 1969, 68 is 2068.',
    ),
  nulls: nullsSchema
    .optional()
    .describe('Texts that stand for a missing value, such as [NA, "-"]. They match a whole cell.'),
}).superRefine(({ decimal = '.', thousands }, context) => {
  if (thousands === decimal)
    context.addIssue({
      code: 'custom',
      path: ['thousands'],
      message: `decimal and thousands are both "${decimal}"; change one of them`,
    });
});

export type XlsxOptions = z.output<typeof xlsxSchema>;
