import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';
import {
  listParts,
  styled,
  writeCells,
  writeWorkbook,
  writeZip,
  type TestCell,
} from '../../test/support/workbooks.ts';

const { convertSheet } = createConverter();

const fixture = (name: string) =>
  path.join(fileURLToPath(new URL('../../test-data/xlsx', import.meta.url)), name);

/** Converts a sheet of these rows, the first of which has the names. */
const convertRows = (
  rows: readonly (readonly TestCell[])[],
  parts: Partial<Parameters<typeof writeWorkbook>[0]> = {},
  ...options: [
    xlsx?: Parameters<typeof convertSheet>[1],
    types?: Parameters<typeof convertSheet>[2],
  ]
) => convertSheet(writeWorkbook({ sheets: { Orders: writeCells(rows) }, ...parts }), ...options);

/** The type, values and hints of a column of cells. */
async function readColumn(
  cells: readonly TestCell[],
  formats: string[] = [],
  ...options: Parameters<typeof convertRows> extends [unknown, unknown?, ...infer Rest]
    ? Rest
    : never
) {
  const { types, rows, hints, questions } = await convertRows(
    [['x', 'n'], ...cells.map((cell, index) => [cell, index])],
    { formats },
    ...options,
  );
  return { type: types['x'], values: rows.map(([value]) => value), hints, questions };
}

