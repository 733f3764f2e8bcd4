import fs from 'node:fs';
import path from 'node:path';

import { csvSchema } from '@portal-embed/report-model';
import { folderFiles, storeVersion } from 'report-engine/testing/internals';
import { createTemporaryFolder } from 'test-support';
import type { TestProject } from 'vitest/node';

import { typescriptChildren } from '../../../tooling/vitest.children.ts';
import { ordersCsv } from './orders.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with the stored version of `orders.csv`. */
    preparedVersions: string;
  }
}

/** Converts `orders.csv` once, because that takes longer than most tests. Each organization gets a copy. */
export default async function setup(project: TestProject): Promise<() => void> {
  const root = createTemporaryFolder('portal-versions-');
  const place = { files: folderFiles(root).of('prepared'), organizationId: 'prepared' };
  const file = path.join(root, 'orders.csv');
  fs.writeFileSync(file, ordersCsv);
  const { NODE_OPTIONS } = process.env;
  Object.assign(process.env, typescriptChildren);
  try {
    await storeVersion(place, file, { csv: csvSchema.parse({}), fields: {} });
  } finally {
    if (NODE_OPTIONS === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = NODE_OPTIONS;
  }
  project.provide('preparedVersions', path.join(root, place.organizationId, '.versions'));
  return () => fs.rmSync(root, { recursive: true });
}
