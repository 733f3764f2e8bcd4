import type { FieldOptions } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';

const { convert } = createConverter();

type Options = Parameters<typeof convert>[1];

/** Converts a file with these values in its column `x`, separated by `|` from another one. */
const column = (
  values: readonly string[],
  csv: Options = {},
  field: FieldOptions = {},
  kept: string[] = [],
) =>
  convert(
    `x|y\n${values.map((value) => `${value}|z\n`).join('')}`,
    { delimiter: '|', ...csv },
    { x: field },
    kept,
  );

/** The type and the values of a column. */
async function read(...input: Parameters<typeof column>) {
  const { types, rows } = await column(...input);
  return [types['x'], ...rows.map(([value]) => value)];
}

describe('numbers with signs', () => {
  it.each([
    ['a trailing minus', ['1200.50-', '5000.00', '300.00-'], ['number', -1200.5, 5000, -300]],
    ['a trailing minus after a space', ['12 -', '5'], ['integer', '-12', '5']],
    ['parentheses', ['(1200.50)', '5000.00', '(300)'], ['number', -1200.5, 5000, -300]],
    ['whole numbers in parentheses', ['(12)', '7'], ['integer', '-12', '7']],
    ['Unicode minus', ['\u221212.5', '3'], ['number', -12.5, 3]],
    ['an en dash as minus', ['\u201312', '3'], ['integer', '-12', '3']],
    ['a minus and a space', ['- 12.5', '3'], ['number', -12.5, 3]],
    ['several of them', ['-1', '2-', '(3)', '\u22124'], ['integer', '-1', '-2', '-3', '-4']],
    ['percents', ['12.5%', '30%', '64.1 %', '-7%'], ['number', 0.125, 0.3, 0.641, -0.07]],
    ['percents before the number', ['%12.5', '% 30'], ['number', 0.125, 0.3]],
    ['percents in parentheses', ['(5.5%)', '(7)%', '0'], ['number', -0.055, -0.07, 0]],
    ['percents with a no-break space', ['12.5\u00a0%', '7\u202f%'], ['number', 0.125, 0.07]],
    ['a code of a currency', ['EUR 5', '12.50 EUR', '7EUR'], ['number', 5, 12.5, 7]],
    ['a sign of one currency', ['€5', '-€12.50', '7 €', '(€3)'], ['number', 5, -12.5, 7, -3]],
    ['a sign and its code', ['€5', '5 EUR'], ['integer', '5', '5']],
    ['a sign and a trailing minus', ['5 €-', '5- €', '€5-'], ['integer', '-5', '-5', '-5']],
    ['a sign with a point', ['Fr. 12.50', 'Fr. 3'], ['number', 12.5, 3]],
    ['a sign and nothing', ['CHF 5', '0', '0.00'], ['number', 5, 0, 0]],
  ])('with %s are numbers', async (_, values, expected) => {
    expect(await read(values)).toEqual(expected);
  });

  it.each([
    ['percents beside others', ['12.5%', '30', '7%', '9']],
    ['several currencies', ['$5', '€7', '£9']],
    ['a currency beside plain numbers', ['€5', '7', '€9', '8']],
    ['leading zeros', ['007-', '012']],
    ['units', ['5 kg', '7 kg']],
    ['two signs', ['5 €%', '7 €%']],
    ['a minus on both sides', ['-5-', '-7-']],
    ['an open parenthesis', ['(5', '(7']],
    ['letters', ['Q1', 'Q2']],
    ['ranges', ['5-7', '8-9']],
    ['more digits than a double holds', ['€12345678901234567890', '€12345678901234567891']],
  ])('a column with %s stays text', async (_, values) => {
    expect(await read(values)).toEqual(['text', ...values]);
  });

  it('a percent and the code of a currency are formats of the column', async () => {
    const { columns } = await convert('A|B|C\n5%|7 EUR|-3-\n6%|8 EUR|4\n', { delimiter: '|' });
    expect(columns).toMatchObject([
      { format: { style: 'percent' } },
      { format: { style: 'currency', currency: 'EUR' } },
      { type: 'text' },
    ]);
  });

  it('a format that the dataset declares stays', async () => {
    const format = { style: 'decimal', notation: 'standard' } as const;
    const { columns } = await column(['5%', '6%'], {}, { format });
    expect(columns[0]).toEqual({ name: 'x', type: 'number', since: 3 });
  });

  it.each([
    ['kg', ['5 kg', '7.5 kg']],
    ['‰', ['5‰', '12‰']],
  ])('numbers with the unit %s are named', async (unit, values) => {
    const { hints } = await column(values);
    expect(hints).toEqual([
      `column "x" is text, but its values look like numbers with the unit ${unit} (${values.toSorted().join(', ')}); no option can read them; write the unit in the name of the column`,
    ]);
  });

  it('several currencies in one column are named', async () => {
    const { hints } = await column(['$5', '€7', '£9']);
    expect(hints).toEqual([
      'column "x" is text, but its values look like numbers with different units or currencies ($5, £9, €7); no option can read them; use one column for each unit',
    ]);
  });

  it.each([
    ['$', ['USD', 'CAD', 'AUD', 'MXN', 'NZD', 'SGD', 'HKD']],
    ['¥', ['JPY', 'CNY']],
    ['kr', ['SEK', 'NOK', 'DKK', 'ISK']],
  ])('the currency of %s is asked for', async (sign, currencies) => {
    const { types, questions } = await column([`${sign} 1234.50`, `(${sign} 20.10)`]);
    expect(types['x']).toBe('text');
    expect(questions).toMatchObject([{ about: 'currency' }]);
    const { interpretations } = questions[0]!;
    expect(interpretations.map(({ fields }) => fields?.['x']?.format?.currency)).toEqual(
      currencies,
    );
    expect(interpretations[0]!.columns).toEqual([
      {
        name: 'x',
        values: [
          { text: `${sign} 1234.50`, read: '1234.5' },
          { text: `(${sign} 20.10)`, read: '-20.1' },
        ],
        total: '1214.4',
      },
    ]);
  });

  it('a format of the field answers which currency it is', async () => {
    const format = { style: 'currency', notation: 'standard', currency: 'USD' } as const;
    const { columns, questions, rows } = await column(['$5', '$7.5'], {}, { format });
    expect([columns[0]!.type, questions, rows.map(([value]) => value)]).toEqual([
      'number',
      [],
      [5, 7.5],
    ]);
  });

  it.each([
    ['EUR', ['£5', '£7.5'], '"£5", "£7.5"'],
    ['EUR', ['$5', '$7'], '"$5", "$7"'],
    ['BRL', ['EUR 5', '7 €'], '"7 €", "EUR 5"'],
  ])(
    'amounts that are not in %s, the currency of their field, are text: %j',
    async (currency, values, shown) => {
      const format = { style: 'currency', notation: 'standard', currency } as const;
      const { types, hints } = await column(values, {}, { format });
      expect(types['x']).toBe('text');
      expect(hints).toEqual([
        `column "x" is text because its amounts (${shown}) are not in ${currency}, which the format of the field says; correct the format, or give the field type: text`,
      ]);
      await expect(column(values, {}, { format, type: 'number' })).rejects.toThrow('line 2 has');
    },
  );

  it.each([
    ['ARS', ['$5', '$7']],
    ['SEK', ['kr 5', '7 kr']],
    ['EUR', ['5', '7']],
  ])(
    'amounts that can be in %s, the currency of their field, are read: %j',
    async (currency, values) => {
      const format = { style: 'currency', notation: 'standard', currency } as const;
      expect(await read(values, {}, { format })).toEqual(['integer', '5', '7']);
    },
  );

  it.each([
    ['number', ['5%', '7%'], [0.05, 0.07]],
    ['decimal', ['64.1%', '7%'], ['0.6410000000', '0.0700000000']],
    ['integer', ['(5)', '7-'], ['-5', '-7']],
    ['decimal', ['$5.10', '$7'], ['5.1000000000', '7.0000000000']],
  ] as const)('a field of type %s reads %j', async (type, values, expected) => {
    expect(await read(values, {}, { type })).toEqual([type, ...expected]);
  });
});