describe('a workbook of', () => {
  it('openpyxl keeps the types of its cells', async () => {
    const { types, rows, hints } = await convertSheet(fixture('openpyxl-types.xlsx'));
    expect(types).toEqual({
      Order: 'integer',
      Day: 'date',
      At: 'datetime',
      Start: 'text',
      Worked: 'text',
      Paid: 'boolean',
      Amount: 'number',
      Share: 'number',
      Zip: 'text',
      Account: 'text',
      Total: 'text',
    });
    expect(rows).toEqual([
      [
        '1',
        '2024-01-31',
        '2024-01-31 18:30:00',
        '08:30:00',
        '26:30:00',
        true,
        1234.5,
        0.125,
        '01067',
        '1234567890123456',
        null,
      ],
      [
        '2',
        '2024-02-29',
        '2024-02-29 00:00:01',
        '23:59:59',
        '00:45:00',
        false,
        -0.5,
        0.5,
        '80331',
        '1234567890123457',
        null,
      ],
      ['3', ...Array<null>(10).fill(null)],
    ]);
    expect(hints).toEqual([
      expect.stringContaining('column "Start" has times of day or durations (Orders!D2 08:30:00,'),
      expect.stringContaining('column "Worked" has times of day or durations (Orders!E2 26:30:00,'),
      expect.stringContaining('more than 15 digits (Orders!J2 1234567890123456, Orders!J3'),
      'column "Total" has 3 formulas without a stored value (Orders!K2, Orders!K3, Orders!K4), which are null; open the workbook in Excel or LibreOffice, and save it',
    ]);
  });

  it('openpyxl with the calendar of 1904 has the same days', async () => {
    const { rows } = await convertSheet(fixture('openpyxl-1904.xlsx'));
    expect(rows).toEqual([
      ['2024-01-31', '1'],
      ['1904-01-02', '2'],
    ]);
  });

  it('XlsxWriter is read below its titles and without its hidden sheet', async () => {
    const { types, rows, hints } = await convertSheet(fixture('xlsxwriter-report.xlsx'), {
      skip: 3,
    });
    expect(types).toEqual({ Region: 'text', Day: 'date', Units: 'integer', Sales: 'number' });
    expect(rows.slice(0, 3)).toEqual([
      ['West', '2024-01-01', '10', 100.5],
      ['East', '2024-01-02', '20', 200.25],
      ['North', '2024-01-03', '5', 50],
    ]);
    expect(hints).toEqual([
      'the sheet "Sales report" is read, the first one with values; to read "Costs", write sheet: under xlsx',
      '1 hidden row of Sales report is read, too (6); delete what reports must not count',
    ]);
  });

  it('XlsxWriter has no values of formulas that it has not computed', async () => {
    const { types, rows, hints } = await convertSheet(fixture('xlsxwriter-formulas.xlsx'));
    expect(types).toEqual({ Units: 'integer', Price: 'number', Sales: 'text', Rank: 'integer' });
    expect(rows).toEqual([
      ['2', 1.5, null, '2'],
      ['3', 2, null, '1'],
      ['0', 9, null, '3'],
    ]);
    expect(hints).toEqual([
      expect.stringContaining('"Sales" has 3 formulas without a stored value'),
    ]);
  });

  it('ExcelJS has rich text, stored values of formulas, and no errors', async () => {
    const { types, rows, hints } = await convertSheet(fixture('exceljs-people.xlsx'));
    expect(types).toEqual({
      'Name of person': 'text',
      Born: 'date',
      Score: 'number',
      Rate: 'number',
      Note: 'text',
    });
    expect(rows).toEqual([
      ['Anna', '1990-02-28', null, 0.25, 'Site'],
      ['Bob', '1985-12-31', 7.5, 1, 'a\nb "q", c'],
      ['Céline', null, null, 0.333, null],
    ]);
    expect(hints).toEqual([
      '1 range of Team is merged (E3:E4); only the first cell of each has its value, and the others are null; unmerge the cells, and fill them',
      'column "Score" has 2 errors (Team!C2 #DIV/0!, Team!C4 #N/A), which are null; correct them in the workbook',
    ]);
  });

  it('ExcelJS with names in two rows has both in its names', async () => {
    const { types, rows, hints } = await convertSheet(fixture('exceljs-two-heads.xlsx'));
    expect(types).toEqual({
      Region: 'text',
      '2023 Units': 'integer',
      '2023 Sales': 'number',
      '2024 Units': 'integer',
      '2024 Sales': 'number',
    });
    expect(rows).toEqual([
      ['West', '1', 1.5, '2', 2.5],
      ['East', '3', 3.5, '4', 4.5],
    ]);
    expect(hints).toEqual(['rows 1 and 2 of Plan have the names of the columns']);
  });

  it('SheetJS has dates of ISO 8601, and its texts are read by the rules of CSV files', async () => {
    const { types, rows, questions } = await convertSheet(fixture('sheetjs-texts.xlsx'), {
      decimal: ',',
      thousands: '.',
    });
    expect(types).toEqual({ Id: 'integer', Amount: 'integer', When: 'datetime', Ok: 'boolean' });
    expect(rows).toEqual([
      ['1', '1234', '2024-01-31 00:00:00', true],
      ['2', '2500', '2024-02-29 12:00:00', false],
    ]);
    expect(questions).toEqual([]);
  });

  it('this portal is read as it was exported', async () => {
    const { types, rows, hints } = await convertSheet(fixture('write-excel-file-export.xlsx'));
    expect(types).toEqual({
      Zip: 'text',
      Order: 'text',
      At: 'datetime',
      Day: 'date',
      Note: 'text',
      Ok: 'boolean',
      Amount: 'number',
      Share: 'number',
    });
    expect(rows[0]).toEqual([
      '01067',
      '9007199254740993',
      '2024-03-31 02:30:00',
      '2024-02-29',
      '=1+1',
      true,
      1234.5,
      1.2345,
    ]);
    expect(hints).toEqual([]);
  });
});

