import { idSchema, storableText } from '@portal-embed/contract';
import type { FieldType } from '@portal-embed/report-model';
import { z } from 'zod';

import type { FieldValues, ReportView } from '#viewer/requests';

import type { AdminEndpoint } from './endpoint.ts';
import { line } from './lists.ts';

/** A mistake in a definition. Line and column count from 1. */
export interface DefinitionMistake {
  line: number;
  column: number;
  message: string;
  /** The file with the mistake, if it is another one. */
  file?: string;
}

/** The text of a report or a dataset, as a content folder has it. */
export interface Definition {
  text: string;
  version: number;
  /** Names for completion in the editor: those of the report's dataset, or of the dataset itself. */
  names: DefinitionNames;
}

export interface DefinitionNames {
  fields: string[];
  metrics: string[];
  datasets: string[];
  /** Types of the fields, in the same order. */
  types: FieldType[];
  /** Whether the dataset has a time, which comparisons and sparklines need. */
  hasTime: boolean;
}

export interface DefinitionVersion {
  version: number;
  savedAt: string;
  savedBy: string | null;
  savedFrom: 'files' | 'pages' | null;
}

/** Bytes of a definition are limited by the content service; escapes make its JSON longer. */
export const definitionBodyLimit = 600_000;

export const definitionText = z.string().max(256_000);
const version = z.int().min(0);

const item = '/organizations/{organizationId}/definitions/{kind}/{itemId}';

/** The reader as whom a preview is computed. Default: the caller. */
const readerFields = { asUserId: idSchema.optional() };
const previewFields = {
  text: definitionText,
  ...readerFields,
  page: z.int().min(0).max(1_000).optional(),
  /** Checked by the service of the viewer. */
  view: z.unknown().optional(),
};

export const definitionEndpoints = {
  readDefinition: { method: 'GET', path: item, access: 'signed-in', isAuthoring: true },
  saveDefinition: {
    method: 'PUT',
    path: item,
    access: 'signed-in',
    isAuthoring: true,
    body: z.strictObject({ text: definitionText, version }),
    bodyLimit: definitionBodyLimit,
  },
  checkDefinition: {
    method: 'POST',
    path: `${item}/check`,
    access: 'signed-in',
    isAuthoring: true,
    body: z.strictObject({ text: definitionText }),
    bodyLimit: definitionBodyLimit,
  },
  listDefinitionVersions: { method: 'GET', path: `${item}/versions`, access: 'signed-in' },
  readDefinitionVersion: {
    method: 'GET',
    path: `${item}/versions/{version}`,
    access: 'signed-in',
  },
  previewReport: {
    method: 'POST',
    path: '/organizations/{organizationId}/reports/{reportId}/preview',
    access: 'signed-in',
    isAuthoring: true,
    body: z.strictObject(previewFields),
    bodyLimit: definitionBodyLimit,
  },
  previewValues: {
    method: 'POST',
    path: '/organizations/{organizationId}/reports/{reportId}/preview/values',
    access: 'signed-in',
    isAuthoring: true,
    body: z.strictObject({
      ...previewFields,
      field: storableText(250).min(1),
      search: storableText(200).optional(),
    }),
    bodyLimit: definitionBodyLimit,
  },
  createReport: {
    method: 'POST',
    path: '/organizations/{organizationId}/reports',
    access: 'signed-in',
    isAuthoring: true,
    body: z.strictObject({
      name: line(200),
      workspace: line(200),
      datasetId: idSchema,
    }),
  },
  importReportFile: {
    method: 'POST',
    path: '/organizations/{organizationId}/report-files',
    access: 'signed-in',
    isAuthoring: true,
    body: z.strictObject({
      /** `sales.yaml` becomes or replaces `reports/sales.yaml`. */
      fileName: line(200),
      text: definitionText,
      /** Whether to replace the report of this file. */
      replaces: z.boolean(),
    }),
    bodyLimit: definitionBodyLimit,
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface DefinitionAnswers {
  readDefinition: Definition;
  saveDefinition: { version: number };
  checkDefinition: { mistakes: DefinitionMistake[]; names: DefinitionNames };
  listDefinitionVersions: { versions: DefinitionVersion[] };
  readDefinitionVersion: { text: string };
  previewReport: ReportView;
  previewValues: FieldValues;
  createReport: { id: string };
  importReportFile: { id: string };
}
