import { createHash } from 'node:crypto';

import { BackupError } from '../backup-error.ts';
import type { Session } from '../session.ts';
import type { HeldFile, HeldFiles } from './data-files.ts';

/** A data file whose bytes are in the database. */
interface StoredFile extends HeldFile {
  sha256: string;
  contentId: string;
  /** Of a version. */
  described: object | null;
}

/**
 * Adds the data files that are in the database, as the snapshot of `db` has them. A version is the same in
 * both places.
 *
 * @param storage where the portal looks for an author's file first. Default: what the database began with
 */
export async function addStored(
  db: Session,
  held: HeldFiles,
  storage: 'folder' | 'database' | undefined,
): Promise<HeldFiles> {
  const [began] = await db.query<{ initial: string }>('SELECT initial FROM file_storage');
  const isDatabaseFirst = (storage ?? began?.initial) === 'database';
  const missing = new Set(held.missing);
  const inFolder = new Map(held.files.map((file) => [file.name, file]));
  const stored = new Map<HeldFile, () => AsyncIterable<Buffer>>();
  for (const file of await listStored(db)) {
    const isVersion = file.described !== null;
    if (isVersion ? !missing.delete(file.name) : inFolder.has(file.name) && !isDatabaseFirst)
      continue;
    inFolder.delete(file.name);
    stored.set({ name: file.name, bytes: file.bytes }, () => readStored(db, file));
    if (!isVersion) continue;
    const description = Buffer.from(JSON.stringify(file.described));
    const name = file.name.replace(/\.parquet$/, '.json');
    stored.set({ name, bytes: description.byteLength }, async function* () {
      yield description;
    });
  }
  return {
    files: [...inFolder.values(), ...stored.keys()],
    stored: [...stored.keys()],
    missing: [...missing],
    open: (file) => stored.get(file)?.() ?? held.open(file),
    release: held.release,
  };
}

const listStored = (db: Session): Promise<StoredFile[]> =>
  db.query<StoredFile>(`
    SELECT organization_id || '/' || name AS name, size::float8 AS bytes, sha256,
      content_id::text AS "contentId", described
    FROM files WHERE content_id IS NOT NULL AND described IS NOT NULL
    UNION ALL
    SELECT author_files.organization_id || '/' || author_files.name, size::float8, sha256,
      content_id::text, NULL
    FROM author_files JOIN files
      ON files.organization_id = author_files.organization_id AND files.name = author_files.file
    WHERE content_id IS NOT NULL
    ORDER BY name`);

/** @throws `BackupError` if the bytes are not those that were written */
async function* readStored(
  db: Session,
  { name, bytes, sha256, contentId }: StoredFile,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let read = 0;
  for (let part = 0; read < bytes; part += 1) {
    const [row] = await db.query<{ text: string }>(
      `SELECT encode(bytes, 'base64') AS text FROM file_chunks WHERE content_id = $1 AND part = $2`,
      [contentId, part],
    );
    if (!row) throw isDamaged(name);
    const chunk = Buffer.from(row.text, 'base64');
    hash.update(chunk);
    read += chunk.byteLength;
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw isDamaged(name);
}

const isDamaged = (name: string) =>
  new BackupError(
    'not_possible',
    `The data file ${name} is damaged in the database. Apply its dataset again, then run the backup again.`,
  );