describe('a column of', () => {
  it.each([
    ['whole numbers', [1, -2, 0, null], [], 'integer', ['1', '-2', '0', null]],
    ['numbers', [1, 0.1], [], 'number', [1, 0.1]],
    [
      'numbers as Excel writes them',
      [styled(0, '1.1000000000000001'), styled(0, '1E-3')],
      [],
      'number',
      [1.1, 0.001],
    ],
    ['large measures', [styled(0, '6.02E+23'), 1], [], 'number', [6.02e23, 1]],
    ['a large measure of Excel', [styled(0, '1.2E+20'), 1], [], 'number', [1.2e20, 1]],
    ['a small fraction', [styled(0, '1E-7')], [], 'number', [1e-7]],
    ['15 digits', [999_999_999_999_999], [], 'integer', ['999999999999999']],
    ['16 digits', [styled(0, '1234567890123456'), 7], [], 'text', ['1234567890123456', '7']],
    ['20 digits', [styled(0, '12345678901234567890')], [], 'text', ['12345678901234567890']],
    ['booleans', [true, false, null], [], 'boolean', [true, false, null]],
    ['texts of digits', ['1', '2'], [], 'integer', ['1', '2']],
    ['texts with leading zeros', ['01', '2'], [], 'text', ['01', '2']],
    ['blank texts', [' ', 'a'], [], 'text', [null, 'a']],
    ['numbers and texts of numbers', [1, '2.5'], [], 'number', [1, 2.5]],
    ['dates', [styled(1, 45_322)], ['dd.mm.yyyy'], 'date', ['2024-01-31']],
    [
      'dates, one with a time',
      [styled(1, 45_322), styled(1, 45_322.5)],
      ['dd.mm.yyyy'],
      'datetime',
      ['2024-01-31 00:00:00', '2024-01-31 12:00:00'],
    ],
    ['midnights', [styled(1, 45_322)], ['dd.mm.yyyy hh:mm'], 'datetime', ['2024-01-31 00:00:00']],
    [
      'dates and texts of dates',
      [styled(1, 45_322), '2024-02-01'],
      ['yyyy-mm-dd'],
      'date',
      ['2024-01-31', '2024-02-01'],
    ],
    ['dates and numbers', [styled(1, 45_322), 5], ['yyyy-mm-dd'], 'text', ['2024-01-31', '5']],
    ['times', [styled(1, 0.5), styled(1, 0)], ['h:mm'], 'text', ['12:00:00', '00:00:00']],
    ['durations', [styled(1, 1.5)], ['[h]:mm'], 'text', ['36:00:00']],
    ['percentages', [styled(1, 0.125)], ['0.0%'], 'number', [0.125]],
    ['numbers and a text', [1, 2, 'n/a'], [], 'text', ['1', '2', 'n/a']],
    ['booleans and numbers', [true, 1], [], 'text', ['true', '1']],
  ] as [string, TestCell[], string[], string, unknown[]][])(
    '%s',
    async (_, cells, formats, type, values) => {
      expect(await readColumn(cells, formats)).toMatchObject({ type, values });
    },
  );

  it.each([
    [
      'errors',
      [{ xml: 't="e"><v>#N/A</v>' }, 1],
      [],
      'has 1 error (Orders!A2 #N/A), which are null',
    ],
    [
      'four errors',
      Array.from({ length: 4 }, () => ({ xml: 't="e"><f>1/0</f><v>#DIV/0!</v>' })),
      [],
      'has 4 errors (Orders!A2 #DIV/0!, Orders!A3 #DIV/0!, Orders!A4 #DIV/0!, …)',
    ],
    [
      'formulas without a value',
      [{ xml: '><f>B2</f>' }, 1],
      [],
      'has 1 formula without a stored value (Orders!A2), which are null',
    ],
    [
      'a day that did not exist',
      [styled(1, 60), styled(1, 61)],
      ['yyyy-mm-dd'],
      'has 1 date cell whose value is not a valid date (Orders!A2 60)',
    ],
    [
      'zeros with the format of dates',
      [styled(1, 0), styled(1, 61)],
      ['yyyy-mm-dd'],
      'has 1 date cell whose value is not a valid date (Orders!A2 0)',
    ],
    [
      'numbers and a text',
      [1, 2, 3, 'n/a'],
      [],
      'is text because of Orders!A5 n/a; the other values are numbers',
    ],
    [
      'numbers and dates',
      [1, styled(1, 61)],
      ['yyyy-mm-dd'],
      'is text because it has numbers and dates (Orders!A2, Orders!A3)',
    ],
    [
      'percentages and numbers',
      [styled(1, 0.5), 50],
      ['0%'],
      'has percentages and other numbers, which are read as the workbook stores them',
    ],
    [
      'euros and dollars',
      [styled(1, 5), styled(2, 3)],
      ['#,##0.00 "€"', '[$$-409]#,##0.00'],
      'has amounts in different currencies (EUR, USD), which are added up as if they were one',
    ],
  ] as [string, TestCell[], string[], string][])('%s is named', async (_, cells, formats, hint) => {
    expect((await readColumn(cells, formats)).hints).toEqual([expect.stringContaining(hint)]);
  });

  it('signs that can stand for one currency are not named', async () => {
    const formats = ['"$"#,##0.00', '[$$-409]#,##0.00', '[$USD] #,##0'];
    const cells = [styled(1, 5), styled(2, 3), styled(3, 1), 7];
    expect((await readColumn(cells, formats)).hints).toEqual([]);
  });

  it('a formula with an empty text is empty, and not named', async () => {
    const cells = [{ xml: 't="str"><f>A1</f><v></v>' }, { xml: 't="str"><f>A1</f><v>a</v>' }];
    expect(await readColumn(cells)).toMatchObject({ values: [null, 'a'], hints: [] });
  });

  it('formulas that are zero in a workbook of Excel are zero', async () => {
    const cells = [{ xml: '><f>B2</f><v>0</v>' }];
    expect((await readColumn(cells)).values).toEqual(['0']);
  });

  it('the numbers of cells have one reading, also beside texts', async () => {
    expect((await readColumn([1.234, 5.678])).questions).toEqual([]);
    const xlsx = { decimal: ',', thousands: '.' } as const;
    expect((await readColumn([1.234, '5.678'], [], xlsx)).values).toEqual([1.234, 5678]);
  });

  it('texts of numbers with two readings are asked about', async () => {
    const { questions, hints } = await readColumn(['1.234', '12.500']);
    expect(questions[0]!.interpretations.map(({ options }) => options)).toEqual([
      { decimal: '.' },
      { decimal: ',', thousands: '.' },
    ]);
    expect(hints).toEqual([]);
  });

  it('a hint on texts names the options of a workbook', async () => {
    const { hints } = await readColumn(['1,5', '2,75', '3,25']);
    expect(hints).toEqual([expect.stringContaining('write decimal: "," under xlsx')]);
  });
});