describe('groups of thousands', () => {
  it.each([
    ['a comma', ',', ['1,234', '12,500.5'], [1234, 12500.5]],
    ['Indian groups', ',', ['12,34,567.5', '1,000'], [1234567.5, 1000]],
    ['an apostrophe', "'", ["1'234.5", "1'234'567"], [1234.5, 1234567]],
    ['a typographic apostrophe', "'", ['1\u2019234.5', '7'], [1234.5, 7]],
    ['a space', ' ', ['1 234.5', '7'], [1234.5, 7]],
    ['a no-break space', ' ', ['1\u00a0234.5', '7'], [1234.5, 7]],
    ['a narrow no-break space', ' ', ['1\u202f234.5', '7'], [1234.5, 7]],
    ['a thin space', ' ', ['1\u2009234.5', '7'], [1234.5, 7]],
    ['several spaces', ' ', ['1 234.5', '1\u00a0234', '1\u202f234'], [1234.5, 1234, 1234]],
  ] as const)('%s is read with thousands: %j', async (_, thousands, values, expected) => {
    expect(await read(values, { thousands })).toEqual(['number', ...expected]);
  });

  it.each([
    ['spaces and a decimal comma', ['1 234,50', '7'], { decimal: ',', thousands: ' ' }],
    ['narrow spaces', ['1\u202f234,50', '12\u202f500'], { decimal: ',', thousands: ' ' }],
    ['spaces alone', ['1\u00a0234', '7'], { thousands: ' ' }],
    ['apostrophes', ["1'234.50", '7'], { thousands: "'" }],
    ['typographic apostrophes', ['1\u2019234', '7'], { thousands: "'" }],
    ['an apostrophe and a decimal comma', ["1'234,50", '7'], { decimal: ',', thousands: "'" }],
    ['a sign', ['€1,234.50', '€7'], { thousands: ',' }],
    ['a trailing minus', ['1.234,50-', '7'], { decimal: ',', thousands: '.' }],
  ])('numbers with %s have a hint with their options', async (_, values, options) => {
    const { hints, types } = await column(values);
    expect(types['x']).toBe('text');
    const written = Object.entries(options).map(([name, value]) => `${name}: "${value}"`);
    expect(hints).toEqual([expect.stringContaining(`write ${written.join(' and ')} under csv`)]);
    const again = await column(values, options as Options);
    expect(['number', 'integer']).toContain(again.types['x']);
  });

  it.each([
    ['spaces beside commas that may separate thousands', ['1 234', '12,345']],
    ['spaces in phone numbers', ['612 345 678', '655 123 456']],
  ])('a hint on %s proposes no option', async (_, values) => {
    const { hints, described } = await column(values);
    expect(hints).toEqual([expect.stringContaining('thousands: " " under csv')]);
    expect(described.hints[0]!.csv).toEqual({});
  });

  it('numbers with signs can have two interpretations, too', async () => {
    const { questions } = await column(['€1.234', '€12.500', '-€7']);
    expect(questions).toMatchObject([{ about: 'numbers' }]);
    expect(questions[0]!.interpretations.map(({ columns }) => columns[0]!.total)).toEqual([
      '6.734',
      '13727',
    ]);
  });

  const file = (a: string[], b: string[]) =>
    convert(`A|B\n${a.map((value, index) => `${value}|${b[index]}\n`).join('')}`, {
      delimiter: '|',
    });

  it('another column that proves the point decides what it means', async () => {
    const { questions, rows, hints } = await file(['1.234', '12.500'], ['0.5', '2.25']);
    expect([questions, hints]).toEqual([[], []]);
    expect(rows).toEqual([
      [1.234, 0.5],
      [12.5, 2.25],
    ]);
  });

  it('another column that proves the point leaves the comma to thousands', async () => {
    const { questions, hints } = await file(['1,234', '12,500'], ['0.5', '2.25']);
    expect(questions).toEqual([]);
    expect(hints).toEqual([
      expect.stringContaining(
        'column "A" is text, but its values look like numbers with a thousands comma',
      ),
    ]);
  });

  it('columns that prove different separators decide nothing', async () => {
    const { questions } = await convert('A|B|C\n1.234|0.5|0,5\n2.345|0.7|0,7\n', {
      delimiter: '|',
    });
    expect(questions).toMatchObject([
      { about: 'numbers', interpretations: [{ columns: [{ name: 'A' }] }, {}] },
    ]);
  });
});

