import type {
  AdminOrganization,
  AppearanceSettings,
  EmbeddingSettings,
  OrganizationSettings,
} from '#admin/requests';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { logoPath } from '../organizations/logo-path.ts';
import { readOverview } from '../organizations/overview.ts';
import {
  changeAppearance,
  changeSettings,
  findOrigins,
  setOrigins,
} from '../organizations/service.ts';
import { findById, listOrganizations, type OrganizationRow } from '../organizations/store.ts';
import type { Languages } from '../pages/languages.ts';
import type { ReportTimes } from '../platforms/report-times.ts';
import { requireFresh } from '../sign-in/admin-session.ts';
import type { AdminHandlers } from './mount.ts';

/**
 * @param languages the texts of the viewer
 * @param reportTimes how long the reports of this instance take
 */
export const organizationAdminRoutes = (languages: Languages, reportTimes: ReportTimes) =>
  ({
    listOrganizations: async ({ hotPathDb }) => ({
      organizations: (await listOrganizations(hotPathDb)).map(presentOrganization),
    }),
    readOrganization: async ({ ctx }) => presentOrganization(await readRow(ctx)),
    readOverview: ({ ctx }) => readOverview(ctx, reportTimes),
    readSettings: async ({ ctx }) => {
      requireAdministrator(ctx);
      return presentSettings(await readRow(ctx), languages);
    },
    changeSettings: async ({ ctx }, settings) =>
      presentSettings(await changeSettings(ctx, settings), languages),
    readAppearance: async ({ ctx }) => {
      requireAdministrator(ctx);
      return presentAppearance(await readRow(ctx));
    },
    changeAppearance: async ({ ctx }, { accentColor, look, logo }) =>
      presentAppearance(
        await changeAppearance(ctx, {
          accentColor,
          look,
          logo: typeof logo === 'string' ? Buffer.from(logo, 'base64') : logo,
        }),
      ),
    readEmbedding: ({ ctx }) => readEmbedding(ctx),
    changeEmbedOrigins: async ({ ctx, session }, { embedOrigins }) => {
      await setOrigins(ctx, { embedOrigins, beforeAdding: () => requireFresh(session) });
      return readEmbedding(ctx);
    },
  }) satisfies Partial<AdminHandlers>;

/** The router has checked that the organization exists. */
const readRow = async ({ db, organizationId }: Context): Promise<OrganizationRow> =>
  (await findById(db, organizationId))!;

async function readEmbedding(ctx: Context): Promise<EmbeddingSettings> {
  const { addresses = [], embedOrigins = [] } = await findOrigins(ctx);
  return {
    addresses: [...addresses],
    embedOrigins: [...embedOrigins],
    publicUrl: ctx.publicUrl,
  };
}

const presentOrganization = (row: OrganizationRow): AdminOrganization => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  timeZone: row.time_zone,
  language: row.language,
});

const presentAppearance = (row: OrganizationRow): AppearanceSettings => ({
  accentColor: row.accent_color,
  look: row.look ?? {},
  logo: logoPath(row.id, row.logo_hash),
});

const presentSettings = (row: OrganizationRow, languages: Languages): OrganizationSettings => ({
  ...presentOrganization(row),
  homeUrl: row.home_url,
  unappliedFilters: row.unapplied_filters,
  accessLogDays: row.access_log_days,
  activityLogDays: row.activity_log_days,
  languages: [...languages.keys()],
});
