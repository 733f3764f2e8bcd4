import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { brokenFolders } from '../support/broken-folders.ts';
import { openContentDatabase, type ContentDatabase } from '../support/content-database.ts';
import { apply, listMistakes, writeFiles } from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { ordersCsv } from '../support/orders.ts';
import type { TestOrganization } from '../support/organization.ts';

let database: ContentDatabase;
let acme: TestOrganization;
beforeAll(async () => {
  database = await openContentDatabase();
  acme = await database.createOrganization('acme');
  writeFiles(path.join(database.datasetFolder, acme.id), {
    'orders.csv': ordersCsv,
    'managers.csv': 'Email,Region,Level\nwest@acme.example,West,1\n',
    'semicolons.csv': 'Region;Sales\nWest;1,5\n',
    'ragged.csv': 'Region,Sales\nWest,1\nEast,2,3\n',
    'umlauts.csv': Buffer.from('Region;Gr\xf6\xdfe\nWest;1,5\n', 'latin1'),
    'title.csv': `"Sales, 2024",,,,\n,,,,\n${ordersCsv}`,
    'heading.csv': `"Sales, 2024",,,,\n${ordersCsv}`,
    'note.csv': `${ordersCsv}\nExported on 2024-05-01\n`,
    'day.csv': ordersCsv.replace('2024-01-09', '2024-02-30'),
    'totals.csv': `${ordersCsv.replace(',15\n', ',n/a\n')},,,Total,70\n`,
    'paid.csv': ordersCsv
      .replace(/(?<=.)$/gm, ',2024-01-01')
      .replace(',2024-01-01', ',Paid')
      .replace(/,2024-01-01$/m, ',open'),
    'dates.csv': ordersCsv.replace(/(\d{4})-(\d\d)-(\d\d)/g, '31.12.$1'),
    'quote.csv': 'Region,Sales\n"West,1\n',
    'latin.csv': Buffer.from('Region\nK\xf6ln\n', 'latin1'),
    'empty.csv': '',
    'workbook.csv': 'PK\u0003\u0004\u0014\0[Content_Types].xml xl/workbook.xml',
    'twice.csv': 'Region,Region\nWest,East\n',
    'broken.parquet': 'not Parquet',
    'parts/1.csv': 'Region\nWest\n',
    'parts/2.csv': 'City,Sales\nBonn,1\n',
  });
});
afterAll(() => database.close());

describe('a mistake is named with file, line, column and what would be right', () => {
  it.each(brokenFolders)('$title', async ({ files, mistakes }) => {
    const before = await dumpTables(database.db);
    const applied = apply(acme.ctx, database.datasetFolder, { files, prune: true });
    expect(await listMistakes(applied)).toEqual(mistakes);
    expect(await dumpTables(database.db)).toEqual(before);
  });
});

it('the table has at least 60 broken folders, each with a mistake', () => {
  expect(brokenFolders.length).toBeGreaterThanOrEqual(60);
  expect(new Set(brokenFolders.map(({ title }) => title)).size).toBe(brokenFolders.length);
  for (const { title, mistakes } of brokenFolders)
    expect([title, mistakes]).not.toEqual([title, []]);
});