describe('a declared type', () => {
  it.each([
    ['text', [1.5, true], ['1.5', 'true']],
    ['number', [1, 2], [1, 2]],
    [
      'decimal',
      [styled(0, '1234567890123456'), 1.5],
      ['1234567890123456.0000000000', '1.5000000000'],
    ],
    ['integer', [1, '2'], ['1', '2']],
    [
      'datetime',
      [styled(1, 45_322), styled(1, 45_322.5)],
      ['2024-01-31 00:00:00', '2024-01-31 12:00:00'],
    ],
    ['date', [styled(1, 45_322), '2024-02-01'], ['2024-01-31', '2024-02-01']],
  ] as const)('%s is read', async (type, cells, values) => {
    expect((await readColumn(cells, ['yyyy-mm-dd'], {}, { x: type })).values).toEqual(values);
  });

  it.each([
    ['integer', [1, 2.5], 'Orders!A3 has "2.5", which is not a whole number such as 1234'],
    ['integer', [1, 'many'], 'Orders!A3 has "many", which is not a whole number such as 1234'],
    [
      'date',
      [styled(1, 61), 45_322],
      'Orders!A3 has "45322", which is not a date such as 2024-12-31',
    ],
    ['date', [styled(1, 45_322.5)], 'Orders!A2 has "2024-01-31 12:00:00", which is not a date'],
    ['boolean', [1], 'Orders!A2 has "1", which is not true or false'],
  ] as const)('%s names the cell of another value', async (type, cells, message) => {
    await expect(readColumn(cells, ['yyyy-mm-dd'], {}, { x: type })).rejects.toThrow(message);
  });
});

