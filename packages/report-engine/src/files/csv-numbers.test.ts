import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';
import { commaReading, toDecimal } from './csv-numbers.ts';
import { quoteText } from './csv-sql.ts';

const { convert } = createConverter();

/** Converts a file with a single column of these values, separated by `;` from nothing. */
const column = (values: readonly string[], csv: Parameters<typeof convert>[1] = {}) =>
  convert(`x;y\n${values.map((value) => `${value};z\n`).join('')}`, { delimiter: ';', ...csv });

const point = (csv: object, numbers: string[], total: string) => ({ csv, numbers, total });

describe('numbers with two interpretations', () => {
  it.each([
    [
      ['1.234', '12.500', '980'],
      point({ decimal: '.' }, ['1.234', '12.5', '980'], '993.734'),
      point({ decimal: ',', thousands: '.' }, ['1234', '12500', '980'], '14714'),
    ],
    [
      ['1,234', '2,500', '12,000'],
      point({ thousands: ',' }, ['1234', '2500', '12000'], '15734'),
      point({ decimal: ',' }, ['1.234', '2.5', '12'], '15.734'),
    ],
    [
      ['-1.234', '+2.000', ''],
      point({ decimal: '.' }, ['-1.234', '2'], '0.766'),
      point({ decimal: ',', thousands: '.' }, ['-1234', '2000'], '766'),
    ],
    [
      ['1.234', '1,234'],
      point({ thousands: ',' }, ['1.234', '1234'], '1235.234'),
      point({ decimal: ',', thousands: '.' }, ['1234', '1.234'], '1235.234'),
    ],
    [
      ['7', '980', '1.234'],
      point({ decimal: '.' }, ['1.234', '7', '980'], '988.234'),
      point({ decimal: ',', thousands: '.' }, ['1234', '7', '980'], '2221'),
    ],
  ])('%j is a question with both interpretations', async (values, ...expected) => {
    const [question] = (await column(values)).questions;
    const { interpretations } = question!;
    expect(
      interpretations.map(({ options, columns: [first] }) => ({
        csv: options,
        numbers: first!.values.map(({ read }) => read),
        total: first!.total,
      })),
    ).toEqual(expected);
    expect(interpretations[0]!.columns[0]!.values.map(({ text }) => text)).toEqual(
      values.filter(Boolean).toSorted((a, b) => Number(/[.,]/.test(b)) - Number(/[.,]/.test(a))),
    );
  });

  it.each([
    ['a leading zero', ['1.234', '0.125']],
    ['four digits before the point', ['1.234', '1234.500']],
    ['two digits after it', ['1.234', '1.23']],
    ['four digits after it', ['1.234', '1.2345']],
    ['two points', ['1.234', '1.234.567']],
    ['both separators', ['1,234', '1,234.50']],
    ['both the other way', ['1.234', '1.234,5']],
    ['an exponent', ['1.234', '1.234e5']],
    ['a text', ['1.234', 'n/a', 'open', 'none']],
    ['a long number', ['1.234', '12345678901234567890']],
    ['no separator', ['1234', '980']],
    ['no value', ['', '']],
  ])('numbers beside a value with %s have one interpretation', async (_, values) => {
    expect((await column(values)).questions).toEqual([]);
  });

  it('a separator that only a late row has is found', async () => {
    const { questions } = await column([...Array<string>(10_500).fill('980'), '1.234']);
    expect(questions[0]!.interpretations[0]!.columns[0]).toMatchObject({ total: '10290001.234' });
  });

  it.each([
    [{ decimal: '.' }, [1.234, 12.5]],
    [{ decimal: ',', thousands: '.' }, ['1234', '12500']],
    [{ decimal: ',' }, ['1.234', '12.500']],
    [{ thousands: ',' }, [1.234, 12.5]],
    [{ thousands: ' ' }, [1.234, 12.5]],
  ] as const)('%j answers the question', async (csv, numbers) => {
    const { questions, rows } = await column(['1.234', '12.500'], csv);
    expect(questions).toEqual([]);
    expect(rows.map(([value]) => value)).toEqual(numbers);
  });

  it.each([
    ['text', []],
    ['number', ['x']],
    ['decimal', ['x']],
    ['integer', ['x']],
  ] as const)('a column that is declared as %s is asked for in %j', async (type, asked) => {
    const { questions } = await convert('x;y\n1.234;z\n', { delimiter: ';' }, { x: type });
    const interpretations = questions.flatMap((question) => question.interpretations);
    expect(interpretations.flatMap(({ columns }) => columns.map(({ name }) => name))).toEqual(
      asked.flatMap((name) => [name, name]).toSorted(),
    );
  });

  it('quoted values between commas are asked for, too', async () => {
    const { questions } = await convert('Region,Orders\nWest,"1,234"\nEast,"2,500"\n');
    const options = questions[0]!.interpretations.map((each) => each.options);
    expect(options).toEqual([{ thousands: ',' }, { decimal: ',' }]);
  });

  it('a hint on numbers with two interpretations and a missing value proposes to read it as null', async () => {
    const { hints, types } = await column(['1.234', '2.500', 'n/a']);
    expect(types).toMatchObject({ x: 'text' });
    expect(hints).toEqual([
      'column "x" is text, but most values look like numbers with two interpretations (2.500); write decimal: ".", or decimal: "," and thousands: ".", under csv, and nulls: ["n/a"] because of "n/a" in line 4',
    ]);
  });

  it.each([
    [['1,234,567', '12'], {}, 'a thousands comma (1,234,567); write thousands: ","'],
    [['1,234.50', '12'], {}, 'a thousands comma (1,234.50); write thousands: ","'],
    [['1.234', '12.500'], { decimal: ',' }, 'write decimal: "," and thousands: "."'],
    [['1.5', '2.25'], { decimal: ',' }, 'a decimal point (2.25); write decimal: "."'],
  ] as const)('the numbers %j have a hint with their option', async (values, csv, advice) => {
    const { hints } = await column(values, csv);
    expect(hints).toEqual([expect.stringContaining(advice)]);
  });
});

