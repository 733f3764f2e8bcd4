import { sql } from 'kysely';

import type { Description } from '#report-engine';

import type { Database } from '../db/connection/open.ts';

/** A file and where its bytes are. */
export interface FileRow {
  /** In hexadecimal. */
  sha256: string;
  /** In bytes. */
  size: number;
  /** Of a version. */
  described: Description | null;
  /** `null`: the bytes are in the folders of the instances. */
  contentId: string | null;
}

const columns = sql`sha256, size, described, content_id AS "contentId"`;

export async function readInitialStorage(db: Database): Promise<'folder' | 'database'> {
  const row = await db.selectFrom('file_storage').select('initial').executeTakeFirst();
  return row?.initial ?? 'folder';
}

export async function findFile(
  db: Database,
  organizationId: string,
  name: string,
): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`
    SELECT ${columns} FROM files
    WHERE organization_id = ${organizationId} AND name = ${name}`.execute(db);
  return rows[0];
}

/** Notes that files are used now; returns those that exist. */
export async function useFiles(
  db: Database,
  organizationId: string,
  names: readonly string[],
): Promise<(FileRow & { name: string })[]> {
  const { rows } = await sql<FileRow & { name: string }>`
    UPDATE files SET last_used_at = now()
    WHERE organization_id = ${organizationId} AND name = ANY(${names}::text[])
    RETURNING name, ${columns}`.execute(db);
  return rows;
}

export interface NewFile extends FileRow {
  organizationId: string;
  name: string;
}

/**
 * Inserts a file, or gives bytes to one that has none in the database. Returns the file of this name,
 * which another instance may have inserted first.
 *
 * @throws if the content was removed, or the organization was deleted
 */
export async function insertFile(db: Database, file: NewFile): Promise<FileRow> {
  const { organizationId, name, sha256, size, described, contentId } = file;
  if (contentId !== null) await touchContent(db, contentId);
  const { rows } = await sql<FileRow>`
    INSERT INTO files (organization_id, name, sha256, size, described, content_id)
    VALUES (${organizationId}, ${name}, ${sha256}, ${size}, ${described && JSON.stringify(described)}::jsonb,
      ${contentId})
    ON CONFLICT (organization_id, name) DO UPDATE
    SET sha256 = excluded.sha256, size = excluded.size, described = excluded.described,
      content_id = excluded.content_id, last_used_at = now()
    WHERE files.content_id IS NULL
    RETURNING ${columns}`.execute(db);
  if (rows[0]) return rows[0];
  const [winner] = await useFiles(db, organizationId, [name]);
  // It was pruned between the two statements, which happens only after an hour without use.
  if (!winner) throw new Error(`The file ${name} was removed while it was stored.`);
  return winner;
}

/** Locks the row against the sweeper until the transaction ends. */
async function touchContent(db: Database, id: string): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE file_contents SET written_at = now() WHERE id = ${id} AND NOT is_removed`.execute(db);
  if (numAffectedRows !== 1n) throw contentRemoved();
}

const contentRemoved = () =>
  new Error('The bytes were removed, because an hour passed without a new chunk.');

/** Forgets damaged bytes, so that the file is stored again. */
export async function dropContent(
  db: Database,
  organizationId: string,
  name: string,
  contentId: string,
): Promise<void> {
  await sql`
    UPDATE files SET content_id = NULL
    WHERE organization_id = ${organizationId} AND name = ${name} AND content_id = ${contentId}`.execute(
    db,
  );
}

/** Deletes files that were not used for an hour, except the named ones and those of authors. */
export async function pruneFiles(
  db: Database,
  organizationId: string,
  named: readonly string[],
): Promise<void> {
  await sql`
    DELETE FROM files
    WHERE organization_id = ${organizationId} AND last_used_at < now() - interval '1 hour'
      AND name <> ALL (${named}::text[])
      AND NOT EXISTS (
        SELECT FROM author_files AS author
        WHERE author.organization_id = files.organization_id AND author.file = files.name
      )`.execute(db);
}

export async function createContent(db: Database, id: string): Promise<void> {
  await db.insertInto('file_contents').values({ id }).execute();
}

export async function writeChunk(
  db: Database,
  chunk: { contentId: string; part: number; bytes: Buffer },
): Promise<void> {
  const { numAffectedRows } = await sql`
    WITH content AS (
      UPDATE file_contents SET written_at = now()
      WHERE id = ${chunk.contentId} AND NOT is_removed RETURNING id
    )
    INSERT INTO file_chunks (content_id, part, bytes)
    SELECT id, ${chunk.part}, ${chunk.bytes}::bytea FROM content`.execute(db);
  if (numAffectedRows !== 1n) throw contentRemoved();
}

/** Returns `undefined` if the chunk does not exist. Reads base64, because the driver's binary mode corrupts bytea. */
export async function readChunk(
  db: Database,
  contentId: string,
  part: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ text: string }>`
    SELECT encode(bytes, 'base64') AS text FROM file_chunks
    WHERE content_id = ${contentId} AND part = ${part}`.execute(db);
  return rows[0] && Buffer.from(rows[0].text, 'base64');
}

/** Lets the sweeper remove the chunks of a content. */
export async function removeContent(db: Database, id: string): Promise<void> {
  await sql`
    UPDATE file_contents SET is_removed = true
    WHERE id = ${id} AND NOT EXISTS (SELECT FROM files WHERE content_id = ${id})`.execute(db);
}

/** Removes at most `limit` chunks of contents that no file names. */
export async function sweepChunks(db: Database, limit: number): Promise<number> {
  await sql`
    UPDATE file_contents AS content SET is_removed = true
    WHERE NOT is_removed AND written_at < now() - interval '1 hour'
      AND NOT EXISTS (SELECT FROM files WHERE files.content_id = content.id)`.execute(db);
  const { numAffectedRows } = await sql`
    DELETE FROM file_chunks WHERE (content_id, part) IN (
      SELECT chunk.content_id, chunk.part FROM file_chunks AS chunk
      JOIN file_contents AS content ON content.id = chunk.content_id
      WHERE content.is_removed LIMIT ${limit}
    )`.execute(db);
  await sql`
    DELETE FROM file_contents AS content
    WHERE is_removed
      AND NOT EXISTS (SELECT FROM file_chunks AS chunk WHERE chunk.content_id = content.id)
      AND NOT EXISTS (SELECT FROM files WHERE files.content_id = content.id)`.execute(db);
  return Number(numAffectedRows);
}

/** Finds the file of an upload, whose name begins with a folder of its own. */
export async function findInFolder(
  db: Database,
  organizationId: string,
  folder: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM files
    WHERE organization_id = ${organizationId} AND starts_with(name, ${folder})
      AND last_used_at > now() - interval '1 hour'`.execute(db);
  return rows[0]?.name;
}

