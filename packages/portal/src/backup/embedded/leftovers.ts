import fs from 'node:fs/promises';
import path from 'node:path';

/** Removes the folders of the data directory whose names begin with `prefix`. */
export async function removeFolders(dataDir: string, prefix: string): Promise<void> {
  for (const name of await fs.readdir(dataDir))
    if (name.startsWith(prefix))
      await fs.rm(path.join(dataDir, name), { recursive: true, force: true });
}
