import fs from 'node:fs';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import {
  csvSchema,
  formatSchema,
  type CsvOptions,
  type FieldDefinition,
} from '@portal-embed/report-model';
import { createTemporaryFolder } from 'test-support';
import { describe, expect, it, onTestFinished } from 'vitest';

import { DataFileError } from '../storage/data-file-error.ts';
import { folderFiles } from '../storage/folder-files.ts';
import { storeSource } from './data-files.ts';

function showProblems(error: unknown): never {
  if (!(error instanceof DataFileError)) throw error;
  throw new Error(error.found.problems.map(({ message }) => message).join('\n'), { cause: error });
}

/** Stores the files of a pattern, and reads them as the engine does. */
async function store(
  contents: Record<string, string | Buffer>,
  csv: Partial<CsvOptions> = {},
  fields: FieldDefinition[] = [],
) {
  const root = createTemporaryFolder('portal-data-');
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const dataFolder = path.join(root, 'data');
  fs.mkdirSync(dataFolder);
  for (const [name, content] of Object.entries(contents))
    fs.writeFileSync(path.join(dataFolder, name), content);
  const place = { files: folderFiles(root).of('acme'), organizationId: 'acme', dataFolder };
  const source = { files: '*', csv: csvSchema.parse(csv) };
  const { files, columns, hints, questions } = await storeSource(place, { source, fields }).catch(
    showProblems,
  );
  const connection = await (await DuckDBInstance.create()).connect();
  const paths = files.map((file) => `'${path.join(root, 'acme', file)}'`).join(', ');
  const result = await connection.runAndReadAll(
    `SELECT * FROM read_parquet([${paths}], union_by_name = true)`,
  );
  connection.closeSync();
  expect(result.columnNames()).toEqual(columns.map(({ name }) => name));
  return {
    types: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    stored: result.columnTypes().map(String),
    rows: result.getRowsJson(),
    hints,
    questions,
  };
}