describe('the names of columns', () => {
  it('have no line breaks, and columns without values are none', async () => {
    const { types } = await convertRows([
      ['Net\n sales ', null, 'Region', null],
      [1, null, 'West', null],
    ]);
    expect(types).toEqual({ 'Net sales': 'integer', Region: 'text' });
  });

  it('are those of dates and numbers, too', async () => {
    const { types } = await convertRows(
      [
        [2023, styled(1, 45_322), true],
        [1, 2, 3],
      ],
      {
        formats: ['mmm yy'],
      },
    );
    expect(Object.keys(types)).toEqual(['2023', '2024-01-31', 'true']);
  });

  it('have a position below a merged cell', async () => {
    const { types, hints } = await convertRows(
      [
        ['Region', 'Sales', null, 'Note'],
        ['West', 1, 2, 'a'],
      ],
      { after: '<mergeCells><mergeCell ref="B1:C1"/></mergeCells>' },
    );
    expect(Object.keys(types)).toEqual(['Region', 'Sales', 'Sales 2', 'Note']);
    expect(hints).toEqual([
      '"Sales" in Orders!B1 is merged over 2 columns, which have this name and their position',
    ]);
  });

  it('that are merged a hundred thousand times are named a few times', async () => {
    const range = '<mergeCell ref="B1:C1"/>';
    const { hints } = await convertRows(
      [
        ['Region', 'Sales', null],
        ['West', 1, 2],
      ],
      { after: `<mergeCells>${range.repeat(100_000)}</mergeCells>` },
    );
    expect(hints.length).toBeLessThan(50);
  });

  it('need no row', async () => {
    const { types, rows } = await convertRows(
      [
        ['West', 1],
        ['East', 2],
      ],
      {},
      { header: false },
    );
    expect(types).toEqual({ column1: 'text', column2: 'integer' });
    expect(rows).toHaveLength(2);
  });

  it('stand where the table begins', async () => {
    const sheet =
      '<row r="3"/><row r="4"><c r="C4" t="inlineStr"><is><t>Region</t></is></c><c r="D4" t="inlineStr"><is><t>Sales</t></is></c></row>' +
      '<row r="5"><c r="C5" t="inlineStr"><is><t>West</t></is></c><c r="D5"><v>1</v></c></row>' +
      '<row r="6"><c r="C6" s="0"/></row><row r="1048576"><c r="XFD1048576"/></row>';
    const { types, rows } = await convertSheet(writeWorkbook({ sheets: { Orders: sheet } }));
    expect(types).toEqual({ Region: 'text', Sales: 'integer' });
    expect(rows).toEqual([['West', '1']]);
  });

  it('a column whose first value is in a late row is read', async () => {
    const { types, rows } = await convertRows([
      ['a', null, 'c'],
      [1, null, 2],
      [1, 'late', 2],
    ]);
    expect(types).toEqual({ a: 'integer', column2: 'text', c: 'integer' });
    expect(rows).toEqual([
      ['1', null, '2'],
      ['1', 'late', '2'],
    ]);
  });
});

