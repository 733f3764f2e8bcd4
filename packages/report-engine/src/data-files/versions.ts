import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

import type { CsvOptions, Dataset, FieldType } from '@portal-embed/report-model';

import { convertCsv, describeParquet, findTexts } from '../files/data-file.ts';
import type { DescribedFile } from '../files/tasks.ts';
import { conversionTurns } from '../limits/limits.ts';
import { QueryTurns } from '../limits/turns.ts';

/** Where an organization's files are. */
export interface DataFolder {
  /** The dataset folder. */
  root: string;
  organizationId: string;
}

const versions = '.versions';

/** How long an unused version is kept. A running query may still open it. */
const keepMs = 3_600_000;

/** Increase it when the conversion changes, so that files are converted again. */
const conversion = 2;

const turns = new QueryTurns(conversionTurns);

const folderOf = ({ root, organizationId }: DataFolder) =>
  path.join(root, organizationId, versions);

/** A new file among the versions. It is removed after an hour if a crash leaves it behind. */
export async function createTemporary(place: DataFolder): Promise<string> {
  await fs.mkdir(folderOf(place), { recursive: true, mode: 0o700 });
  return path.join(folderOf(place), `${randomUUID()}.tmp`);
}

/** Options of a CSV file, which is converted, and the types that its dataset declares. */
export interface Conversion {
  csv: CsvOptions;
  types: Record<string, FieldType>;
}

export type StoredVersion = DescribedFile & {
  /** Path below the organization's folder. */
  file: string;
};

/**
 * Stores the file under a hash of its bytes and options, unless that version exists.
 *
 * @param options only for a CSV file
 * @throws FileError if the file cannot be read; `ReportError` if too many conversions wait
 */
export async function storeVersion(
  place: DataFolder,
  file: string,
  options: Conversion | undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<StoredVersion> {
  const hash = await hashFile(file, options ? JSON.stringify([conversion, options]) : '');
  const target = path.join(folderOf(place), `${hash}.parquet`);
  const { organizationId } = place;
  const described =
    (await readDescription(target)) ??
    (await turns.run(
      { organizationId, userId: '' },
      signal,
      // Another request may have stored it in the meantime.
      async () =>
        (await readDescription(target)) ??
        (await writeVersion(place, file, target, options, signal)),
    ));
  // A version of a CSV file from before that has another hash, and a Parquet file has no readings.
  const { readings = [] } = described;
  return { file: `${versions}/${hash}.parquet`, ...described, readings };
}

/**
 * Finds texts in stored versions that are not values of the type that their field declares.
 *
 * @returns a sentence for the author for each field that has some
 * @throws FileError if a file cannot be read; `ReportError` if too many conversions wait
 */
export const checkVersions = (
  { root, organizationId }: DataFolder,
  files: readonly string[],
  definition: Dataset,
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> =>
  turns.run({ organizationId, userId: '' }, signal, () =>
    findTexts(
      files.map((file) => path.join(root, organizationId, file)),
      definition,
      signal,
    ),
  );

/** The path of a version's description, which has its columns, hints and readings. */
const describedBy = (version: string) => version.replace(/\.parquet$/, '.json');

/** What is known of a version. Release 0.2 described files without their readings. */
type Description = Omit<DescribedFile, 'readings'> & Partial<Pick<DescribedFile, 'readings'>>;

export async function readDescription(version: string): Promise<Description | undefined> {
  const known = await fs.readFile(describedBy(version), 'utf8').catch(() => undefined);
  const isStored = await fs.stat(version).then(
    () => true,
    () => false,
  );
  if (known === undefined || !isStored) return undefined;
  await touch(describedBy(version));
  return JSON.parse(known) as Description;
}

async function writeVersion(
  place: DataFolder,
  file: string,
  target: string,
  options: Conversion | undefined,
  signal: AbortSignal,
): Promise<DescribedFile> {
  const temporary = await createTemporary(place);
  try {
    let described: DescribedFile;
    if (options) described = await convertCsv(file, options, temporary, signal);
    else {
      await copyFile(file, temporary);
      described = await describeParquet(temporary, signal);
    }
    await sync(temporary);
    await fs.rename(temporary, target);
    await fs.writeFile(temporary, JSON.stringify(described), { mode: 0o600 });
    await sync(temporary);
    // The description is written last: without it, a version is incomplete.
    await fs.rename(temporary, describedBy(target));
    await sync(folderOf(place));
    return described;
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** Removes versions that no dataset has used for an hour. */
export async function removeOldVersions(
  place: DataFolder,
  named: ReadonlySet<string>,
): Promise<void> {
  const folder = folderOf(place);
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    // The description's mtime is the last use. The version's own mtime is part of cache keys.
    const { mtimeMs } = await fs
      .stat(describedBy(file))
      .catch(() => fs.stat(file))
      .catch(() => ({ mtimeMs: Infinity }));
    // The hour begins with the last apply that uses the version.
    if (named.has(`${versions}/${name}`)) await touch(describedBy(file));
    else if (
      !named.has(`${versions}/${name.replace(/\.json$/, '.parquet')}`) &&
      mtimeMs < Date.now() - keepMs
    )
      await fs.rm(file, { force: true });
  }
}

const touch = async (file: string): Promise<void> => {
  const now = new Date();
  await fs.utimes(file, now, now).catch(() => {});
};

/** Flushes a file, or the entries of a folder, to the disk. */
export async function sync(name: string): Promise<void> {
  const handle = await fs.open(name, 'r');
  await handle.sync();
  await handle.close();
}

/** Copies at once where the file system shares blocks. */
export const copyFile = (from: string, to: string): Promise<void> =>
  fs.copyFile(from, to, fs.constants.COPYFILE_FICLONE);

async function hashFile(file: string, options: string): Promise<string> {
  const hash = createHash('sha256').update(options);
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 40);
}
