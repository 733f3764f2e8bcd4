import { createMigrationsTable, runMigrations } from '../db/connection/migrate.ts';
import {
  compareReleases,
  findMissing,
  listMigrations,
  readApplied,
} from '../db/connection/schema-version.ts';
import { version } from '../version.ts';
import { BackupError } from './backup-error.ts';
import type { ReceivedFiles } from './files/data-files.ts';
import type { Manifest } from './format.ts';
import type { Progress } from './pack.ts';
import { readBackup, type ReadBackup } from './read.ts';
import { reviewRestored, revokeKeys, type Revived } from './revived.ts';
import { countRows, groupRows } from './rows.ts';
import type { RestoreSession } from './session.ts';
import { listSelfReferencing, type Table } from './tables.ts';

/**
 * Rows of one COPY. Their foreign keys are checked at its end, from a list in memory, and PGlite keeps
 * all rows of a COPY in memory.
 */
const copiedRows = 50_000;

export interface LoadOptions {
  /** Revokes all API keys, as this operator. */
  revokeKeysAs?: string | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Loaded extends ReadBackup {
  revived: Revived;
  revokedKeys: number;
}

/**
 * Fills an empty database and adds the data files, all or nothing. Closes the session.
 *
 * @throws `BackupError` if the backup is damaged or needs a newer release
 */
export async function loadBackup(
  input: AsyncIterable<Uint8Array>,
  target: RestoreSession,
  files: ReceivedFiles,
  options: LoadOptions = {},
): Promise<Loaded> {
  let loaded: Loaded;
  try {
    const loader = new Loader(target);
    const read = await readBackup(input, {
      manifest: (manifest) => loader.prepare(manifest),
      rows: (table, text) => loader.add(table, text),
      file: (name, content) => files.write(name, content),
      ...(options.onProgress && { onProgress: options.onProgress }),
    });
    await loader.finish();
    const revokedKeys =
      options.revokeKeysAs === undefined ? 0 : await revokeKeys(target, options.revokeKeysAs);
    const revived = await reviewRestored(target);
    await files.install();
    loaded = { ...read, revived, revokedKeys };
  } catch (error) {
    await files.discard();
    await target.rollback();
    throw error;
  }
  try {
    await target.commit();
    return loaded;
  } finally {
    // If the connection is lost here, the rows may be there; without them, the files do no harm.
    await files.keep();
    await target.rollback();
  }
}

/** @throws `BackupError` if this release cannot restore it */
export async function requireKnown({ release, migrations }: Manifest): Promise<void> {
  const known = await listMigrations();
  const unknown = migrations.filter((name) => !known.includes(name));
  if (compareReleases(release, version) <= 0 && unknown.length === 0) return;
  throw new BackupError(
    'invalid_backup',
    `The backup is of release ${release}${unknown.length > 0 ? ` with migrations that this portal does not have (${unknown.join(', ')})` : ''}, and this portal is ${version}. Install the release of the backup or a later one.`,
  );
}

/** Codes of values that their columns do not take, and of rows that break a constraint. */
const refusedRows = /^2[23]/;

function explainRefusedRows(error: unknown, { name }: Table): unknown {
  const { code, message } = error as Error & { code?: unknown };
  if (!refusedRows.test(String(code))) return error;
  return new BackupError(
    'invalid_backup',
    `The backup is damaged: the database refuses rows of the table ${name} (${message}). Copy it again, or use another backup.`,
    { cause: error },
  );
}

class Loader {
  readonly #target: RestoreSession;
  #tables: Table[] = [];
  /** Tables with a foreign key to themselves, of which all rows are in one COPY. */
  #selfReferencing = new Set<string>();
  #waiting: { table: Table; texts: Buffer[] } | undefined;

  constructor(target: RestoreSession) {
    this.#target = target;
  }

  /** Creates the tables as they were, without the triggers that would change the rows. */
  async prepare(manifest: Manifest): Promise<void> {
    await requireKnown(manifest);
    this.#tables = manifest.tables;
    await createMigrationsTable(this.#target);
    await runMigrations(this.#target, manifest.migrations.toSorted());
    this.#selfReferencing = await listSelfReferencing(this.#target);
    for (const { name } of this.#tables)
      await this.#target.query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
  }

  async add(table: Table, text: Buffer): Promise<void> {
    if (this.#waiting?.table.name !== table.name) await this.#flush();
    if (this.#selfReferencing.has(table.name)) {
      this.#waiting ??= { table, texts: [] };
      this.#waiting.texts.push(text);
      return;
    }
    for (const rows of groupRows(text, copiedRows)) await this.#copyIn(table, [rows]);
  }

  async #flush(): Promise<void> {
    if (!this.#waiting) return;
    const { table, texts } = this.#waiting;
    this.#waiting = undefined;
    await this.#copyIn(table, texts);
  }

  /**
   * @throws `BackupError` if the database refuses the rows, or adds fewer, for example because the text
   *   has an end-of-data marker (`\.`)
   */
  async #copyIn(table: Table, texts: readonly Buffer[]): Promise<void> {
    const rows = texts.reduce((sum, text) => sum + countRows(text), 0);
    const added = await this.#target.copyIn(table, texts).catch((error: unknown) => {
      throw explainRefusedRows(error, table);
    });
    if (added !== rows)
      throw new BackupError(
        'invalid_backup',
        `The backup is damaged: the table ${table.name} takes ${added} of ${rows} rows. Copy it again, or use another backup.`,
      );
  }

  /** Sets the sequences and applies the migrations since the backup. */
  async finish(): Promise<void> {
    await this.#flush();
    for (const { name } of this.#tables)
      await this.#target.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
    await this.#setSequences();
    await this.#target.query('ANALYZE');
    const applied = await readApplied({
      query: async (text) => ({ rows: await this.#target.query(text) }),
    });
    await runMigrations(this.#target, await findMissing(applied));
  }

  async #setSequences(): Promise<void> {
    const rows = await this.#target.query<{ name: string; column: string }>(`
      SELECT relname::text AS name, attname::text AS column FROM pg_attribute
      JOIN pg_class ON pg_class.oid = attrelid
      WHERE attidentity <> '' AND NOT attisdropped AND relkind = 'r'
        AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`);
    for (const { name, column } of rows)
      await this.#target.query(
        `SELECT setval(pg_get_serial_sequence($1, $2), max("${column}")) FROM "${name}"`,
        [`"${name}"`, column],
      );
  }
}