describe('a sheet', () => {
  const sheets = {
    Empty: '',
    Lists: writeCells([['x'], [9]]),
    'My "first" one': writeCells([['Region'], ['West']]).replaceAll('<row>', '<row hidden="1">'),
    Costs: writeCells([['Cost'], [7], [{ xml: 't="e"><v>#REF!</v>' }]]),
  };
  const book = writeWorkbook({
    sheets: Object.fromEntries(
      Object.entries(sheets).map(([name, rows]) => [name.replaceAll('"', '&quot;'), rows]),
    ),
    states: { Lists: 'veryHidden' },
  });

  it('is the first one that is not hidden and has values', async () => {
    const { types, hints } = await convertSheet(book);
    expect(types).toEqual({ Region: 'text' });
    expect(hints[0]).toBe(
      'the sheet "My \\"first\\" one" is read, the first one with values; to read "Costs", write sheet: under xlsx',
    );
  });

  it.each([
    ['Costs', { Cost: 'integer' }],
    ['costs', { Cost: 'integer' }],
    ['Lists', { x: 'integer' }],
  ])('%s is read by its name', async (sheet, types) => {
    expect((await convertSheet(book, { sheet })).types).toEqual(types);
  });

  it('that does not exist is named with a similar one', async () => {
    await expect(convertSheet(book, { sheet: 'Cots' })).rejects.toThrow(
      'unknown sheet "Cots"; did you mean "Costs"?',
    );
  });

  it('without values is refused', async () => {
    await expect(convertSheet(book, { sheet: 'Empty' })).rejects.toThrow('the sheet has no values');
    await expect(convertSheet(writeWorkbook({ sheets: { Empty: '' } }))).rejects.toThrow(
      'the workbook has no values',
    );
    const hidden = writeWorkbook({ sheets: { Lists: sheets.Lists }, states: { Lists: 'hidden' } });
    await expect(convertSheet(hidden)).rejects.toThrow('such as sheet: "Lists"');
  });

  it('has its hidden rows and columns, which are named', async () => {
    const rows = writeCells([
      ['a', 'b'],
      [1, 2],
      [3, 4],
    ]);
    const sheet = rows.replace('<row><c><v>1', '<row hidden="1"><c><v>1');
    const columns = '<cols><col min="2" max="3" hidden="1"/></cols>';
    const converted = await convertSheet(
      writeWorkbook({ sheets: { Orders: sheet }, before: columns }),
    );
    expect(converted.rows).toHaveLength(2);
    expect(converted.hints).toEqual([
      '1 hidden row of Orders is read, too (2); delete what reports must not count',
      '1 hidden column of Orders is read, too (B)',
    ]);
  });
});

