import { idSchema } from '@portal-embed/contract';
import type { Encoding, FieldType, FileQuestion, Key, Question } from '@portal-embed/report-model';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { line, type Named } from './lists.ts';

export type {
  FileQuestion,
  Interpretation,
  Question,
  ReadColumn,
} from '@portal-embed/report-model';

export interface ListedDataset extends Named {
  /** Number of reports that use it. */
  reports: number;
  /** Number of roles that limit its rows. With 0, every reader of its reports sees all rows. */
  roles: number;
  /** Files, a connection, or another product. */
  source: string;
  /** The product to which the dataset belongs; `null` if it is written here. */
  product: string | null;
}

export interface DatasetField {
  name: string;
  type: FieldType;
  /** How it is computed; `null` for a column of the source. */
  expression: string | null;
}

export interface AdminDataset extends Omit<ListedDataset, 'reports' | 'roles'> {
  description: string | null;
  /** Path in a content folder; `null` if the dataset is not written here. */
  file: string | null;
  rowAccess: 'by-role' | 'everyone';
  version: number;
  savedBy: string | null;
  savedFrom: 'files' | 'pages' | null;
  savedAt: string | null;
  isEdited: boolean;
  fields: DatasetField[];
  metrics: { name: string; expression: string }[];
  reports: Named[];
  /** Only for administrators; `null` for others. */
  roles: DatasetRole[] | null;
  /** What its files leave open, until its definition chooses; as `roles`. */
  questions: FileQuestion[] | null;
  /** Only for administrators; `null` for others. */
  workspaces: DatasetWorkspace[] | null;
}

export interface DatasetRole extends Named {
  users: number;
  groups: number;
  /** The field of type `number` that the role compares, so that it gives no rows. */
  roundedField: string | null;
}

/** A workspace whose contributors (role 4) may use a dataset. */
export interface DatasetWorkspace extends Named {
  /** Whether an administrator has opened the dataset to it. */
  isOpened: boolean;
  /** Reports of the dataset in the workspace. Its contributors may use the dataset if there are any. */
  reports: number;
}

/** A sample of the rows. */
export interface Sample {
  columns: string[];
  /** `null` if they could not be computed, for example because they need too much memory. */
  rows: Key[][] | null;
  rowCount: number;
  /** Latest value of the dataset's time. */
  dataAsOf: string | null;
}

/** Encodings of CSV files. */
export const encodings = [
  'utf-8',
  'utf-16',
  'latin-1',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'iso-8859-15',
  'macintosh',
  'ibm866',
  'koi8-r',
  'shift_jis',
  'gb18030',
  'utf-8-or-windows-1252',
] as const satisfies readonly Encoding[];

/** How a CSV file is read, as in its dataset. */
const csvAnswerSchema = z.strictObject({
  decimal: z.enum(['.', ',']).optional(),
  thousands: z.enum(['.', ',', ' ', "'"]).optional(),
  date: line(50).optional(),
  yearsFrom: z.int().min(1901).max(2000).optional(),
  nulls: z.array(line(100)).max(100).optional(),
  delimiter: z.string().length(1).optional(),
  encoding: z.enum(encodings).optional(),
  skip: z.int().min(0).max(1_000).optional(),
  skipFooter: z.int().min(0).max(1_000).optional(),
});

/** How one column is read, as its field in the dataset. */
const fieldAnswerSchema = z.strictObject({
  type: z.enum(['text', 'number', 'integer', 'decimal', 'date', 'datetime', 'boolean']).optional(),
  date: line(50).optional(),
  yearsFrom: z.int().min(1901).max(2000).optional(),
  format: z
    .object({
      style: z.literal('currency'),
      notation: z.literal('standard').default('standard'),
      currency: z.string().regex(/^[A-Z]{3}$/),
    })
    .optional(),
});

/** An uploaded data file that is not a dataset yet. */
export interface UploadedFile {
  uploadId: string;
  /** Proposed name of the dataset and its report. */
  name: string;
  columns: { name: string; type: FieldType }[];
  sample: Sample;
  /** Likely mistakes, each with advice. */
  hints: string[];
  /** What the file leaves open. The import needs the options of one interpretation of each. */
  questions: Question[];
}

/** Maximum size of an uploaded data file, in bytes. */
export const maxUploadBytes = 256 * 1024 * 1024;

const datasets = '/organizations/{organizationId}/datasets';
const uploads = '/organizations/{organizationId}/uploads';

export const datasetEndpoints = {
  findDatasets: { method: 'GET', path: datasets, access: 'signed-in' },
  readDataset: {
    method: 'GET',
    path: `${datasets}/{datasetId}`,
    access: 'signed-in',
    isAuthoring: true,
  },
  readSample: {
    method: 'GET',
    path: `${datasets}/{datasetId}/sample`,
    access: 'signed-in',
    isAuthoring: true,
    query: z.strictObject({ asUserId: idSchema.optional() }),
  },
  changeDatasetWorkspace: {
    method: 'PUT',
    path: `${datasets}/{datasetId}/workspaces`,
    access: 'administrator',
    body: z.strictObject({ workspaceId: idSchema, isOpened: z.boolean() }),
  },
  uploadDataFile: {
    method: 'POST',
    path: uploads,
    access: 'administrator',
    isAuthoring: true,
    isUpload: true,
    query: z.strictObject({ fileName: line(200) }),
  },
  importDataFile: {
    method: 'POST',
    path: `${uploads}/{uploadId}`,
    access: 'administrator',
    isAuthoring: true,
    body: z.strictObject({
      name: line(100),
      workspace: line(200),
      csv: csvAnswerSchema.optional(),
      /** By column. */
      fields: z.record(z.string().max(1_000), fieldAnswerSchema).optional(),
    }),
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface DatasetAnswers {
  findDatasets: { datasets: ListedDataset[] };
  readDataset: AdminDataset;
  readSample: Sample;
  changeDatasetWorkspace: object;
  uploadDataFile: UploadedFile;
  /** `reportId`: `null` for a table in which roles look up values. */
  importDataFile: { datasetId: string; reportId: string | null };
}
