import pg from 'pg';

import type { Session } from './session.ts';

/** Tables whose rows are in a backup. A test compares both lists with the schema. */
export const keptTables: readonly string[] = [
  'activity_entries',
  'admin_accounts',
  'admin_known_clients',
  'api_keys',
  'audit_entries',
  'audit_hours',
  'companies',
  'company_users',
  'connection_grants',
  'content_versions',
  'dataset_workspaces',
  'datasets',
  'group_members',
  'groups',
  'operators',
  'organization_addresses',
  'organization_embed_origins',
  'organization_oidc',
  'organizations',
  'platform_connections',
  'report_groups',
  'report_marks',
  'report_names',
  'report_users',
  'reports',
  'rls_role_groups',
  'rls_role_users',
  'rls_roles',
  'row_count_changes',
  'row_counts',
  'users',
  'workspace_contributors',
  'workspaces',
];

/** Tables whose rows are not in a backup, so that a restore ends all sessions and unused links. */
export const leftOutTables: readonly string[] = [
  'admin_invitations',
  'admin_oidc_flows',
  'admin_sessions',
  // Data files are in the backup as files, wherever the portal keeps them.
  'author_files',
  'file_chunks',
  'file_contents',
  'file_storage',
  'files',
  'identity_urls',
  // They are a log; the connection is synchronized after a restore.
  'platform_runs',
  'portal_sessions',
  'rate_limit_windows',
  'session_openings',
  'sign_in_attempts',
  'viewer_rate_limit_windows',
  // The manifest lists the migrations.
  'schema_migrations',
];

/** A table and its columns in their order. */
export interface Table {
  name: string;
  columns: string[];
}

interface TableRow extends Table {
  /** Tables that it references, without itself. */
  references: string[];
  referencesItself: boolean;
}

/** Lists the tables of the database that a backup contains, each after the tables that it references. */
export async function listTables(db: Session): Promise<Table[]> {
  const rows = await readTables(db);
  return sortByReferences(rows.filter(({ name }) => keptTables.includes(name))).map(
    ({ name, columns }) => ({ name, columns }),
  );
}

/** Returns the names of tables with a foreign key to themselves, whose rows can be in any order. */
export async function listSelfReferencing(db: Session): Promise<Set<string>> {
  const rows = await readTables(db);
  return new Set(rows.filter((row) => row.referencesItself).map(({ name }) => name));
}

async function readTables(db: Session): Promise<TableRow[]> {
  return db.query<TableRow>(`
    SELECT relname::text AS name,
      (SELECT json_agg(attname::text ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = tables.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      ) AS columns,
      (SELECT coalesce(json_agg(DISTINCT referenced.relname::text), '[]') FROM pg_constraint
        JOIN pg_class AS referenced ON referenced.oid = confrelid
        WHERE conrelid = tables.oid AND contype = 'f' AND confrelid <> conrelid
      ) AS "references",
      EXISTS (SELECT FROM pg_constraint
        WHERE conrelid = tables.oid AND contype = 'f' AND confrelid = conrelid
      ) AS "referencesItself"
    FROM pg_class AS tables
    WHERE relkind = 'r'
      AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
    ORDER BY relname`);
}

/** @throws if the references form a cycle */
function sortByReferences(tables: readonly TableRow[]): TableRow[] {
  const sorted: TableRow[] = [];
  let rest = [...tables];
  while (rest.length > 0) {
    const names = new Set(rest.map(({ name }) => name));
    const free = rest.filter(({ references }) => !references.some((name) => names.has(name)));
    if (free.length === 0)
      throw new Error(`The foreign keys of ${[...names].join(', ')} form a cycle.`);
    sorted.push(...free);
    rest = rest.filter((table) => !free.includes(table));
  }
  return sorted;
}

/** The table and its columns, as COPY names them. */
export const formatCopied = ({ name, columns }: Table): string =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;
