import type { AdminReport, ListedReport } from '#admin/requests';

import * as holders from '../access/holders.ts';
import { readRights, type Authoring } from '../catalogue/authoring.ts';
import {
  adminPageSize,
  type ReportDetails,
  type ReportListRow,
} from '../catalogue/managed-reports-store.ts';
import * as service from '../catalogue/managed-reports.ts';
import { getFilePath } from '../content/items.ts';
import type { ContentServices } from '../content/service.ts';
import { updateReport } from '../content/update-report.ts';
import { presentList } from '../db/query/paging.ts';
import type { Platforms } from '../platforms/registry.ts';
import type { AdminHandlers } from './mount.ts';

type Products = Pick<Platforms, 'productOf' | 'find'>;

export const reportAdminRoutes = (scope: ContentServices & { platforms: Products }) =>
  ({
    readRights: ({ ctx }) => readRights(ctx),
    findReports: async ({ ctx }, input) => {
      const { canCreate, canEdit, ...found } = await service.findReports(ctx, input);
      return {
        ...presentList({ pageSize: adminPageSize }, found, (row) =>
          presentListed(scope.platforms, row),
        ),
        canCreate,
        canEdit,
      };
    },
    readReport: async ({ ctx }, { reportId }) =>
      presentReport(scope.platforms, await service.findManagedReport(ctx, reportId)),
    updateReport: async ({ ctx, signal }, { reportId: id, ...input }) => {
      await updateReport(ctx, { ...scope, signal }, { ...input, id });
      return presentReport(scope.platforms, await service.findManagedReport(ctx, id));
    },
    listReportAccess: async ({ ctx }, input) => {
      const { groups, users } = await holders.listReportHolders(ctx, input);
      return { groups, users: presentList({ pageSize: adminPageSize }, users, (user) => user) };
    },
    changeReportAccess: async ({ ctx }, input) => {
      await holders.changeAccess(ctx, input);
      return {};
    },
    listReportRoles: async ({ ctx }, { reportId }) => holders.listReportRoles(ctx, reportId),
    changeRoleHolder: async ({ ctx }, input) => {
      await holders.changeRoleHolder(ctx, input);
      return {};
    },
    findHolders: async ({ ctx }, { search }) => ({
      holders: await holders.searchHolders(ctx, search),
    }),
  }) satisfies Partial<AdminHandlers>;

const presentListed = (platforms: Products, row: ReportListRow): ListedReport => ({
  id: row.id,
  name: row.name,
  product: platforms.productOf(row.platform),
  workspaceName: row.workspace_name,
  readers: row.readers,
  lastOpenedAt: row.last_opened?.toISOString() ?? null,
});

const presentReport = (
  platforms: Products,
  { report, authoring }: { report: ReportDetails; authoring: Authoring },
): AdminReport => ({
  ...presentListed(platforms, report),
  productUrl: platforms.find(report.platform)?.addressOf?.(report) ?? null,
  description: report.description,
  workspaceId: report.workspace_id,
  dataset: { id: report.dataset_id, name: report.dataset_name },
  file: report.slug === null ? null : getFilePath({ kind: 'report', slug: report.slug }),
  version: report.version,
  savedBy: report.author,
  savedFrom: report.origin,
  savedAt: report.saved_at?.toISOString() ?? null,
  isEdited: report.edited_at !== null,
  canEdit: authoring.canEdit && report.slug !== null,
  canCopy: authoring.canCreate && report.slug !== null,
});
