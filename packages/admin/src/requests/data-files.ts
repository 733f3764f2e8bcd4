import type { ChangedData } from '@portal-embed/contract';
import type { FieldType, Question } from '@portal-embed/report-model';
import { z } from 'zod';

import type { Sample } from './datasets.ts';
import type { AdminEndpoint } from './endpoint.ts';
import { line, type Named } from './lists.ts';

export type { ChangedData, DataChange } from '@portal-embed/contract';

/** How a data file is read, as its dataset says it. The service checks the options. */
const optionsSchema = z.record(line(50), z.unknown()).optional();

const readingSchema = z.strictObject({
  csv: optionsSchema,
  /** Of a workbook. */
  xlsx: optionsSchema,
  /** What is written on fields, by column. */
  fields: z.record(z.string().max(500), z.record(line(50), z.unknown())).optional(),
});
export type FileReading = z.output<typeof readingSchema>;

/** As JSON in a query. */
const readingText = z
  .string()
  .max(10_000)
  .transform((text, context): FileReading => {
    try {
      return readingSchema.parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON with csv, xlsx or fields' });
      return z.NEVER;
    }
  })
  .optional();

/** An uploaded data file that is not a dataset yet. */
export interface UploadedFile {
  uploadId: string;
  /** Proposed name of the dataset and its report. */
  name: string;
  columns: { name: string; type: FieldType }[];
  sample: Sample;
  /** Likely mistakes, each with advice. */
  hints: string[];
  /** How it is read, with the options that were found. */
  reading: FileReading;
  /** What the file leaves open. The import needs the options of one interpretation of each. */
  questions: Question[];
  /** Datasets with the same content or name, those with the same content first. */
  existing: ExistingDataset[];
}

/** A dataset that an uploaded file may belong to. */
export interface ExistingDataset extends Named {
  /** Path in a content folder. */
  file: string;
  /** Whether its data file has the same bytes. */
  isSame: boolean;
}

/** What a new file would change. */
export interface NewData extends ChangedData {
  uploadId: string;
  /** The version of the dataset that is compared. */
  version: number;
  /** Why the change is not possible. */
  mistakes: { file: string; line: number; column: number; message: string }[];
  /** Why the change needs a confirmation. */
  doubts: { reason: 'same_file' | 'repeated_key' | 'missing_columns'; message: string }[];
  /** What the new file leaves open. */
  questions: Question[];
}

/** Maximum size of an uploaded data file, in bytes. */
export const maxUploadBytes = 256 * 1024 * 1024;

const uploads = '/organizations/{organizationId}/uploads';
const data = '/organizations/{organizationId}/datasets/{datasetId}/data';

/** What happens to the data of a dataset. */
const changeSchema = z.strictObject({
  mode: z.enum(['replace', 'append']),
  /** The file that is replaced. Default: the only one, or the one of the same name. */
  target: line(500).optional(),
});

const shared = { access: 'administrator', isAuthoring: true, hasProgress: true } as const;

export const dataFileEndpoints = {
  uploadDataFile: {
    ...shared,
    method: 'POST',
    path: uploads,
    isUpload: true,
    query: z.strictObject({ fileName: line(200), reading: readingText }),
  },
  describeUpload: {
    ...shared,
    method: 'POST',
    path: `${uploads}/{uploadId}/description`,
    body: readingSchema,
  },
  importDataFile: {
    ...shared,
    method: 'POST',
    path: `${uploads}/{uploadId}`,
    body: readingSchema.extend({ name: line(100), workspace: line(200) }),
  },
  removeUpload: { method: 'DELETE', path: `${uploads}/{uploadId}`, access: 'administrator' },
  uploadNewData: {
    ...shared,
    method: 'POST',
    path: data,
    isUpload: true,
    query: changeSchema.extend({ fileName: line(200) }),
  },
  compareNewData: {
    ...shared,
    method: 'POST',
    path: `${data}/{uploadId}`,
    body: changeSchema.extend(readingSchema.shape),
  },
  changeData: {
    ...shared,
    method: 'PUT',
    path: `${data}/{uploadId}`,
    body: changeSchema.extend(readingSchema.shape).extend({
      /** That of the comparison. */
      version: z.int(),
      /** Whether its doubts are confirmed. */
      isConfirmed: z.boolean().optional(),
    }),
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. */
export interface DataFileAnswers {
  uploadDataFile: UploadedFile;
  describeUpload: UploadedFile;
  /** `reportId`: `null` for a table in which roles look up values. */
  importDataFile: { datasetId: string; reportId: string | null };
  removeUpload: object;
  uploadNewData: NewData;
  compareNewData: NewData;
  changeData: ChangedData;
}
