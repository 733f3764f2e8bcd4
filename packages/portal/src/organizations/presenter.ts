import type { OrganizationDetails } from './store.ts';

export const presentOrganization = (row: OrganizationDetails) => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  accentColor: row.accent_color,
  createdAt: row.created_at.toISOString(),
  addresses: row.addresses,
  embedOrigins: row.embed_origins,
  unappliedFilters: row.unapplied_filters,
  homeUrl: row.home_url,
  accessLogDays: row.access_log_days,
  activityLogDays: row.activity_log_days,
});
