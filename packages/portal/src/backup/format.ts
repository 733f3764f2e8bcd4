import { z } from 'zod';

/**
 * A backup is a tar of `manifest.json`, `tables/NAME/00001.copy.gz` and so on in the order in which the
 * tables are restored, `files/…`, and last `end.json`.
 */
export const format = 1;

export const manifestName = 'manifest.json';
export const endName = 'end.json';

/** Bytes of COPY text in a part, unless one row is longer. */
export const partBytes = 8 * 2 ** 20;

/** Most bytes of COPY text in a part that is read. No row of a portal is nearly as long. */
export const maxPartBytes = 8 * partBytes;

const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);

export const manifestSchema = z.object({
  format: z.int(),
  /** Release of the portal that wrote the backup. */
  release: z.string(),
  /** The moment that the backup shows. */
  createdAt: z.iso.datetime(),
  /** Applied migrations, in the order of their names. */
  migrations: z.array(z.string()),
  /** Tables in the order in which they are restored. */
  tables: z.array(z.object({ name: identifier, columns: z.array(identifier).min(1) })),
});

export type Manifest = z.infer<typeof manifestSchema>;

const entrySchema = z.object({
  name: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** Only of a part of a table. */
  rows: z.int().optional(),
});

/** An entry of the tar, as `end.json` describes it. */
export type Entry = z.infer<typeof entrySchema>;

export const endSchema = z.object({ entries: z.array(entrySchema) });

export const nameOfPart = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(5, '0')}.copy.gz`;

/** Reads the table and the number of a part from its name. */
export function parsePart(name: string): { table: string; number: number } | undefined {
  const [, table, number] = /^tables\/([a-z_][a-z0-9_]*)\/(\d{5,})\.copy\.gz$/.exec(name) ?? [];
  return table === undefined ? undefined : { table, number: Number(number) };
}

const filesFolder = 'files/';

export const nameOfFile = (file: string): string => `${filesFolder}${file}`;

/**
 * Reads the path of a data file, such as `ORGANIZATION/sales.csv`, from the name of its entry. Returns
 * `undefined` for another entry, and for a path that leaves its folder.
 */
export function parseFile(name: string): string | undefined {
  if (!name.startsWith(filesFolder)) return undefined;
  const parts = name.slice(filesFolder.length).split('/');
  const isInside = parts.length > 1 && parts.every((part) => !/^\.{0,2}$/.test(part));
  return isInside && !name.includes('\0') ? parts.join('/') : undefined;
}
