import { permissions } from '@portal-embed/contract';
import {
  createApiKey,
  createOrganization,
  openDatabase,
  operatorContext,
} from '@portal-embed/portal';
import pg from 'pg';

export interface Scale {
  users: number;
  reports: number;
  auditEntries: number;
}

const publicUrl = 'http://localhost:4000';

/** Tables whose indexes are built after their rows are in: many times quicker. */
const largeTables = ['users', 'reports', 'report_users', 'group_members', 'audit_entries'];

/** Rows in addition to those of a scale. */
export interface MoreRows {
  tables: readonly string[];
  statements: (organizationId: string) => string[];
}

/**
 * Fills an empty database with one organization of this scale. Each user has two reports directly
 * and twenty by a group. Returns an API key with all permissions.
 */
export async function seedScale(
  databaseUrl: string,
  scale: Scale,
  more: MoreRows = { tables: [], statements: () => [] },
): Promise<{ key: string; organizationId: string }> {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' });
  const organizationId = await createOrganization(db, {
    slug: 'large',
    name: 'Large',
    accentColor: '#0f6e56',
  });
  const ctx = operatorContext({ db, organizationId, publicUrl });
  const { key } = await createApiKey(ctx, { name: 'benchmark', permissions });
  await close();

  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Triggers are off while loading, so the counts are filled in at the end.
    await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
      SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'`);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef || CASE WHEN indexdef LIKE '%text_parts(%'
         THEN '; ALTER INDEX ' || indexname || ' ALTER COLUMN 1 SET STATISTICS 0' ELSE '' END AS definition
       FROM pg_indexes
       WHERE tablename = ANY($1) AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
      [[...largeTables, ...more.tables]],
    );
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    const statements = [
      ...loadStatements(organizationId, scale),
      ...more.statements(organizationId),
    ];
    for (const statement of statements) await client.query(statement);
    for (const { definition } of indexes) await client.query(definition);
    // Flushes the commits above; before that VACUUM may not mark pages as visible to all.
    await client.query('CHECKPOINT');
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
  return { key, organizationId };
}

/** An id that tells its kind and number; ascending, so that its index is filled in order. */
export const id = (kind: number, n: string) =>
  `('${String(kind).repeat(8)}-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

const firstNames = `ARRAY['Ada','Grace','Edsger','Barbara','Donald','Frances','Alan','Radia','Ken','Jean']`;

/** Numbers from 1 to `most`, in an order that has nothing to do with that of `n`. */
const scatter = (n: string, step: number, most: number) =>
  `((${n} * ${step}::bigint) % ${most} + 1)`;

/** Content of the dataset and of each report. The benchmarks read no rows of data. */
const dataset = JSON.stringify({ name: 'Orders', source: { file: 'orders.csv' } });
const report = JSON.stringify({ name: 'Report', workspace: 'Workspace', dataset: 'orders' });

function loadStatements(organizationId: string, scale: Scale): string[] {
  const { users, reports, auditEntries } = scale;
  const organization = `'${organizationId}'::uuid`;
  const groups = Math.ceil(users / 1_000);
  return [
    `INSERT INTO users (organization_id, id, email, email_key, name, role,
       can_edit_report, can_create_report, can_overwrite_report)
     SELECT ${organization}, ${id(1, 'n')}, email, email,
       (${firstNames})[n % 10 + 1] || ' ' || initcap(translate(to_hex(n), '0123456789', 'ghijklmnop')),
       3, false, false, false
     FROM generate_series(1, ${users}) AS n,
       LATERAL (SELECT 'user' || lpad(n::text, 7, '0') || '@large.example' AS email) AS made`,
    `INSERT INTO workspaces (organization_id, id, name)
     SELECT ${organization}, ${id(2, 'n')}, 'Workspace ' || n FROM generate_series(1, 100) AS n`,
    // With `definition`, because the triggers that copy it from `source` do not run here.
    `INSERT INTO datasets (organization_id, id, slug, name, content, definition, source)
     VALUES (${organization}, ${id(3, '1')}, 'orders', 'Orders', '${dataset}', '${dataset}',
       '{"definition":${dataset},"files":[],"columns":[{"name":"Sales","type":"integer"}]}')`,
    `INSERT INTO reports (organization_id, id, slug, name, dataset_id, workspace_id, report_type,
       content, definition, source)
     SELECT ${organization}, ${id(4, 'n')}, 'report-' || n,
       (ARRAY['Sales','Stock','Costs','Staff'])[n % 4 + 1] || ' report ' || n, ${id(3, '1')},
       ${id(2, 'n % 100 + 1')}, 1, '${report}', '${report}',
       '${report}'
     FROM generate_series(1, ${reports}) AS n`,
    `INSERT INTO report_names SELECT organization_id, id, name FROM reports`,
    `INSERT INTO groups (organization_id, id, name)
     SELECT ${organization}, ${id(5, 'n')}, 'Group ' || n FROM generate_series(1, ${groups}) AS n`,
    `INSERT INTO group_members (organization_id, group_id, user_id)
     SELECT ${organization}, ${id(5, `n % ${groups} + 1`)}, ${id(1, 'n')}
     FROM generate_series(1, ${users}) AS n`,
    `INSERT INTO report_groups (organization_id, group_id, report_id)
     SELECT DISTINCT ${organization}, ${id(5, 'n')}, ${id(4, scatter('(n * 20 + m)', 7919, reports))}
     FROM generate_series(1, ${groups}) AS n, generate_series(1, 20) AS m`,
    `INSERT INTO report_users (organization_id, user_id, report_id)
     SELECT ${organization}, ${id(1, 'n')}, ${id(4, scatter('(n * 2 + m)', 104_729, reports))}
     FROM generate_series(1, ${users}) AS n, generate_series(0, 1) AS m ON CONFLICT DO NOTHING`,
    // Two years until now, ten entries for each user, half of them in the last quarter.
    `INSERT INTO audit_entries (organization_id, id, created_at, user_id, user_email,
       user_email_key, report_id, report_name, action)
     SELECT ${organization}, ${id(6, 'n')},
       now() - interval '2 years' * (1 - n::float8 / ${auditEntries}) ^ 3,
       users.id, email, email_key, reports.id, reports.name, 1
     FROM generate_series(1, ${auditEntries}) AS n
     JOIN users ON users.id = ${id(1, scatter('n', 7_919, users))}
     JOIN reports ON reports.id = ${id(4, scatter('n', 104_729, reports))}`,
    `INSERT INTO row_counts
     SELECT ${organization}, 'users', count(*) FROM users UNION ALL
     SELECT ${organization}, 'reports', count(*) FROM reports UNION ALL
     SELECT ${organization}, 'audit_entries', count(*) FROM audit_entries`,
    `INSERT INTO audit_hours
     SELECT organization_id, date_trunc('hour', created_at, 'UTC'), count(*)
     FROM audit_entries GROUP BY 1, 2`,
  ];
}
