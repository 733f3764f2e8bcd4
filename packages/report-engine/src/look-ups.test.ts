import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import type { RowPredicate } from '@portal-embed/report-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { testLookUps } from '../test/look-ups/cases.ts';
import { writeFiles } from '../test/look-ups/tables.ts';
import { ContentStage, storeDataset } from '../test/support/content.ts';
import { LookUpLimitError } from './plan/look-ups.ts';

const stage = new ContentStage();
const fileOf = (table: string) => path.join(stage.folder, 'acme', `${table}.parquet`);
beforeAll(() => writeFiles(fileOf));
afterAll(() => stage.close());

describe('over files,', () => {
  testLookUps(() => ({ stage, sourceOf: (table) => ({ file: `${table}.parquet` }) }));
});

describe('a look-up with many rows', () => {
  const counts = { half: 50_000, more: 50_001, all: 100_000 };
  const readers = Object.keys(counts) as (keyof typeof counts)[];

  beforeAll(async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const write = (table: string, select: string) =>
      connection.run(`COPY (${select}) TO '${fileOf(table)}' (FORMAT parquet)`);
    await write(
      'pairs',
      `SELECT 'c' || (i // 1000) AS "Country", 'p' || (i % 1000) AS "Product" FROM range(200000) AS r(i)`,
    );
    const ofReader = (reader: keyof typeof counts) =>
      `SELECT '${reader}@x.example' AS email, 'c' || (i // 1000) AS country, 'p' || (i % 1000) AS product,
        '${reader}-' || i AS person, CASE WHEN i > 0 THEN '${reader}@x.example' END AS boss
        FROM range(${counts[reader]}) AS r(i)`;
    await write('many', readers.map(ofReader).join(' UNION ALL '));
    await write(
      'long',
      `SELECT 'short@x.example' AS email, repeat('é', 95) || i AS text, NULL AS list FROM range(20000) AS r(i)
        UNION ALL SELECT 'long@x.example', repeat('é', 105) || i, NULL FROM range(20000) AS r(i)
        UNION ALL SELECT 'huge@x.example', repeat('x', 1000) || i, NULL FROM range(20000) AS r(i)
        UNION ALL SELECT 'list@x.example', NULL, string_agg('v' || i, ';') FROM range(50001) AS r(i)
        UNION ALL SELECT 'lists@x.example', string_agg('v' || i, ';'), string_agg('w' || i, ';') FROM range(300) AS r(i)`,
    );
    connection.closeSync();
  });

  let count = 0;
  const countRows = async (reader: string, rows: RowPredicate) =>
    (
      await stage.compute({ source: { file: 'pairs.parquet' } }, [{ type: 'text', text: 'x' }], {
        visibleRows: [rows],
        // A user who has just used much of the event loop would wait.
        userId: `reader ${(count += 1)}`,
        viewer: { email: [`${reader}@x.example`], department: [], groups: [], companies: [] },
        findDataset: async (slug) =>
          storeDataset({ name: slug, source: { file: `${slug}.parquet` } }),
      })
    ).rowCount;

  const fields = { Country: 'country', Product: 'product' };
  const many = { lookup: 'many', key: 'email', viewer: 'email' } as const;
  const long = { lookup: 'long', key: 'email', viewer: 'email' } as const;
  const pairs: RowPredicate = { matches: { ...many, fields } };
  const people: RowPredicate = {
    field: 'Product',
    notIn: { ...many, key: 'person', value: 'person', through: 'boss' },
  };

  it('may return 50,000 of them for one reader', async () => {
    expect(await countRows('half', pairs)).toBe(50_000);
    expect(await countRows('half', { not: pairs })).toBe(150_000);
    expect(await countRows('half', people)).toBe(200_000);
  }, 60_000);

  it.each(['more', 'all'])('is an error with more of them (%s)', async (reader) => {
    const list: RowPredicate = { field: 'Product', in: { ...many, value: 'person' } };
    for (const rows of [pairs, list]) {
      const counted = countRows(reader, { not: rows });
      await expect(counted).rejects.toThrow(LookUpLimitError);
      await expect(counted).rejects.toThrow(
        'The look-up in "many" returns more than 50,000 rows for one reader.',
      );
    }
  });

  it('is an error with more than 50,000 people below the reader', async () => {
    await expect(countRows('all', people)).rejects.toThrow(LookUpLimitError);
  });

  const others = (value: string, split?: string): RowPredicate => ({
    field: 'Product',
    notIn: { ...long, value, split },
  });

  it('may return just less than 4 MB for one reader', async () => {
    expect(await countRows('short', others('text'))).toBe(200_000);
  });

  it.each([
    ['long', 'text', '4 MB of text'],
    ['huge', 'text', '4 MB of text'],
    ['list', 'list', '50,000 rows'],
  ])('is an error with more text or values (%s)', async (reader, value, what) => {
    const counted = countRows(reader, others(value, ';'));
    await expect(counted).rejects.toThrow(LookUpLimitError);
    await expect(counted).rejects.toThrow(
      `The look-up in "long" returns more than ${what} for one reader.`,
    );
  });

  it('is an error if the lists of one row have too many pairs', async () => {
    const match = { ...long, fields: { Country: 'text', Product: 'list' }, split: ';' };
    await expect(countRows('lists', { matches: match })).rejects.toThrow(LookUpLimitError);
  });
});
