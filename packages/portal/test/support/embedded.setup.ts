import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'testing';
import type { TestProject } from 'vitest/node';

import { openDatabase } from '../../src/db/connection/open.ts';

/** Creating an embedded database takes seconds and copying one does not: each test gets a copy. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = createTemporaryFolder('portal-template-');
  // A new folder, whose mode a test reads.
  const template = path.join(folder, 'new');
  const { close } = await openDatabase({ dataDir: template });
  await close();
  project.provide('testDatabase', { kind: 'embedded', template });
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
