import { idSchema } from '@portal-embed/contract';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { line, listQuery, type AdminList, type Named } from './lists.ts';

/** Datasets and reports that are arranged at once. */
export const maxItems = 100;

/** A dataset or report. */
export interface ItemKey {
  kind: 'dataset' | 'report';
  id: string;
}

/** An item after the change. */
export type ArrangedItem = ItemKey & Named;

/** An item that stayed as it was, and why. */
export interface FailedItem extends ItemKey {
  detail: string;
}

/** What happened to each item. Some may have failed. */
export interface ArrangedItems {
  done: ArrangedItem[];
  failed: FailedItem[];
}

export interface ArchivedItem extends ArrangedItem {
  /** `null` for a dataset. */
  workspaceName: string | null;
  archivedAt: string;
  /**
   * E-mail of a user, or name of an operator or key; `null` if it is not known, or if the item has gone
   * from its product.
   */
  archivedBy: string | null;
  /** `product`: its product has it no longer, or is no longer connected. */
  archivedFrom: 'files' | 'pages' | 'product' | null;
  /** The product in which it is written; `null` if it is written here. */
  product: string | null;
  /** Whether it can be restored without a content file. */
  isDefined: boolean;
}

/** What is deleted with archived items. */
export interface Deletion {
  items: (ArrangedItem & {
    /** Path in a content folder, whose next apply creates the item again. */
    file: string | null;
    /** Users and groups with a link to a report, or with a role of a dataset. */
    users: number;
    groups: number;
    /** Names of a dataset's roles. */
    roles: string[];
    /** Names of a dataset's archived reports that are not among the items. They must be deleted, too. */
    reports: string[];
  })[];
  /** Names of data files that no other dataset reads. */
  files: string[];
  /** Bytes of these files and of their stored versions. */
  bytes: number;
}

const key = z.strictObject({ kind: z.enum(['dataset', 'report']), id: idSchema });
const items = z.array(key).min(1).max(maxItems);
const ids = z.array(idSchema).max(maxItems);

const path = '/organizations/{organizationId}/items';

/** Escapes make names longer in JSON. */
const bodyLimit = 200_000;

const shared = { method: 'POST', access: 'signed-in', isAuthoring: true } as const;

export const itemEndpoints = {
  duplicateItems: { ...shared, path: `${path}/duplicate`, body: z.strictObject({ items }) },
  renameItems: {
    ...shared,
    path: `${path}/rename`,
    body: z.strictObject({
      items: z
        .array(key.extend({ name: line(200) }))
        .min(1)
        .max(maxItems),
    }),
    bodyLimit,
  },
  moveReports: {
    ...shared,
    path: `${path}/move`,
    body: z.strictObject({ reportIds: ids.min(1), workspace: line(100) }),
  },
  archiveItems: {
    ...shared,
    path: `${path}/archive`,
    body: z.strictObject({
      items,
      /** Reports that may be archived with their dataset. */
      reportIds: z.array(idSchema).max(1_000).optional(),
    }),
  },
  restoreItems: { ...shared, path: `${path}/restore`, body: z.strictObject({ items }) },
  findArchived: {
    method: 'GET',
    path: '/organizations/{organizationId}/archive',
    access: 'signed-in',
    query: z.strictObject(listQuery),
  },
  /** The reports that use datasets, and that are archived with them. */
  findReportsOfDatasets: {
    method: 'POST',
    path: `${path}/reports`,
    access: 'administrator',
    body: z.strictObject({ datasetIds: ids.min(1) }),
  },
  describeDeletion: {
    method: 'POST',
    path: `${path}/deletion`,
    access: 'administrator',
    body: z.strictObject({ items }),
  },
  deleteItems: {
    method: 'POST',
    path: `${path}/delete`,
    access: 'administrator',
    body: z.strictObject({ items }),
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface ItemAnswers {
  duplicateItems: ArrangedItems;
  renameItems: ArrangedItems;
  moveReports: ArrangedItems;
  archiveItems: ArrangedItems;
  restoreItems: ArrangedItems;
  findArchived: AdminList<ArchivedItem> & { canRestore: boolean };
  findReportsOfDatasets: { reports: Named[] };
  describeDeletion: Deletion;
  deleteItems: ArrangedItems;
}
