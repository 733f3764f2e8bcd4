import { idSchema, storableText } from '@portal-embed/contract';
import type {
  FieldType,
  FieldValues,
  FileQuestion,
  FormatOptions,
  Key,
  TileFailure,
  Value,
} from '@portal-embed/report-model';
import { z } from 'zod';

import { definitionBodyLimit, definitionText, type DefinitionMistake } from './definitions.ts';
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
  /** ISO 4217 code of its format; `null` if it has none. */
  currency: string | null;
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
  /** Names of three of its groups and users, groups first. */
  firstHolders: string[];
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

/** A metric of a text that is not saved, over all rows of today. */
export interface TriedMetric {
  name: string;
  /** `null` if there is no value. */
  value: Value;
  /** `null` if it could not be computed. */
  format: FormatOptions | null;
  failure: TileFailure['code'] | null;
}

/** Users tried at once, and metrics. */
export const maxTriedUsers = 10;
export const maxTriedMetrics = 60;

/** Who would see how many rows by a role of a text that is not saved. */
export interface RoleTrial {
  mistakes: DefinitionMistake[];
  /** Rows of the dataset; `null` if the text has a mistake. */
  rowCount: number | null;
  readers: {
    id: string;
    name: string;
    /** Whether the user has the role of this name. */
    holdsRole: boolean;
    /** Rows that the role alone would give to the user. */
    roleRows: number;
    /** Rows that the user would see after the text is saved, by all roles that they have. */
    rows: number;
  }[];
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
  tryMetrics: {
    method: 'POST',
    path: `${datasets}/{datasetId}/metric-trials`,
    access: 'administrator',
    isAuthoring: true,
    body: z.strictObject({
      text: definitionText,
      metrics: z.array(storableText(250)).max(maxTriedMetrics),
    }),
    bodyLimit: definitionBodyLimit,
  },
  tryRole: {
    method: 'POST',
    path: `${datasets}/{datasetId}/role-trials`,
    access: 'administrator',
    isAuthoring: true,
    body: z.strictObject({
      text: definitionText,
      role: storableText(250),
      userIds: z.array(idSchema).max(maxTriedUsers),
    }),
    bodyLimit: definitionBodyLimit,
  },
  /** The most frequent values of a field, or those that contain a text. */
  findFieldValues: {
    method: 'GET',
    path: `${datasets}/{datasetId}/values`,
    access: 'administrator',
    isAuthoring: true,
    query: z.strictObject({
      field: storableText(250).min(1),
      search: storableText(200).default(''),
    }),
  },
  /** The fields of a dataset in which a role can look up values, by its slug. */
  findLookUpFields: {
    method: 'GET',
    path: '/organizations/{organizationId}/look-up-fields',
    access: 'administrator',
    isAuthoring: true,
    query: z.strictObject({ dataset: storableText(250).min(1) }),
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
  tryMetrics: { mistakes: DefinitionMistake[]; metrics: TriedMetric[] };
  tryRole: RoleTrial;
  findFieldValues: FieldValues;
  findLookUpFields: { fields: Omit<DatasetField, 'expression' | 'currency'>[] };
  changeDatasetWorkspace: object;
}