describe('what surrounds a table', () => {
  const table: TestCell[][] = [
    ['Region', 'Product', 'Sales'],
    ['West', 'Chair', 10],
    ['East', 'Desk', 20],
    ['North', 'Lamp', 5],
  ];
  const titled = [['Sales report', null, null], [null, null, null], ...table] as TestCell[][];
  const book = (rows: readonly (readonly TestCell[])[], parts = {}) =>
    writeWorkbook({ sheets: { Orders: writeCells(rows) }, ...parts });

  it.each([
    ['a title', titled, {}, 2],
    [
      'a merged title',
      titled.toSpliced(1, 1),
      { after: '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>' },
      1,
    ],
  ])('%s is left out of a draft, and refused otherwise', async (_, rows, parts, skip) => {
    const { types, hints } = await convertSheet(book(rows, parts), {}, {}, true);
    expect(types).toEqual({ Region: 'text', Product: 'text', Sales: 'integer' });
    expect(hints).toEqual([
      `the table begins in row ${skip + 1}, below "Sales report"; skip: ${skip} leaves out what is above it`,
    ]);
    await expect(convertSheet(book(rows, parts))).rejects.toThrow(`write skip: ${skip} under xlsx`);
    expect((await convertSheet(book(rows, parts), { skip })).rows).toHaveLength(3);
  });

  it('empty rows above a table need no option', async () => {
    const { types } = await convertSheet(book([[null], [null], ...table]));
    expect(Object.keys(types)).toEqual(['Region', 'Product', 'Sales']);
  });

  it('a total is asked about, and left out by skipFooter', async () => {
    const rows = [...table, ['Total', null, 35]] as TestCell[][];
    const { questions } = await convertSheet(book(rows));
    expect(
      questions.map(({ about, interpretations }) => [
        about,
        interpretations.map(({ options }) => options),
      ]),
    ).toEqual([['footer', [{ skipFooter: 1 }, { skipFooter: 0 }]]]);
    expect(await convertSheet(book(rows), { skipFooter: 1 })).toMatchObject({
      questions: [],
      rows: [
        ['West', 'Chair', '10'],
        ['East', 'Desk', '20'],
        ['North', 'Lamp', '5'],
      ],
    });
  });

  it('notes below a total are left out of a draft, and the total is asked about', async () => {
    const rows = [...table, ['Total', null, 35], ['Exported on 2024-04-02 by Ann']] as TestCell[][];
    const { questions, hints } = await convertSheet(book(rows), {}, {}, true);
    expect(questions[0]!.interpretations.map(({ options }) => options)).toEqual([
      { skipFooter: 2 },
      { skipFooter: 1 },
    ]);
    expect(hints).toEqual([expect.stringContaining('skipFooter: 1 leaves out the end')]);
    await expect(convertSheet(book(rows))).rejects.toThrow('write skipFooter: 1 under xlsx');
  });

  it('percentages and currencies of formats are those of the columns', async () => {
    const { columns, questions } = await convertRows(
      [
        ['Share', 'Euro', 'Dollar', 'Canada'],
        [styled(1, 0.5), styled(2, 1.5), styled(3, 2.5), styled(4, 3)],
      ],
      { formats: ['0.0%', '#,##0.00 "€"', '"$"#,##0.00', '[$$-1009]#,##0'] },
    );
    expect(columns.map(({ format }) => format?.currency ?? format?.style)).toEqual([
      'percent',
      'EUR',
      undefined,
      'CAD',
    ]);
    expect(questions.map(({ about }) => about)).toEqual(['currency']);
  });
});

describe('a file of another writer', () => {
  it('may have prefixes, absolute paths, and letters of another case', async () => {
    const parts = listParts({ sheets: { Orders: writeCells([['a'], [1]]) } }).map((part) => ({
      name: part.name.replace('worksheets/sheet1', 'Worksheets/Sheet1'),
      content: String(part.content)
        .replaceAll(/<(\/?)(worksheet|sheetData|row|c|v|is|t)(?=[ />])/g, '<$1x:$2')
        .replace('<x:worksheet xmlns=', '<x:worksheet xmlns:x=')
        .replace('Target="xl/workbook.xml"', 'Target="/xl/workbook.xml"'),
    }));
    expect((await convertSheet(writeZip(parts))).rows).toEqual([['1']]);
  });

  it('may have references, shared texts, phonetic texts and escapes', async () => {
    const text = (index: number) => ({ xml: `t="s"><v>${index}</v>` });
    const { rows, types } = await convertRows([[text(0)], [text(1)], [text(2)], [text(3)]], {
      texts: [
        '<t>x</t>',
        '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>',
        '<r><t xml:space="preserve">a </t></r><r><t><![CDATA[<b>]]></t></r>',
        '<t>a_x000D_b_x005F_x0041_ &#128512;</t>',
      ],
    });
    expect(types).toEqual({ x: 'text' });
    expect(rows).toEqual([['東京'], ['a <b>'], ['a\rb_x0041_ 😀']]);
  });

  it('is refused if it is damaged', async () => {
    const book = fs.readFileSync(fixture('openpyxl-types.xlsx'));
    const changed = Buffer.from(book);
    const at = changed.indexOf('xl/worksheets/sheet1.xml') + 200;
    changed[at]! ^= 0xff;
    for (const bytes of [changed, book.subarray(0, book.length - 400)])
      await expect(convertSheet(bytes)).rejects.toThrow('the workbook is damaged');
  });
});