describe('numbers with many digits', () => {
  it.each([
    ['one more than a 64-bit integer', ['9223372036854775808', '1'], 'text'],
    ['the largest 64-bit integer', ['9223372036854775807', '1'], 'integer'],
    ['the smallest 64-bit integer', ['-9223372036854775808', '1'], 'integer'],
    ['one less than it', ['-9223372036854775809', '1'], 'text'],
    ['the largest unsigned 64-bit integer', ['18446744073709551615'], 'text'],
    ['twenty digits', ['12345678901234567890', '12345678901234567891'], 'text'],
    ['forty digits', ['1234567890123456789012345678901234567890'], 'text'],
    ['a sign', ['+12345678901234567890'], 'text'],
    ['decimals', ['12345678901234567890.5'], 'text'],
    ['more digits than a double has, beside decimals', ['9007199254740993', '1.5'], 'text'],
    ['leading zeros', ['00012345678901234567'], 'text'],
  ])('a column with %s keeps every digit', async (_, values, type) => {
    const { types, rows } = await column(values);
    expect(types['x']).toBe(type);
    expect(rows.map(([value]) => value)).toEqual(values);
  });

  it.each([
    ['an exponent', ['1e300', '2.5']],
    ['many decimals', ['0.12345678901234567890']],
  ])('a column with %s has numbers', async (_, values) => {
    expect((await column(values)).types).toMatchObject({ x: 'number' });
  });

  it('a decimal holds them exactly', async () => {
    const csv = 'x\n12345678901234567890\n12345678901234567891\n';
    const { rows } = await convert(csv, {}, { x: 'decimal' });
    expect(rows).toEqual([
      ['12345678901234567890.0000000000'],
      ['12345678901234567891.0000000000'],
    ]);
    const { hints } = await convert(csv);
    expect(hints).toEqual([
      'column "x" is text, but its values look like numbers with too many digits for an integer or a double (12345678901234567891); give the field type: decimal to calculate with them, or type: text',
    ]);
  });
});

it('a decimal is what DuckDB reads, with few and many digits', async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const whole = [
    '0',
    '7',
    '1234567',
    '9'.repeat(18),
    '9'.repeat(27),
    '9'.repeat(28),
    '1'.repeat(29),
  ];
  const fractions = [
    '',
    '.',
    '.5',
    '.25',
    '.0000000001',
    '.99999999994',
    '.99999999996',
    '.123456789012',
  ];
  const others = ['', '.5', '-.5', '1e3', '1.5E-4', '1e40', '-', 'x', '1.2.3', ' 1', '--1', '٣'];
  const texts = ['', '-', '+']
    .flatMap((sign) =>
      whole.flatMap((digits) => fractions.map((fraction) => sign + digits + fraction)),
    )
    .concat(others);
  const decimal = toDecimal({}, 'v');
  const { length } = texts;
  const statement = `SELECT v, CAST(${decimal} AS VARCHAR), CAST(TRY_CAST(v AS DECIMAL(38, 10)) AS VARCHAR)
    FROM (VALUES ${texts.map((text) => `(${quoteText(text)})`).join(', ')}) AS t (v)`;
  const rows = (await connection.runAndReadAll(statement)).getRowsJson();
  expect(rows).toHaveLength(length);
  expect(rows.filter(([, found, expected]) => found !== expected)).toEqual([]);
  const grouped = `SELECT CAST(${toDecimal(commaReading, "'1.234.567,8'")} AS VARCHAR)`;
  expect((await connection.runAndReadAll(grouped)).getRowsJson()).toEqual([['1234567.8000000000']]);
  connection.closeSync();
});
