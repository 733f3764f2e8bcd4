/**
 * Generates `schema.sql` and `src/db/schema.ts` from the migrations. `src/db/schema.test.ts` compares
 * them, and writes them with `-u`.
 */
import { PGlite } from '@electric-sql/pglite';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect, type ColumnMetadata, type TableMetadata } from 'kysely';
import pg from 'pg';

import { migrate } from '../src/db/connection/migrate.ts';
import { columnTypes, imports } from './column-types.ts';

const note = 'Generated from the migrations by dev/schema.ts. Do not edit.';

/** Returns the text of both files. */
export async function generateSchema(): Promise<{ sql: string; types: string }> {
  const pglite = new PGlite();
  const pool = new pg.Pool(Object.assign(createPgConfig(pglite), { max: 1 }));
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrate(pool);
    const tables = await db.introspection.getTables();
    const dump = await pgDump({
      pg: pglite,
      args: ['--schema-only', '--no-owner', '--no-privileges', '--no-comments'],
    });
    return { sql: `-- ${note}\n${trimDump(await dump.text())}`, types: formatTypes(tables) };
  } finally {
    await db.destroy();
    await pglite.close();
  }
}

/** Leaves out the settings of the session that `pg_dump` writes first, and the comments. */
const trimDump = (dump: string): string =>
  dump
    .slice(dump.indexOf('\nCREATE '))
    .replaceAll(/^(--.*|SET default_.*|SELECT pg_catalog\.set_config.*)\n/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd() + '\n';

function formatTypes(tables: readonly TableMetadata[]): string {
  const unused = new Set(Object.keys(columnTypes));
  const formatColumn = (table: TableMetadata, column: ColumnMetadata) => {
    const name = `${table.name}.${column.name}`;
    unused.delete(name);
    return `    ${column.name}: ${columnTypes[name] ?? findType(table, column)};\n`;
  };
  const interfaces = tables
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((table) => {
      const columns = table.columns.map((column) => formatColumn(table, column)).join('');
      return `  ${table.name}: {\n${columns}  };\n`;
    });
  if (unused.size > 0) throw new Error(`Unknown columns in column-types.ts: ${[...unused].join()}`);
  return `// ${note}
/* oxlint-disable max-lines */
${imports}
/** Tables and views of the database. Columns of a view are never \`null\`. */
export interface Schema {
${interfaces.join('')}}

type Time = ColumnType<Date, Date | undefined, Date>;
`;
}

const scalars: Record<string, string> = {
  _text: 'string[]',
  _uuid: 'string[]',
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Date',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
};

function findType(table: TableMetadata, column: ColumnMetadata): string {
  const { dataType, isNullable, hasDefaultValue, isAutoIncrementing } = column;
  // Also `null`.
  if (dataType === 'jsonb') return 'unknown';
  const scalar = scalars[dataType];
  if (!scalar)
    throw new Error(
      `${table.name}.${column.name} has the type ${dataType}, which has no entry here.`,
    );
  if (table.isView) return scalar;
  const isOptional = hasDefaultValue || isAutoIncrementing;
  if (scalar === 'Date' && isOptional && !isNullable) return 'Time';
  const type = isNullable ? `${scalar} | null` : scalar;
  return isOptional ? `Generated<${type}>` : type;
}
