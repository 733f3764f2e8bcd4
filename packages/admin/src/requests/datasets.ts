import { idSchema } from '@portal-embed/contract';
import type { FieldType, FileQuestion, Key } from '@portal-embed/report-model';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import type { Named } from './lists.ts';

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
  /** Only for administrators with data in files; `null` for others. */
  dataFiles: DataFiles | null;
  /** Only for administrators; `null` for others. */
  workspaces: DatasetWorkspace[] | null;
}

/** The files of a dataset. */
export interface DataFiles {
  /** Names in the organization's data folder. */
  names: string[];
  /** Whether they match a pattern, so that a further file joins them. */
  isPattern: boolean;
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

const datasets = '/organizations/{organizationId}/datasets';

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
  findUnreadableTexts: {
    method: 'GET',
    path: `${datasets}/{datasetId}/unreadable-texts`,
    access: 'administrator',
    isAuthoring: true,
  },
  changeDatasetWorkspace: {
    method: 'PUT',
    path: `${datasets}/{datasetId}/workspaces`,
    access: 'administrator',
    body: z.strictObject({ workspaceId: idSchema, isOpened: z.boolean() }),
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface DatasetAnswers {
  findDatasets: { datasets: ListedDataset[] };
  readDataset: AdminDataset;
  readSample: Sample;
  /**
   * `texts`: a sentence for each field that reads texts as another type and cannot read some of them;
   * `null` if the rows could not be read.
   */
  findUnreadableTexts: { texts: string[] | null };
  changeDatasetWorkspace: object;
}
