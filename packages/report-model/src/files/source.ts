import { z } from 'zod';

import { dateFormatSchema, nullsSchema, yearsFromSchema } from './file-options.ts';
import { slugSchema } from './names.ts';
import { exactlyOne, object } from './object.ts';
import { describePath, isWorkbook } from './paths.ts';
import { xlsxSchema, type XlsxOptions } from './xlsx.ts';

/** As authors write them. `utf-8-or-windows-1252` chooses for each line. */
export const encodings = [
  'utf-8',
  'utf-16',
  'latin-1',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'ibm850',
  'ibm866',
  'koi8-r',
  'shift_jis',
  'gb18030',
  'utf-8-or-windows-1252',
] as const;

export type Encoding = (typeof encodings)[number];

/** A file of more lines above its column names, or rows below its data, is not a table. */
const maxSkip = 1_000;

/** How a CSV file is read. */
export const csvSchema = object({
  delimiter: z
    .string()
    .length(1)
    .optional()
    .meta({ default: ',' })
    .describe('The character between two values.'),
  decimal: z
    .enum(['.', ','])
    .optional()
    .meta({ default: '.' })
    .describe(
      'The decimal separator. Write it if the numbers have two interpretations, as 1.234 has in a file without other numbers.',
    ),
  thousands: z
    .enum(['.', ',', ' ', "'"])
    .optional()
    .describe('The thousands separator. Default: none.'),
  date: dateFormatSchema
    .optional()
    .describe(
      'Date format with strptime placeholders, such as %d.%m.%Y. Times after it need no placeholders. A field can have a format of its own. Default: ISO 8601.',
    ),
  yearsFrom: yearsFromSchema
    .optional()
    .meta({ default: 1969 })
    .describe(
      'The first of the hundred years that two-digit years mean. With 1969, 68 is 2068 and 69 is 1969. With 1930, 30 is 1930.',
    ),
  nulls: nullsSchema
    .optional()
    .describe(
      'Texts that stand for a missing value, such as [NA, "-", "#N/A"]. They match a whole value, without the spaces around it.',
    ),
  header: z.boolean().default(true).describe('Whether the first row contains the column names.'),
  encoding: z
    .enum(encodings)
    .optional()
    .meta({ default: 'utf-8' })
    .describe(
      'utf-8-or-windows-1252 reads each line as UTF-8 if it is valid, and otherwise as windows-1252.',
    ),
  skip: z
    .int()
    .min(0)
    .max(maxSkip)
    .optional()
    .meta({ default: 0 })
    .describe('Number of lines above the column names, such as titles and empty lines.'),
  skipFooter: z
    .int()
    .min(0)
    .max(maxSkip)
    .optional()
    .describe(
      'Number of rows at the end that are not data, such as totals. Empty rows do not count. 0 confirms that the last rows are data.',
    ),
})
  .superRefine(({ decimal = '.', thousands, delimiter }, context) => {
    const refuse = (property: string, message: string) =>
      context.addIssue({ code: 'custom', path: [property], message });
    if (thousands === decimal)
      refuse('thousands', `decimal and thousands are both "${decimal}"; change one of them`);
    // Values in quotes can contain the delimiter, so an author may write both.
    if (delimiter === undefined && decimal === ',')
      refuse(
        'delimiter',
        'delimiter and decimal are both ","; change the delimiter, for example to ";"',
      );
  })
  .transform(({ delimiter = ',', ...rest }) => ({ ...rest, delimiter }));

/** `decimal`, `encoding`, `skip` and `skipFooter` are absent until the author has chosen them. */
export type CsvOptions = z.output<typeof csvSchema>;

const pathSchema = (property: 'file' | 'files') =>
  z
    .string()
    .min(1)
    .max(500)
    .superRefine((path, context) => {
      const message = describePath(path, property);
      if (message) context.addIssue({ code: 'custom', message });
    });

/** One data file or several. Paths are relative to the organization's data folder. */
export type FileDatasetSource = {
  csv?: CsvOptions | undefined;
  xlsx?: XlsxOptions | undefined;
} & ({ file: string } | { files: string });

/** A table or one SELECT of a database. */
export type ConnectionDatasetSource = { connection: string; freshness?: string | undefined } & (
  | { table: string }
  | { sql: string }
);

/** Where the rows are. */
export type DatasetSource = FileDatasetSource | ConnectionDatasetSource;

const tableSchema = z
  .string()
  .min(1)
  .max(200)
  .superRefine((table, context) => {
    const parts = table.split('.');
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    if (/[\p{Cc}\p{Cs}]/u.test(table)) refuse('the name has a character that is not allowed');
    else if (/["`]/.test(table)) refuse('names are exact; write the table without quotes');
    else if (parts.length > 3 || parts.includes(''))
      refuse('write a table as NAME or SCHEMA.NAME; for other names, write sql');
  });

const sqlSchema = z
  .string()
  .min(1)
  .max(20_000)
  .refine((text) => !text.includes('\0'), 'the SELECT has a character that is not allowed')
  .refine((text) => !/;\s*$/.test(text), 'remove the semicolon at the end');

const freshnessSchema = z
  .string()
  .regex(/^\d{1,4} (second|minute|hour|day)s?$/, 'write a time such as 5 minutes or 1 hour');

/** Properties of a source in a database only. */
const ofConnections = ['table', 'sql', 'freshness'] as const;

export const sourceSchema = object({
  file: pathSchema('file')
    .optional()
    .describe('Path of one CSV file, workbook (.xlsx) or Parquet file in the data folder.'),
  files: pathSchema('files')
    .optional()
    .describe('A pattern with * and ?, such as sales/*.parquet. The files are read as one table.'),
  csv: csvSchema.optional().describe('How CSV files are read.'),
  xlsx: xlsxSchema.optional().describe('How workbooks are read.'),
  connection: slugSchema
    .optional()
    .describe('A database that the operator of the portal has connected and granted.'),
  table: tableSchema
    .optional()
    .describe('A table or view of the connection, such as public.orders.'),
  sql: sqlSchema.optional().describe('One SELECT, whose columns are the fields.'),
  freshness: freshnessSchema
    .optional()
    .describe('How old an answer may be, such as 5 minutes or 0 seconds. Default: 1 minute.'),
})
  .superRefine(exactlyOne(['file', 'files', 'connection'], 'a source'))
  .superRefine((source, context) => {
    const { file = '', files = file, csv, xlsx, connection } = source;
    const refuse = (property: string, message: string) =>
      context.addIssue({ code: 'custom', path: [property], message });
    if (csv && isWorkbook(files))
      refuse('csv', 'csv is only for CSV files; write the options of a workbook under xlsx');
    else if (csv && (connection !== undefined || files.toLowerCase().endsWith('.parquet')))
      refuse('csv', 'csv is only for CSV files; remove it');
    if (xlsx && (connection !== undefined || (files !== '' && !isWorkbook(files))))
      refuse('xlsx', 'xlsx is only for workbooks; remove it');
    // Another rule refuses none and several sources.
    if ((connection === undefined) === (files === '')) return;
    if (connection !== undefined) {
      exactlyOne(['table', 'sql'], 'a connection')(source, context);
      return;
    }
    for (const property of ofConnections)
      if (source[property] !== undefined)
        refuse(property, `${property} needs a connection; write connection: NAME`);
  })
  .meta({
    oneOf: [
      { required: ['file'] },
      { required: ['files'] },
      { required: ['connection', 'table'] },
      { required: ['connection', 'sql'] },
    ],
    dependentRequired: Object.fromEntries(ofConnections.map((name) => [name, ['connection']])),
  }) as unknown as z.ZodType<DatasetSource>;
