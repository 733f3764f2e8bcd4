import { idSchema } from '@portal-embed/contract';
import type { FieldType, Key } from '@portal-embed/report-model';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { line, type Named } from './lists.ts';

export interface ListedDataset extends Named {
  /** Number of reports that use it. */
  reports: number;
  /** Number of roles that limit its rows; 0: everyone who may open a report of it sees all. */
  roles: number;
  /** Files or a connection; `null` if a program imported the dataset. */
  source: string | null;
  /** Whether reports can be made from it on the pages. */
  isDefined: boolean;
}

export interface DatasetField {
  name: string;
  type: FieldType;
  /** How it is computed; `null` for a column of the source. */
  expression: string | null;
}

export interface AdminDataset extends Omit<ListedDataset, 'reports' | 'roles'> {
  description: string | null;
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
  roles: (Named & { users: number; groups: number })[] | null;
}

/** Rows to look at. */
export interface Sample {
  columns: string[];
  rows: Key[][];
  rowCount: number;
  /** Latest value of the dataset's time. */
  dataAsOf: string | null;
}

/** A data file that was sent, before a dataset is made of it. */
export interface UploadedFile {
  uploadId: string;
  /** Proposed name of the dataset and its report. */
  name: string;
  columns: { name: string; type: FieldType }[];
  sample: Sample;
  /** Likely mistakes, each with advice. */
  hints: string[];
}

/** Largest data file that the pages accept, in bytes. */
export const maxUploadBytes = 256 * 1024 * 1024;

const datasets = '/organizations/{organizationId}/datasets';
const uploads = '/organizations/{organizationId}/uploads';

export const datasetEndpoints = {
  findDatasets: { method: 'GET', path: datasets, access: 'signed-in' },
  readDataset: { method: 'GET', path: `${datasets}/{datasetId}`, access: 'signed-in' },
  readSample: {
    method: 'GET',
    path: `${datasets}/{datasetId}/sample`,
    access: 'signed-in',
    query: z.strictObject({ asUserId: idSchema.optional() }),
  },
  uploadDataFile: {
    method: 'POST',
    path: uploads,
    access: 'administrator',
    isUpload: true,
    query: z.strictObject({ fileName: line(200) }),
  },
  importDataFile: {
    method: 'POST',
    path: `${uploads}/{uploadId}`,
    access: 'administrator',
    body: z.strictObject({
      name: line(100),
      workspace: line(200),
    }),
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface DatasetAnswers {
  findDatasets: { datasets: ListedDataset[] };
  readDataset: AdminDataset;
  readSample: Sample;
  uploadDataFile: UploadedFile;
  /** `reportId`: `null` for a table in which roles look up values. */
  importDataFile: { datasetId: string; reportId: string | null };
}