describe('numbers that may be codes', () => {
  it.each([
    [['1E10', '25E3', '7'], true],
    [['1e5', '2e-3'], true],
    [['1.5E10', '7'], false],
    [['1E10', '0.5'], false],
    [['12', '7'], false],
  ])('%j are asked about: %j', async (values, isAsked) => {
    const { questions } = await column(values);
    expect(questions.map(({ about }) => about)).toEqual(isAsked ? ['exponents'] : []);
  });

  it('a type of the field answers whether exponents are numbers', async () => {
    expect(await read(['1E10', '7'], {}, { type: 'text' })).toEqual(['text', '1E10', '7']);
    expect(await read(['1E10', '7'], {}, { type: 'number' })).toEqual(['number', 1e10, 7]);
    for (const type of ['text', 'number'] as const)
      expect((await column(['1E10', '7'], {}, { type })).questions).toEqual([]);
  });

  it.each([
    [['20240105', '20241231'], true],
    [['20240105', '20241331'], false],
    [['20240105', '2024'], false],
    [['20230229', '20240101'], false],
    [['01234567', '20240101'], false],
  ])('%j are asked about as days: %j', async (values, isAsked) => {
    const { questions } = await column(values);
    expect(questions.map(({ about }) => about)).toEqual(isAsked ? ['dates'] : []);
  });

  it('a date format or a type of the field answers whether digits are days', async () => {
    const values = ['20240105', '20241231'];
    const days = ['date', '2024-01-05', '2024-12-31'];
    expect(await read(values, {}, { date: '%Y%m%d' })).toEqual(days);
    expect(await read(values, { date: '%Y%m%d' })).toEqual(days);
    expect(await read(values, {}, { type: 'integer' })).toEqual(['integer', ...values]);
    for (const field of [{ date: '%Y%m%d' }, { type: 'integer' }] as const)
      expect((await column(values, {}, field)).questions).toEqual([]);
  });
});

