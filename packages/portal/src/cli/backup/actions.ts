import path from 'node:path';
import type { Writable } from 'node:stream';

import { BackupError } from '../../backup/backup-error.ts';
import { checkBackup, openFile, requireRegular, writeFile } from '../../backup/backup-file.ts';
import { parseFile } from '../../backup/format.ts';
import { loadBackup } from '../../backup/load.ts';
import { packBackup, type Progress } from '../../backup/pack.ts';
import { describeRefusal, findFailureCause } from '../../db/connection/database-failures.ts';
import { PortalError } from '../../errors.ts';
import { datasetFolderOf } from '../../files/open.ts';
import type { Cli } from '../cli.ts';
import { write } from '../output.ts';
import { abortable, interruptible } from './interruptible.ts';
import { isAddress, lendToCaller, openDataFiles, openTarget, withSource } from './source.ts';
import {
  countContents,
  createProgress,
  describeContents,
  describeRevived,
  warnOfMissing,
} from './texts.ts';

export async function runBackup(cli: Cli, file: string): Promise<void> {
  if (cli.runsForCaller) return lendToCaller(cli);
  const target = file === '-' ? undefined : cli.resolveTarget(file);
  if (target === undefined && 'isTTY' in cli.stdout && cli.stdout.isTTY)
    throw new PortalError(
      'invalid_request',
      'Standard output is a terminal. Give the name of a file, or pipe the output.',
    );
  await withSource(cli, async (source, signal) => {
    const progress = createProgress(cli);
    let last: Progress = { name: '', rows: 0, files: 0, bytes: 0 };
    const chunks = packBackup(source, (current) => progress.show((last = { ...current })));
    if (target === undefined) await writeChunks(cli.stdout, abortable(chunks, signal));
    else await writeFile(target, abortable(chunks, signal));
    progress.clear();
    await warnOfMissing(cli, source.files.missing);
    const answer = {
      json: {
        file: target ?? null,
        createdAt: source.moment,
        rows: last.rows,
        files: last.files,
        bytes: last.bytes,
        missingFiles: source.files.missing,
      },
      text: `Wrote ${target ?? 'the backup'}: ${describeContents(last)}, as of ${source.moment.toISOString()}.`,
    };
    if (target !== undefined) await cli.answer(answer);
    else if (!cli.asJson) await write(cli.stderr, `${answer.text}\n`);
  });
}

export async function runCheck(cli: Cli, file: string): Promise<void> {
  const name = resolveBackup(cli, file);
  const progress = createProgress(cli);
  const { manifest, entries } = await checkBackup(name, progress.show).finally(progress.clear);
  const contents = countContents(entries);
  await cli.answer({
    json: { file: name, createdAt: manifest.createdAt, release: manifest.release, ...contents },
    text: `${name} is complete: ${describeContents(contents)}, as of ${manifest.createdAt}, from release ${manifest.release}.`,
  });
}

/** @param first - what to do before, such as to set the address of another database */
const adviseCopy = (first = '') =>
  `\nThe data files are in PORTAL_DATA_DIR of this machine. ${first}Run \`portal files copy --to database\` here, so that every instance has them.`;

export async function runRestore(
  cli: Cli,
  file: string,
  { revokeKeys }: { revokeKeys: boolean },
): Promise<void> {
  const name = resolveBackup(cli, file);
  const { databaseUrl, dataDir, operator, files: storage } = cli.readConfig();
  const storesInFolder = databaseUrl === undefined || storage === 'folder';
  cli.requireOwner(datasetFolderOf({ dataDir }));
  if (databaseUrl === undefined) cli.requireOwner(path.join(dataDir, 'database'));
  const progress = createProgress(cli);
  await requireRegular(name);
  const loaded = await interruptible(async (signal) => {
    const { entries } = await checkBackup(name, progress.show);
    const files = await openDataFiles(dataDir).receive();
    for (const entry of entries) {
      const dataFile = parseFile(entry.name);
      if (dataFile !== undefined) await files.require({ ...entry, name: dataFile });
    }
    const target = await openTarget(cli, databaseUrl ?? dataDir);
    return loadBackup(abortable(await openFile(name), signal), target, files, {
      revokeKeysAs: revokeKeys ? operator : undefined,
      onProgress: progress.show,
    });
  }).finally(progress.clear);
  const contents = countContents(loaded.entries);
  await cli.answer({
    json: {
      file: name,
      createdAt: loaded.manifest.createdAt,
      ...contents,
      revokedKeys: loaded.revokedKeys,
      revived: loaded.revived,
    },
    text: `Restored ${name}, as of ${loaded.manifest.createdAt}: ${describeContents(contents)}.\n${describeRevived(loaded)}${storesInFolder || contents.files === 0 ? '' : adviseCopy()}`,
  });
}

export async function runCopy(cli: Cli, to: string): Promise<void> {
  if (cli.runsForCaller) return lendToCaller(cli);
  const config = cli.readConfig();
  const place = isAddress(to) ? to : cli.resolvePath(to);
  if (
    place === config.databaseUrl ||
    (!config.databaseUrl && place === path.resolve(config.dataDir))
  )
    throw new PortalError(
      'invalid_request',
      '--to is the database that the portal uses. Give an empty one.',
    );
  // The portal reads the files of its data directory with either database.
  const keepsFiles = isAddress(to) || place === path.resolve(config.dataDir);
  const progress = createProgress(cli);
  const target = await openTarget(cli, place).catch(explainTarget);
  try {
    await withSource(cli, async ({ files, ...source }, signal) => {
      const { stored = [] } = files;
      const copied = { ...source, files: keepsFiles ? { ...files, files: stored } : files };
      const received = await openDataFiles(isAddress(to) ? config.dataDir : place).receive();
      const loaded = await loadBackup(abortable(packBackup(copied), signal), target, received, {
        onProgress: progress.show,
      }).finally(progress.clear);
      await warnOfMissing(cli, files.missing);
      const contents = countContents(loaded.entries);
      const needsFiles = isAddress(to) && config.files !== 'folder' && files.files.length > 0;
      await cli.answer({
        json: { createdAt: source.moment, ...contents, missingFiles: files.missing },
        text: `Copied ${describeContents(contents)}, as of ${source.moment.toISOString()}. Later changes are not in the copy.${needsFiles ? adviseCopy('Set PORTAL_DATABASE_URL to the new address. ') : ''}`,
      });
    });
  } finally {
    await target.rollback();
  }
}

/** The usual messages of the command line are about the portal's own database. */
function explainTarget(error: unknown): never {
  if (findFailureCause(error) === undefined && describeRefusal(error) === undefined) throw error;
  throw new BackupError(
    'not_possible',
    `The database of --to cannot be opened (${(error as Error).message}). Check its address, and that its server runs. The password can be in PGPASSWORD.`,
  );
}

function resolveBackup(cli: Cli, file: string): string {
  if (file !== '-') return cli.resolvePath(file);
  throw new PortalError(
    'invalid_request',
    'A backup is read from a file. Write standard input to a file first.',
  );
}

/** @throws `BackupError` if the reader closes the pipe, because the backup is then incomplete */
async function writeChunks(stream: Writable, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of chunks) await write(stream, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    throw new BackupError(
      'not_possible',
      'The program that reads the backup has ended before the backup. Check its messages, then run both again.',
    );
  }
}
