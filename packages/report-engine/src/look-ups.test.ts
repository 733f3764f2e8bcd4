import path from 'node:path';

import { afterAll, beforeAll, describe } from 'vitest';

import { testLookUps } from '../test/look-ups/cases.ts';
import { writeFiles } from '../test/look-ups/tables.ts';
import { ContentStage } from '../test/support/content.ts';

const stage = new ContentStage();
beforeAll(() => writeFiles((table) => path.join(stage.folder, 'acme', `${table}.parquet`)));
afterAll(() => stage.close());

describe('over files,', () => {
  testLookUps(() => ({ stage, sourceOf: (table) => ({ file: `${table}.parquet` }) }));
});