describe('dates', () => {
  it.each([
    ['%b %Y', ['Jan 2024', 'Feb 2024'], ['date', '2024-01-01', '2024-02-01']],
    [
      '%b %Y',
      ['JAN 2024', 'sept 2024', 'Oct. 2024'],
      ['date', '2024-01-01', '2024-09-01', '2024-10-01'],
    ],
    ['%B %Y', ['January 2024', 'May 2024'], ['date', '2024-01-01', '2024-05-01']],
    ['%b-%y', ['Jan-24', 'Dec-99'], ['date', '2024-01-01', '1999-12-01']],
    ['%d-%b-%Y', ['05-Jan-2024', '31-Dec-2024'], ['date', '2024-01-05', '2024-12-31']],
    ['%d-%b-%y', ['05-Jan-24', '31-Dec-24'], ['date', '2024-01-05', '2024-12-31']],
    ['%d %B %Y', ['5 January 2024', '31 December 2024'], ['date', '2024-01-05', '2024-12-31']],
    ['%b %d, %Y', ['Jan 5, 2024', 'Dec 31, 2024'], ['date', '2024-01-05', '2024-12-31']],
    ['%Y-%b-%d', ['2024-Jan-05', '2024-Dec-31'], ['date', '2024-01-05', '2024-12-31']],
    ['%a, %d %b %Y', ['Fri, 5 Jan 2024', 'Tue, 31 Dec 2024'], ['date', '2024-01-05', '2024-12-31']],
    ['%A, %B %d, %Y', ['Friday, January 5, 2024'], ['date', '2024-01-05']],
    ['%Y/%m/%d', ['2024/01/05', '2024/12/31'], ['date', '2024-01-05', '2024-12-31']],
    ['%Y-%m-%d', ['2024-1-5', '2024-1-31'], ['date', '2024-01-05', '2024-01-31']],
    [
      '%d.%m.%Y %H.%M',
      ['31.12.2024 18.30', '01.01.2025 7.05'],
      ['datetime', '2024-12-31 18:30:00', '2025-01-01 07:05:00'],
    ],
    [
      '%d.%m.%Y %H:%M Uhr',
      ['31.12.2024 18:30 Uhr', '01.01.2025 7:05 Uhr'],
      ['datetime', '2024-12-31 18:30:00', '2025-01-01 07:05:00'],
    ],
    ['%Y.%m.%d', ['2024.01.05', '2024.12.31'], ['date', '2024-01-05', '2024-12-31']],
    ['%Y-%m', ['2024-01', '2024-12'], ['date', '2024-01-01', '2024-12-01']],
    ['%m/%Y', ['01/2024', '12/2024'], ['date', '2024-01-01', '2024-12-01']],
    ['%d.%m.%y', ['31.12.24', '01.01.25'], ['date', '2024-12-31', '2025-01-01']],
    [
      '%m/%d/%Y',
      ['1/5/2024 12:30 AM', '12/31/2024 1:05 PM'],
      ['datetime', '2024-01-05 00:30:00', '2024-12-31 13:05:00'],
    ],
    [
      '%m/%d/%Y',
      ['1/5/2024, 1:05:09\u202fp.m.', '12/31/2024, 9:00:00 AM'],
      ['datetime', '2024-01-05 13:05:09', '2024-12-31 09:00:00'],
    ],
    [
      '%d.%m.%Y',
      ['31.12.2024 18:30', '01.01.2025 00:00:01'],
      ['datetime', '2024-12-31 18:30:00', '2025-01-01 00:00:01'],
    ],
    [
      '%d.%m.%Y',
      ['31.12.2024 18:30', '01.01.2025'],
      ['datetime', '2024-12-31 18:30:00', '2025-01-01 00:00:00'],
    ],
    [
      '%Y/%m/%d',
      ['2024/01/05T10:00:00', '2024/12/31 10:00'],
      ['datetime', '2024-01-05 10:00:00', '2024-12-31 10:00:00'],
    ],
  ] as const)('a hint proposes %s for %j', async (date, values, expected) => {
    const { hints } = await column(values);
    expect(hints).toEqual([expect.stringContaining(`write date: "${date}" under csv`)]);
    expect(await read(values, {}, { date })).toEqual(expected);
    expect(await read(values, { date })).toEqual(expected);
  });

  it.each([
    ['Z', '2024-03-31T00:30:00Z', '2024-03-31 00:30:00+00'],
    ['a small z', '2024-03-31t00:30:00z', '2024-03-31 00:30:00+00'],
    ['an offset', '2024-10-27T00:30:00+02:00', '2024-10-26 22:30:00+00'],
    ['an offset without a colon', '2024-10-27T00:30:00-0330', '2024-10-27 04:00:00+00'],
    ['an offset of hours', '2024-10-27 00:30:00+02', '2024-10-26 22:30:00+00'],
    ['a space before the offset', '2024-10-27 00:30:00 +0200', '2024-10-26 22:30:00+00'],
    ['UTC', '2024-10-27 00:30:00 UTC', '2024-10-27 00:30:00+00'],
    ['no seconds', '2024-10-27T00:30Z', '2024-10-27 00:30:00+00'],
    ['fractions', '2024-10-27T00:30:00.123456789Z', '2024-10-27 00:30:00.123456+00'],
  ])('a time with %s is a moment', async (_, value, expected) => {
    expect(await read([value])).toEqual(['datetime', expected]);
    for (const type of ['date', 'datetime'] as const)
      expect(await read([value], {}, { type })).toEqual(['datetime', expected]);
  });

  it.each([
    ['times of which some have an offset', ['2024-03-31T00:30:00Z', '2024-03-31T00:30:00']],
    ['days that do not exist', ['2023-02-29T00:00:00Z', '2024-01-01T00:00:00Z']],
    ['quarters', ['Q1 2024', 'Q2 2024']],
    ['weeks', ['2024-W05', '2024-W06']],
    ['years and texts', ['May be', 'March on']],
  ])('%s stay text', async (_, values) => {
    expect((await column(values)).types['x']).toBe('text');
  });

  it('days beside times are midnights', async () => {
    expect(await read(['2024-01-05', '2024-01-05 10:00'])).toEqual([
      'datetime',
      '2024-01-05 00:00:00',
      '2024-01-05 10:00:00',
    ]);
  });

  it.each([
    [['Mai 2024', 'Juni 2024', 'Dez 2024'], 'German'],
    [['5 janvier 2024', '6 février 2024'], 'French'],
    [['enero 2024', 'agosto 2024'], 'Spanish'],
  ])('a hint says that no option reads %j', async (values, language) => {
    const { hints, types } = await column(values);
    expect(types['x']).toBe('text');
    expect(hints).toEqual([
      `column "x" is text, but its values look like dates with ${language} months (${values.toSorted().join(', ')}); no option can read them; write the months as numbers, such as 2024-05, or in English`,
    ]);
  });

  it.each([
    [
      ['01/02/2024', '03/04/2024'],
      ['%d/%m/%Y', '%m/%d/%Y'],
    ],
    [
      ['01/02/24', '03/04/24'],
      ['%d/%m/%y', '%m/%d/%y'],
    ],
    [
      ['01-02-03', '04-05-06'],
      ['%d-%m-%y', '%m-%d-%y', '%y-%m-%d'],
    ],
    [['1/2/2024 10:00 AM'], ['%d/%m/%Y', '%m/%d/%Y']],
  ])('%j are asked about, with the formats %j', async (values, formats) => {
    const { questions, types } = await column(values);
    expect(types['x']).toBe('text');
    expect(questions).toMatchObject([{ about: 'dates' }]);
    expect(questions[0]!.interpretations.map(({ fields }) => fields?.['x']?.date)).toEqual(formats);
  });

  it('two-digit years of two centuries are asked about', async () => {
    const values = ['31.12.24', '15.06.68'];
    const { questions } = await column(values);
    expect(questions[0]!.interpretations.map(({ fields }) => fields?.['x'])).toEqual([
      { date: '%d.%m.%y', yearsFrom: 1969 },
      { date: '%d.%m.%y', yearsFrom: 1930 },
    ]);
    const asked = await column(values, { date: '%d.%m.%y' });
    expect(asked.questions).toMatchObject([{ about: 'dates' }]);
    for (const [yearsFrom, year] of [
      [1969, 2068],
      [1930, 1968],
    ] as const) {
      const expected = ['date', '2024-12-31', `${year}-06-15`];
      expect(await read(values, {}, { date: '%d.%m.%y', yearsFrom })).toEqual(expected);
      expect(await read(values, { date: '%d.%m.%y', yearsFrom })).toEqual(expected);
    }
  });

  it('two digits are not read as a year of four', async () => {
    expect(await read(['31.12.24'], { date: '%d.%m.%Y' })).toEqual(['text', '31.12.24']);
  });

  it('a field of type date leaves out the time of its format', async () => {
    const field = { type: 'date', date: '%d.%m.%Y %H.%M' } as const;
    expect(await read(['31.12.2024 18.30'], {}, field)).toEqual(['date', '2024-12-31']);
  });

  it('the format of a field is instead of that of the file', async () => {
    const csv = 'A|B\n31/12/2024|12/31/2024\n';
    const { rows } = await convert(
      csv,
      { delimiter: '|', date: '%d/%m/%Y' },
      { B: { date: '%m/%d/%Y' } },
    );
    expect(rows).toEqual([['2024-12-31', '2024-12-31']]);
    await expect(
      convert(csv, { delimiter: '|', date: '%d/%m/%Y' }, { B: { date: '%Y' } }),
    ).rejects.toThrow('line 2 has "12/31/2024", which is not a date in the format %Y');
  });
});

