import fs from 'node:fs';

import { describe, expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';

const { folder, convert, inspect } = createConverter();

const rows = [
  ['West', '10'],
  ['East', '20'],
];
const types = { Region: 'text', Sales: 'integer' };

describe('the lines above a table', () => {
  it.each([
    ['a title', 'Sales, 2024\n\nRegion,Sales\nWest,10\nEast,20\n', 2],
    ['CRLF', 'Sales\r\n\r\nRegion,Sales\r\nWest,10\r\nEast,20\r\n', 2],
    ['CR', 'Sales\r\rRegion,Sales\rWest,10\rEast,20\r', 2],
    ['an open quote', 'Sales of 5" pipes\n"all\nRegion,Sales\nWest,10\nEast,20\n', 2],
    ['mixed line ends', 'Sales\r\nRegion,Sales\nWest,10\r\nEast,20\n', 1],
    ['a mark of UTF-8', '\uFEFFSales\nRegion,Sales\nWest,10\nEast,20\n', 1],
    ['none but a mark of UTF-8', '\uFEFFRegion,Sales\nWest,10\nEast,20\n', 0],
    ['empty lines below them', 'Sales\n\n\nRegion,Sales\nWest,10\nEast,20\n', 1],
  ])('are skipped: %s', async (_, content, skip) => {
    const { rows: read, types: found } = await convert(content, { skip });
    expect([read, found]).toEqual([rows, types]);
    expect(fs.readdirSync(folder()).filter((name) => /utf8|lines|rows/.test(name))).toEqual([]);
  });

  it('are skipped in UTF-16 and windows-1252', async () => {
    const content = 'Größe\n\nRegion,Sales\nWest,10\nEast,20\n';
    for (const [bytes, encoding] of [
      [Buffer.from(content, 'utf16le'), 'utf-16'],
      [Buffer.from(content, 'latin1'), 'windows-1252'],
    ] as const)
      expect((await convert(bytes, { encoding, skip: 2 })).rows).toEqual(rows);
  });

  it('count in the line of a wrong value and of a row that is too long', async () => {
    const content = 'Title\n\nRegion,Sales\nWest,10\n';
    await expect(convert(`${content}East,x\n`, { skip: 2 }, { Sales: 'integer' })).rejects.toThrow(
      'line 5 has "x"',
    );
    await expect(convert(`${content}East,1,2\n`, { skip: 2 })).rejects.toThrow(
      'line 5 of the file has 3 columns instead of 2',
    );
  });

  it.each([
    [
      'Title\n\nRegion,Sales\nWest,10\n',
      'the names of the columns are probably in line 3; write skip: 2 under csv',
    ],
    [
      'Title\n\nRegion;Sales\nWest;10\n',
      'probably in line 3; write skip: 2 and delimiter: ";" under csv',
    ],
  ])('are refused without the option: %j', async (content, message) => {
    await expect(convert(content)).rejects.toThrow(message);
  });

  it('are read as the author says, also if they look like titles', async () => {
    const content = 'Title,,\n,,\nRegion,Product,Sales\nWest,Chair,10\n';
    expect((await convert(content, { skip: 0 })).rows).toHaveLength(3);
  });

  it('are fewer than the author says', async () => {
    await expect(convert('Region,Sales\nWest,10\n', { skip: 3 })).rejects.toThrow(
      'skip is 3, but the file has fewer lines',
    );
    await expect(convert('Region,Sales\nWest,10\n', { skip: 2 })).rejects.toThrow(
      'the file has nothing below line 2; write a smaller number for skip',
    );
  });
});

describe('a first line sep=', () => {
  it.each([
    'sep=;\nRegion;Sales\nWest;10\nEast;20\n',
    '\uFEFFsep=;\r\nRegion;Sales\r\nWest;10\r\nEast;20\r\n',
    '"sep=;"\nRegion;Sales\nWest;10\nEast;20\n',
    'SEP=;\rRegion;Sales\rWest;10\rEast;20\r',
    'sep=,\nRegion,Sales\nWest,10\nEast,20\n',
    'sep=\t\nRegion\tSales\nWest\t10\nEast\t20\n',
  ])('%j names the delimiter', async (content) => {
    expect((await convert(content)).rows).toEqual(rows);
  });

  it('counts among the lines that are skipped', async () => {
    const content = 'sep=;\nTitle\nRegion;Sales\nWest;10\nEast;20\n';
    expect((await convert(content, { skip: 2 })).rows).toEqual(rows);
  });

  it('does not replace another delimiter of the author', async () => {
    const content = 'sep=;\nRegion|Sales\nWest|10\nEast|20\n';
    expect((await convert(content, { delimiter: '|' })).rows).toEqual(rows);
  });
});

describe('rows at the end', () => {
  it.each([
    ['a total', 'Region,Sales\nWest,10\nEast,20\nTotal,30\n', 1],
    ['no line end', 'Region,Sales\nWest,10\nEast,20\nTotal,30', 1],
    ['CRLF', 'Region,Sales\r\nWest,10\r\nEast,20\r\nTotal,30\r\n', 1],
    ['CR', 'Region,Sales\rWest,10\rEast,20\rTotal,30\r', 1],
    ['mixed line ends', 'Region,Sales\r\nWest,10\nEast,20\r\nTotal,30\n', 1],
    ['a note', 'Region,Sales\nWest,10\nEast,20\nExported on 2024-05-01\n', 1],
    ['empty lines', 'Region,Sales\nWest,10\nEast,20\n\nTotal,30\n\n"see, below"\n\n\r\n', 2],
    ['empty cells', 'Region,Sales\nWest,10\nEast,20\nTotal,30\n,\n,\n', 1],
    ['lines in quotes', 'Region,Sales\nWest,10\nEast,20\n"Total\nof ""all""",30\n', 1],
    ['none', 'Region,Sales\nWest,10\nEast,20\n', 0],
  ])('are left out: %s', async (_, content, skipFooter) => {
    const { rows: read, types: found } = await convert(content, { skipFooter });
    expect([read, found]).toEqual([rows, types]);
  });

  it('are left out together with the lines above, of the copy that was made for them', async () => {
    const content = Buffer.from('Größe\nRegion,Sales\nWest,10\nEast,20\nTotal,30\n', 'latin1');
    const options = { encoding: 'windows-1252', skip: 1, skipFooter: 1 } as const;
    expect((await convert(content, options)).rows).toEqual(rows);
  });

  it('of empty cells are left out if the author has decided, also in a large file', async () => {
    const content = `Region,Sales\nWest,10\nEast,20\n${',\n'.repeat(100_000)}`;
    expect((await inspect(content)).csv).toEqual({ skipFooter: 0 });
    expect((await convert(content, { skipFooter: 0 })).rows).toEqual(rows);
    const { rows: counted, hints } = await convert(content);
    expect(counted).toHaveLength(100_002);
    expect(hints).toEqual([
      'the file ends with rows without values, which count as rows; write skipFooter: 0 under csv to ignore them',
    ]);
  });

  it('are refused without the option if they are notes', async () => {
    await expect(
      convert('Region,Sales\nWest,10\nEast,20\nExported on 2024-05-01\n(2 rows)\n'),
    ).rejects.toThrow(
      'the last 2 rows have a different number of values than the table ("Exported on 2024-05-01"; "(2 rows)"); write skipFooter: 2 under csv',
    );
  });

  it('are no notes if a quote that is not closed swallows them', async () => {
    const content = 'Region,Sales\nWest,10\n"East,20\nNorth,30\n';
    expect((await inspect(content)).csv).toEqual({});
    await expect(convert(content)).rejects.toThrow('line 3 of the file has');
  });

  it('are fewer than the author says', async () => {
    await expect(convert('Region,Sales\nWest,10\n', { skipFooter: 3 })).rejects.toThrow(
      'skipFooter is 3, but the file has fewer rows',
    );
  });
});

describe('names and delimiters', () => {
  it.each([
    ['each row', 'Region,Sales,\nWest,10,\nEast,20,\n'],
    ['the rows of data', 'Region,Sales\nWest,10,\nEast,20,\n'],
    ['the names', 'Region,Sales,\nWest,10\nEast,20\n'],
    ['each row, three times', 'Region,Sales,,,\nWest,10,,,\nEast,20,, ,\n'],
  ])('a delimiter after the last value of %s makes no column', async (_, content) => {
    const { rows: read, types: found, hints } = await convert(content);
    expect([read, found, hints]).toEqual([rows, types, []]);
  });

  it.each([
    ['West,10.5\nEast,20.25\n', '"10.5"'],
    ['1,1.5\n2,2.5\n', '"1.5"'],
    ['West,2024-01-03,"1,234.50"\nEast,2024-01-04,"2,000.75"\n', '"1,234.50"'],
  ])('a first row that is probably data is named: %j', async (content, shown) => {
    const csv = content.includes('"') ? { thousands: ',' as const } : {};
    const { hints } = await convert(content, csv);
    expect(hints).toEqual([
      `the first row has values in place of names (${shown}); if it is data, write header: false under csv`,
    ]);
    expect((await convert(content, { ...csv, header: false })).hints).toEqual([]);
  });

  it.each([
    'Region,2023,2024\nWest,1.5,2.5\n',
    'Region,1,2,3\nWest,1.5,2.5,3.5\n',
    'Dose,0.5,1.0\nWest,1.5,2.5\n',
    'Version,1.2\nx,y\n',
  ])('numbers that can be names are not: %j', async (content) => {
    expect((await convert(content)).hints).toEqual([]);
  });

  it('columns without names are numbered, and a hint says so', async () => {
    const { types: found, hints } = await convert('Region,,Sales,\nWest,x,10,\nEast,y,20,z\n');
    expect(Object.keys(found)).toEqual(['Region', 'column2', 'Sales', 'column4']);
    expect(hints).toEqual([
      '2 columns without names in the first row are named "column2", "column4"',
    ]);
  });
});