/** Deletes the files of a folder. */
export async function deleteFolder(
  db: Database,
  organizationId: string,
  folder: string,
): Promise<void> {
  await sql`
    DELETE FROM files
    WHERE organization_id = ${organizationId} AND starts_with(name, ${folder})`.execute(db);
}

/** Lists the files of a folder, and deletes those that were not used for an hour. */
export async function listFolder(
  db: Database,
  organizationId: string,
  folder: string,
): Promise<string[]> {
  await sql`
    DELETE FROM files
    WHERE organization_id = ${organizationId} AND starts_with(name, ${folder})
      AND last_used_at < now() - interval '1 hour'`.execute(db);
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM files
    WHERE organization_id = ${organizationId} AND starts_with(name, ${folder})`.execute(db);
  return rows.map(({ name }) => name);
}

/** Lists the names of authors' files. */
export async function listAuthorFiles(db: Database, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('author_files')
    .where('organization_id', '=', organizationId)
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Lists the names of authors' files that have these bytes. */
export async function listAuthorFilesOf(
  db: Database,
  organizationId: string,
  sha256: string,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT author.name FROM author_files AS author
    JOIN files ON files.organization_id = author.organization_id AND files.name = author.file
    WHERE author.organization_id = ${organizationId} AND sha256 = ${sha256}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Finds the stored file of an author file, and when it got this name. */
export async function findAuthorFile(
  db: Database,
  organizationId: string,
  name: string,
): Promise<{ file: string; namedAt: Date } | undefined> {
  const row = await db
    .selectFrom('author_files')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .select(['file', 'named_at'])
    .executeTakeFirst();
  return row && { file: row.file, namedAt: row.named_at };
}

/** @param files names of stored files, by the names that authors use for them */
export async function nameAuthorFiles(
  db: Database,
  organizationId: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  await sql`
    INSERT INTO author_files (organization_id, name, file)
    SELECT ${organizationId}::uuid, * FROM unnest(${[...files.keys()]}::text[], ${[...files.values()]}::text[])
    ON CONFLICT (organization_id, name) DO UPDATE SET file = excluded.file, named_at = now()`.execute(
    db,
  );
}

/** Adds up the bytes of files, and of authors' files in the database that no other name has. */
export async function sumSizes(
  db: Database,
  organizationId: string,
  { versions, originals }: { versions: readonly string[]; originals: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(size), 0)::bigint AS bytes FROM files
    WHERE organization_id = ${organizationId} AND (
      name = ANY(${versions}::text[]) OR name IN (
        SELECT file FROM author_files AS author
        WHERE author.organization_id = ${organizationId} AND author.name = ANY(${originals}::text[])
          AND NOT EXISTS (
            SELECT FROM author_files AS other
            WHERE other.organization_id = author.organization_id AND other.file = author.file
              AND other.name <> ALL(${originals}::text[])
          )
      )
    )`.execute(db);
  return rows[0]!.bytes;
}

/** Their bytes are pruned later, if no other name has them. */
export async function forgetAuthorFiles(
  db: Database,
  organizationId: string,
  names: readonly string[],
): Promise<void> {
  await sql`
    DELETE FROM author_files
    WHERE organization_id = ${organizationId} AND name = ANY(${names}::text[])`.execute(db);
}

/** Returns those of the hashes that a file of an organization has. */
export async function findHashes(db: Database, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ sha256: string }>`
    SELECT DISTINCT sha256 FROM files WHERE sha256 = ANY(${hashes}::text[])`.execute(db);
  return new Set(rows.map(({ sha256 }) => sha256));
}
