/** Imports of `src/db/schema.ts`. */
export const imports = `import type { CustomFilter } from '@portal-embed/contract';
import type { Look } from '@portal-embed/contract/frame';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
`;

/** Types that say more than those of PostgreSQL, by table and column. */
export const columnTypes: Readonly<Record<string, string>> = {
  'activity_entries.details': 'ColumnType<object | null, string | null, never>',
  'content_versions.kind': "'dataset' | 'report'",
  'content_versions.origin': "'files' | 'pages' | null",
  'datasets.archived_from': "'files' | 'pages' | 'product' | null",
  'datasets.row_access': "Generated<'by-role' | 'everyone'>",
  // In the shape of the platform. `null` only if archived. Release 0.2 does not set that of a dataset.
  'datasets.source': 'ColumnType<object | null, string | undefined, string>',
  'file_storage.initial': "'folder' | 'database'",
  'files.described': 'ColumnType<object | null, string | null, string | null>',
  'identity_urls.custom_filters': 'JSONColumnType<CustomFilter[]>',
  'organizations.look': 'ColumnType<Look | null, string | null | undefined, string | null>',
  'organizations.unapplied_filters': "Generated<'note' | 'refuse'>",
  'portal_sessions.custom_filters': 'JSONColumnType<CustomFilter[]>',
  // In the shape of the platform.
  'platform_connections.settings': 'ColumnType<unknown, string, string>',
  'platform_runs.kind': "'sync' | 'check'",
  'platform_runs.result': 'ColumnType<object | null, string | null | undefined, string | null>',
  'reports.archived_from': "'files' | 'pages' | 'product' | null",
  'reports.source': 'ColumnType<object | null, string, string>',
  // A predicate, or `all`.
  'rls_roles.predicate': 'ColumnType<unknown, string, string>',
};
