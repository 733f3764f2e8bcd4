import { datasetSchema, reportSchema } from '@portal-embed/report-model';
import { z } from 'zod';

import type { PlatformDescription } from '#platform';

import type { DatasetContent } from './content.ts';
import { roleRowsSchema } from './request.ts';

const datasetContentSchema = z.object({
  definition: datasetSchema,
  files: z.array(z.string()),
  columns: z.array(z.looseObject({ name: z.string(), type: z.string() })),
}) satisfies z.ZodType<unknown, { columns: object[] } & Omit<DatasetContent, 'columns'>>;

const check = (schema: z.ZodType) => (value: unknown) =>
  schema
    .safeParse(value)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

/** The platform whose reports content files and the administration define. */
export const builtin: PlatformDescription = {
  name: 'builtin',
  label: 'Portal Embed',
  reportType: 1,
  authored: true,
  catalogue: {
    checkReport: check(reportSchema),
    checkDataset: check(datasetContentSchema),
    checkRole: (_name, definition) => check(roleRowsSchema)(definition),
  },
};
