import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { formatMistake } from '../src/content/mistakes.ts';
import { applyContent, ContentError } from '../src/content/service.ts';
import { openDatabase, type OpenDatabase } from '../src/db/connection/open.ts';
import { brokenFolders } from './support/broken-folders.ts';
import { writeFiles } from './support/content-files.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { dumpTables } from './support/dump.ts';
import {
  createTestOrganization,
  ordersCsv,
  type TestOrganization,
} from './support/organization.ts';

let database: TestDatabase;
let opened: OpenDatabase;
let acme: TestOrganization;
let datasetFolder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  opened = await openDatabase(database);
  acme = await createTestOrganization(
    { db: opened.db, publicUrl: 'http://localhost:4000' },
    'acme',
  );
  datasetFolder = path.join(database.dataDir, 'datasets');
  writeFiles(path.join(datasetFolder, acme.id), {
    'orders.csv': ordersCsv,
    'managers.csv': 'Email,Region,Level\nwest@acme.example,West,1\n',
    'semicolons.csv': 'Region;Sales\nWest;1,5\n',
    'ragged.csv': 'Region,Sales\nWest,1\nEast,2,3\n',
    'quote.csv': 'Region,Sales\n"West,1\n',
    'latin.csv': Buffer.from('Region\nK\xf6ln\n', 'latin1'),
    'empty.csv': '',
    'twice.csv': 'Region,Region\nWest,East\n',
    'broken.parquet': 'not Parquet',
    'parts/1.csv': 'Region\nWest\n',
    'parts/2.csv': 'Region,Sales\nWest,1\n',
  });
});
afterAll(async () => {
  await opened.close();
  await database.remove();
});

const findMistakes = (files: Record<string, string>): Promise<string[]> =>
  applyContent(acme.ctx, { datasetFolder }, { files, prune: true }).then(
    () => [],
    (error: unknown) => {
      if (error instanceof ContentError) return error.mistakes.map(formatMistake);
      throw error;
    },
  );

describe('a mistake is named with file, line, column and what would be right', () => {
  it.each(brokenFolders)('$title', async ({ files, mistakes }) => {
    const before = await dumpTables(opened.db);
    expect(await findMistakes(files)).toEqual(mistakes);
    expect(await dumpTables(opened.db)).toEqual(before);
  });
});

it('the table has at least 60 broken folders, each with a mistake', () => {
  expect(brokenFolders.length).toBeGreaterThanOrEqual(60);
  expect(new Set(brokenFolders.map(({ title }) => title)).size).toBe(brokenFolders.length);
  for (const { title, mistakes } of brokenFolders)
    expect([title, mistakes]).not.toEqual([title, []]);
});
