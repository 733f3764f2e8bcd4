import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { TestProject } from 'vitest/node';

import { openDatabase } from '../../src/db/connection/open.ts';

const portal = fileURLToPath(new URL('../../', import.meta.url));
const cache = path.join(portal, 'node_modules/.cache/embedded-databases');

/**
 * Creating an embedded database takes seconds and copying one does not: each test gets a copy. The
 * database is kept for later runs until a migration or the code that creates it changes.
 */
export default async function setup(project: TestProject): Promise<void> {
  const template = path.join(cache, digestSources());
  if (!fs.existsSync(template)) {
    fs.mkdirSync(cache, { recursive: true });
    // Deletes outdated templates; each takes 40 MB.
    for (const name of fs.readdirSync(cache).filter((each) => !each.startsWith('new-')))
      fs.rmSync(path.join(cache, name), { recursive: true });
    // Other processes must not see a database that is not complete.
    const folder = fs.mkdtempSync(path.join(cache, 'new-'));
    const dataDir = path.join(folder, 'database');
    const { close } = await openDatabase({ dataDir });
    await close();
    // Another process may have been faster.
    if (!fs.existsSync(template)) fs.renameSync(dataDir, template);
    fs.rmSync(folder, { recursive: true });
  }
  project.provide('embeddedTemplate', template);
}

/** Returns a digest of everything that decides what a new database is like. */
function digestSources(): string {
  const digest = createHash('sha256');
  for (const folder of ['migrations', 'src/db', 'node_modules/@electric-sql/pglite/package.json'])
    for (const file of listFiles(path.join(portal, folder))) digest.update(fs.readFileSync(file));
  return digest.digest('hex').slice(0, 16);
}

function listFiles(target: string): string[] {
  if (fs.statSync(target).isFile()) return [target];
  return fs
    .readdirSync(target)
    .toSorted()
    .flatMap((name) => listFiles(path.join(target, name)));
}
