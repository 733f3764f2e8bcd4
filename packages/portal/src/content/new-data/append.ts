import path from 'node:path';

import type { FileDatasetSource } from '@portal-embed/report-model';

import { matchesPattern, toSlug } from '#report-engine';

import { PortalError } from '../../errors.ts';

/** Where a further file of a dataset is stored. */
export interface Appended {
  name: string;
  /** If the dataset had one file: the pattern that takes its place, and where the file is copied. */
  pattern?: { files: string; first: { from: string; to: string } };
}

/**
 * Chooses the name of a further file.
 *
 * @param taken names of the organization's files
 * @param fileName the name that its author gave it
 * @throws `invalid_request` if no name matches the pattern of the dataset
 */
export function nameAppended(
  source: FileDatasetSource,
  taken: ReadonlySet<string>,
  fileName: string,
): Appended {
  if ('files' in source) return { name: nameInPattern(source.files, taken, fileName) };
  const { file } = source;
  const { ext: extension, name: base } = path.posix.parse(file);
  requireExtension(file, extension, fileName);
  const folder = findFolder(base, taken);
  const first = `${folder}/${path.posix.basename(file)}`;
  const name = findFree(
    new Set([first]),
    (suffix) => `${folder}/${stem(fileName)}${suffix}${extension}`,
  );
  return { name, pattern: { files: `${folder}/*${extension}`, first: { from: file, to: first } } };
}

/** A folder that no file is in, so that the pattern matches only the files of the dataset. */
function findFolder(base: string, taken: ReadonlySet<string>): string {
  const folders = new Set([...taken].map((name) => name.split('/')[0]!));
  return findFree(folders, (suffix) => `${toSlug(base)}${suffix}`);
}

function nameInPattern(pattern: string, taken: ReadonlySet<string>, fileName: string): string {
  const { dir, base: last, ext: extension } = path.posix.parse(pattern);
  requireExtension(pattern, extension, fileName);
  const folder = [...taken].find((name) => matchesPattern(name, pattern));
  const below = /[*?]/.test(dir) ? path.posix.dirname(folder ?? '.') : dir;
  const join = (name: string) => path.posix.join(below, name);
  const candidates = [
    (suffix: string) => `${stem(fileName)}${suffix}${extension}`,
    // The first wildcard stands for the name, and others for nothing.
    (suffix: string) => last.replace('*', `${stem(fileName)}${suffix}`).replaceAll('*', ''),
  ];
  for (const candidate of candidates) {
    if (!matchesPattern(join(candidate('')), pattern)) continue;
    const free = findFree(taken, (suffix) => join(candidate(suffix)));
    if (matchesPattern(free, pattern)) return free;
  }
  throw new PortalError(
    'invalid_request',
    `The name ${fileName} does not match ${pattern}, the files of this dataset.`,
    { advice: 'Give the file a name that matches.' },
  );
}

function requireExtension(known: string, extension: string, fileName: string): void {
  if (kindOf(extension) === kindOf(path.extname(fileName))) return;
  throw otherKind(known, fileName);
}

/** A file of another kind has other options. */
export const otherKind = (known: string, fileName: string) =>
  new PortalError(
    'invalid_request',
    `The dataset reads ${known}, and ${fileName} is a file of another kind.`,
    {
      advice: `Save it as ${path.extname(known)}, or change the source in the definition of the dataset.`,
    },
  );

/** Files of one kind can replace each other. */
export function kindOf(extension: string): string {
  const lower = extension.toLowerCase();
  return { '.tsv': '.csv', '.txt': '.csv', '.xlsm': '.xlsx' }[lower] ?? lower;
}

const stem = (fileName: string) => toSlug(path.parse(fileName).name);

function findFree(taken: ReadonlySet<string>, nameOf: (suffix: string) => string): string {
  for (let number = 1; ; number += 1) {
    const name = nameOf(number === 1 ? '' : `-${number}`);
    if (!taken.has(name)) return name;
  }
}
