import { describe, expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';

const { inspect, convert } = createConverter();

const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const lines = 'Name;City\nAnn;Zürich –😀';

describe('inspecting a CSV file', () => {
  it.each([
    ['commas', 'Name,City\nAnn,Bern\n', {}],
    ['one column', 'Name\nAnn\n', {}],
    ['semicolons', lines, { delimiter: ';' }],
    ['tabs and a CRLF', 'Name\tCity\r\nAnn;,Bern;,x\r\n', { delimiter: '\t' }],
    ['vertical bars', 'Name|City', { delimiter: '|' }],
    ['other delimiters in quotes', '"a;b;c;d",e\n1,2\n', {}],
    ['nothing', '', {}],
    ['little-endian UTF-16', utf16(lines), { delimiter: ';', encoding: 'utf-16' }],
    ['big-endian UTF-16', utf16(lines).swap16(), { delimiter: ';', encoding: 'utf-16' }],
    [
      'UTF-16 without a mark',
      Buffer.from('Город;Сумма\nМосква;10\nТверь;20\n', 'utf16le'),
      { delimiter: ';', encoding: 'utf-16' },
    ],
    ['Latin letters', latin('Stra\xdfe,Ort\nM\xfchlweg 1,K\xf6ln\n'), { encoding: 'windows-1252' }],
    [
      'a Latin letter after a megabyte',
      latin(`Ort,Menge\n${'Bonn,1\n'.repeat(200_000)}K\xf6ln,2\n`),
      { encoding: 'windows-1252' },
    ],
    [
      'decimal commas in each row',
      'Tag;Betrag\n01.02.2024;1,5\n02.02.2024;2,5\n',
      { delimiter: ';' },
    ],
    ['decimal commas and no names', '1,5;2,5\n3,5;4,5\n', { delimiter: ';' }],
    ['quoted decimal commas', 'Region,Weight\nWest,"1,5"\nEast,"2,5"\n', {}],
    ['texts with other delimiters', 'Name;Note\nAnn;a, b, c\nBob;d\nEve;|||\n', { delimiter: ';' }],
    [
      'a last character that is cut off',
      Buffer.from('Name;City\nAnn;Zürich\n'),
      { delimiter: ';' },
    ],
  ] as const)('a file with %s needs the options for it', async (_, content, options) => {
    expect((await inspect(content)).csv).toEqual(options);
  });

  it.each([
    ['a title', 'Sales report 2024\n\nRegion,Sales\nWest,10\nEast,20\n', { skip: 2 }],
    ['a title without an empty line', 'Report\nRegion,Sales\nWest,10\nEast,20\n', { skip: 1 }],
    [
      'a title and another delimiter',
      'Umsatz, nach Region\nStand: 1.2.2024\n\nRegion;Umsatz\nWest;1,5\nOst;2,5\n',
      { delimiter: ';', skip: 3 },
    ],
    ['a padded title', 'Report 2024,,\n,,\nRegion,Day,Sales\nWest,2024-01-03,1\n', { skip: 2 }],
    [
      'names and values above',
      'Company;ACME\nPeriod;2024-01\n\nRegion;Product;Sales\nWest;Chair;10\nEast;Desk;20\n',
      { delimiter: ';', skip: 3 },
    ],
    ['a title of two lines in quotes', '"Sales\nreport"\nRegion,Sales\nWest,10\n', { skip: 2 }],
    ['CR alone', 'Report\r\rRegion,Sales\rWest,10\r', { skip: 2 }],
  ] as const)('%s above the names of the columns is left out', async (_, content, options) => {
    const { csv, notes } = await inspect(content);
    expect(csv).toEqual(options);
    expect(notes).toContainEqual(expect.stringContaining(`wrote skip: ${options.skip} under csv`));
    expect((await convert(content, csv)).types).toMatchObject({ Region: 'text' });
  });

  it.each([
    ['the first lines are empty', '\n\nRegion,Sales\nWest,10\n'],
    ['the last name is missing', 'Region,\nWest,10\nEast,20\n'],
    ['the first name is missing', ',Sales\nWest,10\nEast,20\n'],
    ['rows below are short', 'Note\nHello, you\nnothing\nBye\n'],
    ['a row of units follows', 'Region,Sales\n,EUR\nWest,10\n'],
    ['all values are texts', 'Name,City,Country\nAnn,Bern,CH\nBob,Rome,IT\n'],
    ['years are names', 'Region,2023,2024\nWest,1,2\n'],
  ])('nothing is left out if %s', async (_, content) => {
    expect((await inspect(content)).csv).toEqual({});
  });

  it.each([
    ['a note', 'Region,Sales\nWest,10\nEast,20\nExported on 2024-05-01\n', 1],
    ['a note after an empty line', 'Region,Sales\nWest,10\n\nExported on 2024-05-01\n\n\n', 1],
    ['a short total', 'Region,Product,Sales\nWest,Chair,10\nTotal,30\n', 1],
    [
      'a total and notes',
      'A,B,C\nx,y,1\nz,y,2\nTotal,3\n(2 rows, all regions)\n* provisional\n',
      3,
    ],
  ])('%s below the table is left out', async (_, content, skipFooter) => {
    const { csv, notes } = await inspect(content);
    expect(csv).toEqual({ skipFooter });
    expect(notes).toEqual([expect.stringContaining(`wrote skipFooter: ${skipFooter} under csv`)]);
  });

  it('a row that is cut off at the end is no note', async () => {
    const content = 'Region,Product,Sales\nWest,Chair,10\nEast,De';
    expect((await inspect(content)).csv).toEqual({});
    await expect(convert(content)).rejects.toThrow('line 3 of the file has 2 columns instead of 3');
  });

  it('what the author has chosen stays', async () => {
    const content = 'Report\n\nRegion;Sales\nWest;10\nTotal\n';
    const chosen = { delimiter: ';', skip: 2, skipFooter: 0, encoding: 'windows-1252' } as const;
    expect((await inspect(content, chosen)).csv).toEqual(chosen);
  });

  it('a first line such as sep=; names the delimiter', async () => {
    const content = 'sep=;\r\nRegion;Sales\r\nWest;1,5\r\nEast;2,5\r\n';
    expect((await inspect(content)).csv).toEqual({ delimiter: ';' });
  });
});