describe('missing values', () => {
  it.each([
    [
      ['10', 'NA', '-', '#N/A', 'null', '20'],
      ['#N/A', '-', 'NA', 'null'],
    ],
    [
      ['1.5', 'n/a', 'N/A'],
      ['N/A', 'n/a'],
    ],
    [['2024-01-05', '', '—'], ['—']],
    [['12%', '#DIV/0!'], ['#DIV/0!']],
    [['true', 'none'], ['none']],
    [
      ['1.5', 'NaN', 'Infinity'],
      ['Infinity', 'NaN'],
    ],
  ])('a hint proposes nulls for %j', async (values, nulls) => {
    const { hints, types } = await column(values);
    expect(types['x']).toBe('text');
    const list = nulls.map((each) => JSON.stringify(each)).join(', ');
    expect(hints).toEqual([expect.stringContaining(`nulls: [${list}]`)]);
    const again = await column(values, { nulls });
    expect(again.types['x']).not.toBe('text');
    expect(again.hints).toEqual([]);
    expect(again.rows.map(([value]) => value === null)).toEqual(
      values.map((value) => value === '' || nulls.includes(value)),
    );
  });

  it('texts that mean nothing are null in columns of text, too, and only as whole values', async () => {
    const { rows } = await convert('A,B\nNA,5\nNAM, NA \nna,7\n', { nulls: ['NA'] });
    expect(rows).toEqual([
      [null, '5'],
      ['NAM', null],
      ['na', '7'],
    ]);
  });

  it('a word that is a value of another column is not proposed', async () => {
    const csv = 'Country,Sales\nNA,5\nDE,NA\n';
    const { hints } = await convert(csv);
    expect(hints).toEqual([
      'column "Sales" is text because of "NA" in line 3; the other values are whole numbers; write nulls: ["NA"] under csv, or give the field type: text; nulls: ["NA"] would also empty values of "Country"',
    ]);
  });

  it.each([
    ['texts', ['West', '-', 'East']],
    ['a mistake', ['1', '2', 'x', '-']],
    ['a number with a word', ['10', '20', 'ca. 30', '40']],
  ])('a column of %s has no such hint', async (_, values) => {
    const { hints } = await column(values);
    expect(hints.join()).not.toContain('nulls');
  });
});

describe('a column that was text before', () => {
  it.each([
    [['5%', '7%'], 'numbers', 'number', ['0.05', '0.07']],
    [['5-', '7'], 'numbers', 'integer', ['-5', '7']],
    [['2024-01-05T00:00:00Z'], 'dates', 'datetime', ['2024-01-05 00:00:00+00']],
  ])('stays text with %j, and is asked about', async (values, about, type, expected) => {
    const { types, questions } = await column(values, {}, {}, ['x']);
    expect(types['x']).toBe('text');
    expect(questions).toMatchObject([
      {
        about,
        interpretations: [{ fields: { x: { type: 'text' } } }, { fields: { x: { type } } }],
      },
    ]);
    expect(questions[0]!.interpretations[1]!.columns[0]!.values.map((each) => each.read)).toEqual(
      expected,
    );
    expect((await column(values, {}, { type: type as 'number' }, ['x'])).questions).toEqual([]);
  });

  it('has a type that earlier releases gave it', async () => {
    expect(await read(['5', '7'], {}, {}, ['x'])).toEqual(['integer', '5', '7']);
    expect(await read(['20240105'], { date: '%Y%m%d' }, {}, ['x'])).toEqual([
      'integer',
      '20240105',
    ]);
  });
});
