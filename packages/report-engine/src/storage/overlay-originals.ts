import { matchesPattern, requireFew } from './file-pattern.ts';
import type { Originals } from './files.ts';
import { describeLocal } from './local-file.ts';

/**
 * Lays new files over an organization's files, before they are stored.
 *
 * @param files paths on this machine by the names of the files
 */
export const overlayOriginals = (
  below: Originals,
  files: ReadonlyMap<string, string>,
): Originals => ({
  find: async (name) => {
    const file = files.get(name);
    return file === undefined ? below.find(name) : describeLocal(file);
  },
  list: async (pattern) => {
    const added = [...files.keys()].filter((name) => matchesPattern(name, pattern));
    const names = new Set([...(await below.list(pattern)), ...added]);
    return requireFew([...names].toSorted(), pattern);
  },
});
