import type { ArchivedItem } from '#admin/requests';

import { findArchived, type ArchivedRow } from '../catalogue/archived.ts';
import { adminPageSize } from '../catalogue/managed-reports-store.ts';
import { archiveItems, findReportsOfDatasets, restoreItems } from '../content/archive-items.ts';
import { duplicateItems, moveReports, renameItems } from '../content/arrange-items.ts';
import { deleteItems, describeDeletion } from '../content/delete-items.ts';
import type { ContentServices } from '../content/service.ts';
import { presentList } from '../db/query/paging.ts';
import type { Platforms } from '../platforms/registry.ts';
import type { AdminHandlers } from './mount.ts';

export const itemAdminRoutes = (scope: ContentServices, platforms: Pick<Platforms, 'productOf'>) =>
  ({
    duplicateItems: async ({ ctx, signal }, input) =>
      duplicateItems(ctx, { ...scope, signal }, input),
    renameItems: async ({ ctx, signal }, input) => renameItems(ctx, { ...scope, signal }, input),
    moveReports: async ({ ctx, signal }, input) => moveReports(ctx, { ...scope, signal }, input),
    archiveItems: async ({ ctx, signal }, input) => archiveItems(ctx, { ...scope, signal }, input),
    restoreItems: async ({ ctx, signal }, input) => restoreItems(ctx, { ...scope, signal }, input),
    findArchived: async ({ ctx }, input) => {
      const { canRestore, ...found } = await findArchived(ctx, input);
      return {
        ...presentList({ pageSize: adminPageSize }, found, (row) =>
          presentArchived(row, platforms),
        ),
        canRestore,
      };
    },
    findReportsOfDatasets: async ({ ctx }, input) => ({
      reports: await findReportsOfDatasets(ctx, input),
    }),
    describeDeletion: async ({ ctx, signal }, input) =>
      describeDeletion(ctx, { ...scope, signal }, input),
    deleteItems: async ({ ctx, signal }, input) => deleteItems(ctx, { ...scope, signal }, input),
  }) satisfies Partial<AdminHandlers>;

const presentArchived = (
  { archivedAt, platform, ...row }: ArchivedRow,
  platforms: Pick<Platforms, 'productOf'>,
): ArchivedItem => ({
  ...row,
  product: platform === null ? null : platforms.productOf(platform),
  archivedAt: archivedAt.toISOString(),
});