describe('several files of one pattern', () => {
  it('are matched by the names of their columns, in any order', async () => {
    const { types, rows, hints } = await store({
      '1.csv': 'Region,Sales\nWest,1\n',
      '2.csv': 'Sales,Region\n2,East\n',
    });
    expect(types).toEqual({ Region: 'text', Sales: 'integer' });
    expect(rows).toEqual([
      ['West', '1'],
      ['East', '2'],
    ]);
    expect(hints).toEqual([]);
  });

  it('may each have another encoding, if only one is likely', async () => {
    const { rows, hints } = await store({
      '1.csv': 'Region,Sales\nKöln,1\n',
      '2.csv': Buffer.from('Region,Sales\nM\xfcnchen,7\n', 'latin1'),
    });
    expect(rows).toEqual([
      ['Köln', '1'],
      ['München', '7'],
    ]);
    expect(hints).toEqual([
      '2.csv: the file is not UTF-8, and is read as windows-1252 ("München")',
    ]);
  });

  it('may each have another delimiter', async () => {
    const { rows, hints } = await store({
      '1.csv': 'Region,Sales\nWest,1\n',
      '2.csv': 'Region;Sales\nEast;2\n',
    });
    expect(rows).toEqual([
      ['West', '1'],
      ['East', '2'],
    ]);
    expect(hints).toEqual(['2.csv: the values are separated by ";"']);
  });

  it('are asked about if the numbers of one have two interpretations', async () => {
    const { questions } = await store(
      { '1.csv': 'A;B\nx;1.204\n', '2.csv': 'A;B\ny;1.204,50\n' },
      { delimiter: ';' },
    );
    expect(questions).toMatchObject([{ file: '1.csv', about: 'numbers' }]);
  });

  it('of which one has another encoding than the declared one are refused', async () => {
    const contents = { '1.csv': 'A,B\nx,1\n', '2.csv': 'A,B\nKöln,1\n' };
    await expect(store(contents, { encoding: 'windows-1252' })).rejects.toThrow(
      '2.csv: the file is UTF-8, and windows-1252 reads "Köln" in line 2 as "KÃ¶ln"; remove encoding under csv',
    );
  });

  it.each([
    ['whole numbers and decimals', '1', '2.5', 'number', [1, 2.5]],
    [
      'dates and times',
      '2024-01-01',
      '2024-01-02 10:00',
      'datetime',
      ['2024-01-01 00:00:00', '2024-01-02 10:00:00'],
    ],
    ['whole numbers and no values', '1', '', 'integer', ['1', null]],
    ['decimals and no values', '', '2.5', 'number', [null, 2.5]],
    ['texts and no values', 'x', '', 'text', ['x', null]],
    ['codes with and without a leading zero', '80331', '01067', 'text', ['80331', '01067']],
    ['whole numbers and a word', '1', 'n/a', 'text', ['1', 'n/a']],
    ['truth values and numbers', 'true', '1', 'text', ['true', '1']],
    ['dates and numbers', '2024-01-01', '5', 'text', ['2024-01-01', '5']],
    [
      'digits that a double would round, and decimals',
      '9007199254740993',
      '1.5',
      'text',
      ['9007199254740993', '1.5'],
    ],
    ['digits beyond 64 bits', '1', '12345678901234567890', 'text', ['1', '12345678901234567890']],
  ])('have a common type: %s', async (_, one, other, type, values) => {
    for (const isTurned of [false, true]) {
      const order = isTurned ? [other, one] : [one, other];
      const { types, stored, rows } = await store(
        Object.fromEntries(order.map((value, index) => [`${index}.csv`, `A,B\nx,${value}\n`])),
      );
      expect(types['B']).toBe(type);
      expect(new Set(stored).size).toBe(type === 'text' ? 1 : 2);
      expect(rows.map((row) => row[1])).toEqual(isTurned ? values.toReversed() : values);
    }
  });

  it.each([
    ['percents and plain numbers', '12.5%', '25.5', formatSchema.parse('percent')],
    ['euros and pounds', '€5', '£4', formatSchema.parse({ style: 'currency', currency: 'EUR' })],
  ])(
    '%s are no numbers of one column, also if its field has a format',
    async (_, one, other, format) => {
      for (const fields of [[], [{ name: 'B', format }]]) {
        const files = { '1.csv': `A,B\nx,${one}\n`, '2.csv': `A,B\ny,${other}\n` };
        const { types, rows } = await store(files, {}, fields);
        expect([types['B'], ...rows.map(([, value]) => value)]).toEqual(['text', one, other]);
      }
    },
  );

  it('are named if their types or columns differ', async () => {
    const { types, rows, hints } = await store({
      '1.csv': 'Region,Sales,Cost\nWest,1,2\n',
      '2.csv': 'region,Sales,Channel\nEast,n/a,Web\n',
      '3.csv': 'Region,Sales,Cost\nNorth,3,4\n',
    });
    expect(types).toEqual({ Region: 'text', Sales: 'text', Cost: 'integer', Channel: 'text' });
    expect(rows).toEqual([
      ['West', '1', '2', null],
      ['East', 'n/a', null, 'Web'],
      ['North', '3', '4', null],
    ]);
    expect(hints).toEqual([
      '2.csv: column "Sales" is text because of "n/a" in line 2; in other files, it is integer',
      'the column "Region" is named "region" in 2.csv, and is read as the same column',
      'the column "Sales" becomes text in all files, because it is text in 2.csv; in the other files it is integer',
      'the column "Cost" is missing in 2.csv, and is null for its rows',
      'the column "Channel" is missing in 1.csv, 3.csv, and is null for their rows',
    ]);
  });

  it('with nothing in common are refused', async () => {
    await expect(
      store({ '1.csv': 'Region,Sales\nWest,1\n', 'read me.csv': 'Text,Author\nHello,Ann\n' }),
    ).rejects.toThrow('read me.csv has no column of 1.csv: Text, Author instead of Region, Sales');
  });

  it('keep a declared type, and a value that it does not read is refused', async () => {
    const fields = [{ name: 'B', type: 'decimal' as const }];
    const { types } = await store({ '1.csv': 'A,B\nx,1\n', '2.csv': 'A,B\ny,2.5\n' }, {}, fields);
    expect(types['B']).toBe('decimal');
    await expect(
      store({ '1.csv': 'A,B\nx,1\n', '2.csv': 'A,B\ny,n/a\n' }, {}, fields),
    ).rejects.toThrow('2.csv: line 2 has "n/a"');
  });

  it('can be Parquet, whose types are widened, but not to text', async () => {
    const folder = createTemporaryFolder('portal-parquet-');
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const connection = await (await DuckDBInstance.create()).connect();
    const write = async (sql: string) => {
      await connection.run(`COPY (${sql}) TO '${folder}/a' (FORMAT parquet)`);
      return fs.readFileSync(path.join(folder, 'a'));
    };
    const whole = await write("SELECT 'x' AS A, 1 AS B");
    const decimals = await write('SELECT 2.5::DOUBLE AS B');
    const texts = await write("SELECT 'n/a' AS B");
    connection.closeSync();
    const { types, rows, hints } = await store({ '1.parquet': whole, '2.parquet': decimals });
    expect([types, rows]).toEqual([
      { A: 'text', B: 'number' },
      [
        ['x', 1],
        [null, 2.5],
      ],
    ]);
    expect(hints).toEqual(['the column "A" is missing in 2.parquet, and is null for its rows']);
    expect((await store({ '1.parquet': decimals, '2.csv': 'B\n7\n' })).rows).toEqual([[2.5], [7]]);
    expect((await store({ '1.parquet': texts, '2.csv': 'B\n7\n' })).rows).toEqual([['n/a'], ['7']]);
    await expect(store({ '1.parquet': whole, '2.parquet': texts })).rejects.toThrow(
      'the column "B" is integer in 1.parquet and text in other files; export it with one type',
    );
  });
});
