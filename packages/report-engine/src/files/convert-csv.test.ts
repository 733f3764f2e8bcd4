import fs from 'node:fs';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';

const { folder, run, convert } = createConverter();

const latin = (text: string) => Buffer.from(text, 'latin1');

describe('converting a CSV file', () => {
  it('a file has at most 2,000 columns', async () => {
    const wide = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(',');
    await expect(convert(`${wide}\n`)).rejects.toThrow(
      'the file has 100000 columns, but the maximum is 2000',
    );
  });

  it('a Parquet file has at most 2,000 columns, and must be valid', async () => {
    const wide = path.join(folder(), 'wide.parquet');
    const columns = Array.from({ length: 2_001 }, (_, index) => `1 AS c${index}`).join(', ');
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`COPY (SELECT ${columns}) TO '${wide}' (FORMAT parquet)`);
    connection.closeSync();
    const describeFile = (source: string) => run({ kind: 'describe', source });
    await expect(describeFile(wide)).rejects.toThrow(
      'the file has 2001 columns, but the maximum is 2000',
    );
    const broken = path.join(folder(), 'broken.parquet');
    fs.writeFileSync(broken, 'not Parquet');
    await expect(describeFile(broken)).rejects.toThrow(
      'the file is not valid Parquet; export it again',
    );
  });

  it('a title above the names of the columns is refused with the line of the names', async () => {
    const title = `Sales by region, ${'x'.repeat(100)}`;
    await expect(
      convert(`"${title}",,\n,,\nRegion,Day,Sales\nWest,2024-01-03,1\n`),
    ).rejects.toThrow(
      `the first row has only "${title.slice(0, 60)}", and the names of the columns are probably in line 3; write skip: 2 under csv`,
    );
  });

  it('a file of 400 columns is converted within seconds', async () => {
    const row = (cell: (index: number) => unknown) =>
      Array.from({ length: 400 }, (_, index) => cell(index)).join(',');
    const { types } = await convert(`${row((index) => `c${index}`)}\n${row(() => 1)}\n`);
    expect(Object.values(types)).toEqual(Array(400).fill('integer'));
  });

  it('a CSV file may have columns with the names that its inspection uses', async () => {
    const { types } = await convert('name,value,"a ""b"" \'c\'",*\n1,2024-01-01,x,true\n,,,\n');
    expect(types).toEqual({
      name: 'integer',
      value: 'date',
      'a "b" \'c\'': 'text',
      '*': 'boolean',
    });
  });

  it('a CSV column gets the first type that fits all values', async () => {
    const { types, rows, columns, target } = await convert(
      'Text,Day,Time,Number,Whole,Flag,Code\n' +
        'West,2024-01-03,2024-01-03 10:00,1.5,9223372036854775807,true,01234\n' +
        ',,,,,,\n' +
        '"a ""b"", c",2024-02-29,2024-01-03T10:00:01.5,-2e3,-1,FALSE,99999\n',
    );
    expect(types).toEqual({
      Text: 'text',
      Day: 'date',
      Time: 'datetime',
      Number: 'number',
      Whole: 'integer',
      Flag: 'boolean',
      Code: 'text',
    });
    expect(rows).toEqual([
      ['West', '2024-01-03', '2024-01-03 10:00:00', 1.5, '9223372036854775807', true, '01234'],
      [null, null, null, null, null, null, null],
      ['a "b", c', '2024-02-29', '2024-01-03 10:00:01.5', -2000, '-1', false, '99999'],
    ]);
    expect((await run({ kind: 'describe', source: target })).columns).toEqual(columns);
  });

  it('a CSV column has times with microseconds', async () => {
    const { types, rows } = await convert('At\n2024-01-03T10:00:01.123456\n');
    expect([types, rows]).toEqual([{ At: 'datetime' }, [['2024-01-03 10:00:01.123456']]]);
  });

  it.each([
    ['a value that is no number', 'x\n1\n2\nn/a\n'],
    ['NaN and infinity', 'x\nnan\ninf\n1\n'],
    ['a date that does not exist', 'x\n2024-02-30\n2024-01-01\n'],
    ['a value after ten thousand numbers', `x\n${'1\n'.repeat(10_500)}z\n`],
  ])('a CSV column with %s stays text', async (_, csv) => {
    expect((await convert(csv)).types).toEqual({ x: 'text' });
  });

  it('a CSV file in windows-1252 with decimal commas, thousands and German dates is read', async () => {
    const csv = latin(
      'Datum;Betrag;Name\n31.12.2024;1.234,50;M\xfcller \x80\n01.02.2025 18:30;-3,25;Gro\xdf\n',
    );
    const options = { delimiter: ';', decimal: ',', thousands: '.', date: '%d.%m.%Y' } as const;
    const { types, rows } = await convert(
      csv,
      { ...options, encoding: 'windows-1252' },
      { Datum: 'datetime' },
    );
    expect(types).toEqual({ Datum: 'datetime', Betrag: 'number', Name: 'text' });
    expect(rows).toEqual([
      ['2024-12-31 00:00:00', 1234.5, 'Müller €'],
      ['2025-02-01 18:30:00', -3.25, 'Groß'],
    ]);
  });

  it.each([
    ['utf-16, little-endian', Buffer.from('\uFEFFa,b\n1,ü\n', 'utf16le'), 'utf-16'],
    ['utf-16, big-endian', Buffer.from('\uFEFFa,b\n1,ü\n', 'utf16le').swap16(), 'utf-16'],
    ['utf-8 with a mark', Buffer.from('\uFEFFa,b\n1,ü\n'), 'utf-8'],
    ['latin-1', latin('a,b\n1,\xfc\n'), 'latin-1'],
  ] as const)('reads %s, and leaves no copy', async (_, csv, encoding) => {
    const { types, rows, target } = await convert(csv, { encoding });
    expect([types, rows]).toEqual([{ a: 'integer', b: 'text' }, [['1', 'ü']]]);
    const stem = path.basename(target, '.parquet');
    const files = fs.readdirSync(folder()).filter((name) => name.startsWith(`${stem}.`));
    expect(files).toEqual([`${stem}.csv`, `${stem}.parquet`]);
  });

  it.each([
    ['13/01/2024', 'write date: "%d/%m/%Y" under csv'],
    ['01/13/2024', 'write date: "%m/%d/%Y" under csv'],
  ])('a hint for a column with the date %s says %s', async (date, advice) => {
    const { hints } = await convert(`x\n${date}\n01/02/2024\n`);
    expect(hints).toEqual([expect.stringContaining(advice)]);
  });

  it('a column in which day and month are ambiguous is asked about', async () => {
    const { hints, questions } = await convert('x,y\n12/12/2024,a\n01/02/2024,b\n');
    expect(hints).toEqual([]);
    expect(questions).toEqual([
      {
        about: 'dates',
        interpretations: [
          ['%d/%m/%Y', '2024-02-01'],
          ['%m/%d/%Y', '2024-01-02'],
        ].map(([date, read]) => ({
          options: {},
          fields: { x: { date } },
          columns: [
            {
              name: 'x',
              values: [
                { text: '01/02/2024', read },
                { text: '12/12/2024', read: '2024-12-12' },
              ],
            },
          ],
        })),
      },
    ]);
  });

  it('a hint names the options for text that looks like numbers or dates', async () => {
    const csv = 'A;B;C;D\n1,5;31.12.2024;03/04/2024;1.234,5\n2;01.02.2024;05/06/2024;7\n';
    const { types, hints, questions } = await convert(csv, { delimiter: ';' });
    expect(questions).toMatchObject([
      { about: 'dates', interpretations: [{ fields: { C: {} } }, {}] },
    ]);
    expect(new Set(Object.values(types))).toEqual(new Set(['text']));
    expect(hints.map((hint) => hint.replace(/^.* like /, ''))).toEqual([
      'numbers with a decimal comma (1,5); write decimal: "," under csv',
      'dates (31.12.2024); write date: "%d.%m.%Y" under csv',
      'numbers with a decimal comma (1.234,5); write decimal: "," and thousands: "." under csv',
    ]);
  });

  it.each([
    ['1.234,5\n2.345,6\n', ['write decimal: "," and thousands: "." under csv']],
    ['1,5\n2,5\nn/a\n', ['"n/a" in line 4; the other values are numbers']],
    ['12/13/2020\n11/14/2020\n', ['dates (12/13/2020); write date: "%m/%d/%Y" under csv']],
    ['13-12-2020\n14-11-2020\n', ['dates (14-11-2020); write date: "%d-%m-%Y" under csv']],
  ])('a hint on %j names what the decimal comma does not read', async (values, hints) => {
    const found = await convert(`x\n${values}`, { delimiter: ';', decimal: ',' });
    expect(found.hints).toEqual(hints.map((hint) => expect.stringContaining(hint)));
  });

  it.each([
    ['one value', '1\n2\nn/a\n', '"n/a" in line 4; the other values are whole numbers'],
    [
      'some values of many',
      `${'1.5\n'.repeat(100)}-\n-\n`,
      '2 values, such as "-" in line 102; the other values are numbers',
    ],
    [
      'a value after ten thousand dates',
      `${'2024-01-31\n'.repeat(10_500)}Total\n`,
      '"Total" in line 10502; the other values are dates',
    ],
    ['a value after a value of two lines', '1\n2\n"a\nb"\n', '"a\nb" in line 4'],
  ])('a hint names %s that keep a column from having a type', async (_, values, odd) => {
    const { types, hints } = await convert(
      `x,y\n${values.replaceAll(/(\n|^)(?=.)(?!b")/g, '$1z,')}`,
    );
    expect(types['y']).toBe('text');
    expect(hints).toEqual([expect.stringContaining(`column "y" is text because of ${odd}`)]);
  });

  it('a hint names options, and the value that they do not read', async () => {
    const { hints } = await convert(
      'A;B\n31.12.2024;1.234,50 €\nTotal;7,00 €\n30.12.2024;1,00 €\n',
      {
        delimiter: ';',
      },
    );
    expect(hints).toEqual([
      'column "A" is text, but most values look like dates (31.12.2024); write date: "%d.%m.%Y" under csv, and correct "Total" in line 3',
      'column "B" is text, but its values look like numbers with a decimal comma and the sign € (7,00 €); write decimal: "," and thousands: "." under csv',
    ]);
  });

  it.each([
    ['postal codes', '80331\n10115\n01067\n'],
    ['texts', 'West\nEast\n1\n'],
    ['many exceptions', `${'1\n'.repeat(100)}${'a\n'.repeat(6)}`],
  ])('a column of %s has no hint', async (_, values) => {
    expect((await convert(`x\n${values}`)).hints).toEqual([]);
  });

  it('a column that is declared as text has no hint', async () => {
    expect((await convert('x\n1\n2\nn/a\n', {}, { x: 'text' })).hints).toEqual([]);
  });

  it('declared types are read, decimals exactly', async () => {
    const csv = 'id,price,day\n1,0.10,2024-01-01\n02,12345678901234567890.123,\n';
    const { types, rows, columns, target } = await convert(
      csv,
      {},
      { id: 'text', price: 'decimal', day: 'datetime' },
    );
    expect(types).toEqual({ id: 'text', price: 'decimal', day: 'datetime' });
    expect(rows).toEqual([
      ['1', '0.1000000000', '2024-01-01 00:00:00'],
      ['02', '12345678901234567890.1230000000', null],
    ]);
    expect((await run({ kind: 'describe', source: target })).columns).toEqual(columns);
  });

  it.each([
    ['that does not end', 'x'.repeat(50_000_000)],
    ['before another line', `${'x'.repeat(1_500_000)}\n1\n`],
    ['with a quote that is not closed', `"a\n${'1\n'.repeat(1_000_000)}`],
  ])('a first line of more than 1 MB %s is refused', async (_name, text) => {
    await expect(convert(text)).rejects.toThrow(
      'the first line of the file has more than 1 MB; write each row on a line of its own',
    );
  });

  it('a line that is too long is not said to have an open quote', async () => {
    await expect(convert(`a\n1\n${'x'.repeat(3_000_000)}\n`)).rejects.toThrow(
      'line 3 of the file has more than 2 MB',
    );
  });

  it.each([
    ['a,b\n1,2\n1,2,3\n', {}, 'line 3 of the file has 3 columns instead of 2'],
    ['a,b\n1,"x\n2,3\n', {}, 'line 2 of the file has a quote that is not closed'],
    ['a;b\n1;2\n', {}, 'write delimiter: ";" under csv'],
    [`${'x'.repeat(70)};b\n1;2\n`, {}, `a single column, "${'x'.repeat(60)}"; write delimiter`],
    ['a,A\n1,2\n', {}, 'two columns have the name "A"'],
    ['', {}, 'the file is empty'],
    ['a\u0000,b\n1,2\n', {}, 'control character'],
    [latin('a\n\xfc\n'), {}, 'write its encoding under csv, such as encoding: windows-1252'],
    ['x\n1\nfoo\n', { x: 'integer' }, 'line 3 has "foo", which is not a whole number such as 1234'],
    [
      'x\n2024-13-01\n',
      { x: 'date' },
      'line 2 has "2024-13-01", which is not a date such as 2024-12-31',
    ],
  ] as const)('the CSV %j is refused with advice', async (csv, types, message) => {
    await expect(convert(csv as string | Buffer, {}, types)).rejects.toThrow(message);
  });

  it('names and values of a CSV file are literal', async () => {
    const csv = `a*,"b""c",d'e,constructor\n"'; DROP TABLE x; --",/etc/passwd,$1,[1]\n`;
    const { types, rows } = await convert(csv);
    expect(Object.keys(types)).toEqual(['a*', 'b"c', "d'e", 'constructor']);
    expect(rows).toEqual([["'; DROP TABLE x; --", '/etc/passwd', '$1', '[1]']]);
  });

  it('columns of a CSV file without a header have numbered names', async () => {
    expect((await convert('1,x\n2,y\n', { header: false })).types).toEqual({
      column1: 'integer',
      column2: 'text',
    });
  });

  it('lines of a CSV file without a header are counted from its first row', async () => {
    const converted = convert('1\nfoo\n', { header: false }, { column1: 'integer' });
    await expect(converted).rejects.toThrow('line 2 has "foo", which is not a whole number');
  });
});
