import fs from 'node:fs';

import { createTemporaryFolder } from 'testing';
import type { TestProject } from 'vitest/node';

import { openDatabase } from '../../src/db/connection/open.ts';

/** Creating an embedded database takes seconds and copying one does not: each test gets a copy. */
export default async function setup(project: TestProject): Promise<() => void> {
  const template = createTemporaryFolder('portal-template-');
  const { close } = await openDatabase({ dataDir: template });
  await close();
  project.provide('testDatabase', { kind: 'embedded', template });
  return () => fs.rmSync(template, { recursive: true, force: true });
}
