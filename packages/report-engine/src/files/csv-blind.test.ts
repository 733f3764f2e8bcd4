import fs from 'node:fs';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { csvSchema, type FieldOptions, type FileOptions } from '@portal-embed/report-model';
import { createTemporaryFolder } from 'testing';
import { afterAll, describe, expect, it } from 'vitest';

import { describeQuestion } from '../data-files/describe-question.ts';
import { DraftError } from '../drafts/draft-error.ts';
import { draftContent } from '../drafts/drafts.ts';
import { FileError } from './data-file.ts';
import { runTask } from './run-task.ts';
import type { DescribedFile } from './tasks.ts';

/** Files that somebody else has written after the specification, each with its right results. */
const root = path.join(import.meta.dirname, '../../test-data/blind/csv');

/** The kinds of files whose values are hard to read. */
const kinds = new Set(['numbers', 'dates', 'nulls', 'stay']);

interface Expected {
  kind: string;
  outcome: string | string[];
  via: 'init' | 'apply';
  files: string[];
  columns: Record<string, { type: string; format?: unknown; or?: string[] }>;
  total: Record<string, string>;
  values: Record<string, [string | null, string | null]>;
  asText?: Record<string, [string | null, string | null]>;
  given?: { csv?: object; fields?: Record<string, object>; timeZone?: string };
  options?: object;
  fields?: Record<string, { type?: string; date?: string; format?: { currency: string } }>;
  answered?: Pick<Expected, 'columns' | 'total' | 'values'>;
  proposed?: Record<string, unknown>;
  message?: string[];
  messageAlways?: boolean;
  never?: Record<string, string[]>;
  tolerance?: number;
}

/** Letters such as DD/MM/YYYY. */
const translateDate = (format: string) =>
  format.replace(
    /YYYY|YY|MMMM|MMM|MM|DD|D|M|HH|hh|mm|ss|A/g,
    (part) =>
      ({
        YYYY: '%Y',
        YY: '%y',
        MMMM: '%B',
        MMM: '%b',
        MM: '%m',
        M: '%m',
        DD: '%d',
        D: '%d',
        HH: '%H',
        hh: '%I',
        mm: '%M',
        ss: '%S',
        A: '%p',
      })[part]!,
  );

const translate = (options: object = {}): Partial<FileOptions> =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      name === 'date' ? translateDate(value as string) : (value as unknown),
    ]),
  );

const translateFields = (fields: Expected['fields'] = {}): Record<string, FieldOptions> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { format, ...field }]) => [
      name,
      {
        ...translate(field),
        ...(format && {
          format: { style: 'currency', notation: 'standard', currency: format.currency },
        }),
      } as FieldOptions,
    ]),
  );

const numeric = ['number', 'integer', 'decimal'];
const isOf = (type: string, expected: string) =>
  type === expected || (numeric.includes(expected) && numeric.includes(type));

describe.skipIf(!fs.existsSync(root))('files that are hard to read', () => {
  const temporary = createTemporaryFolder('portal-blind-');
  afterAll(() => fs.rmSync(temporary, { recursive: true }));
  const names = fs.existsSync(root)
    ? fs.readdirSync(root).filter((name) => fs.existsSync(path.join(root, name, 'expected.json')))
    : [];
  const load = (name: string) =>
    JSON.parse(fs.readFileSync(path.join(root, name, 'expected.json'), 'utf8')) as Expected;
  const converted = path.join(temporary, 'converted.parquet');

  /** The columns of the file that was written, as texts. */
  async function readRows(described: DescribedFile, timeZone = 'UTC') {
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`SET TimeZone = '${timeZone}'`);
    const result = await connection.runAndReadAll(
      `SELECT ${described.columns
        .map(({ name, type }) => {
          const column = `"${name.replaceAll('"', '""')}"`;
          return type === 'datetime' ? `CAST(${column} AS TIMESTAMP) AS c` : column;
        })
        .join(', ')} FROM read_parquet('${converted}')`,
    );
    connection.closeSync();
    return result.getRowsJson();
  }

  function compare(
    described: DescribedFile,
    rows: unknown[][],
    { columns, total, values }: Pick<Expected, 'columns' | 'total' | 'values'>,
    { asText = {}, tolerance = 1e-9 }: Partial<Expected> = {},
    fields: Record<string, FieldOptions> = {},
  ): string[] {
    const found: string[] = [];
    for (const [name, { type, format, or = [] }] of Object.entries(columns)) {
      const index = described.columns.findIndex((column) => column.name === name);
      const column = described.columns[index];
      if (!column) {
        found.push(`${name} is missing`);
        continue;
      }
      const isText = column.type === 'text' && asText[name] !== undefined;
      const isRight = [type, ...or].some((each) => isOf(column.type, each)) || isText;
      if (!isRight) found.push(`${name} is ${column.type}, and not ${type}`);
      const [first, last] = (isText ? asText[name] : values[name]) ?? [undefined, undefined];
      for (const [at, expected] of [
        [0, first],
        [rows.length - 1, last],
      ] as const) {
        const cell = rows[at]?.[index];
        if (expected === undefined || !isRight) continue;
        const isSame =
          expected === null || cell === null
            ? cell === expected
            : numeric.includes(column.type)
              ? Number(cell) === Number(expected)
              : String(cell)
                  .replace(' ', 'T')
                  .replace(/T00:00:00$/, '') ===
                expected.replace(' ', 'T').replace(/T00:00:00$/, '');
        if (!isSame) found.push(`${name} has ${String(cell)}, and not ${expected}`);
      }
      if (total[name] !== undefined && numeric.includes(column.type)) {
        const sum = rows.reduce((all, row) => all + Number(row[index] ?? 0), 0);
        const wanted = Number(total[name]);
        if (Math.abs(sum - wanted) > Math.max(tolerance, Math.abs(wanted) * tolerance))
          found.push(`${name} has the total ${sum}, and not ${total[name]}`);
      }
      if (format && !isText && numeric.includes(column.type)) {
        const wanted = typeof format === 'string' ? { style: format } : (format as object);
        const actual = fields[name]?.format ?? column.format;
        expect.soft(actual, `format of ${name}`).toMatchObject(wanted);
      }
    }
    return found;
  }

  /** Describes the file as `init` or an apply reads it. */
  async function describeFile(file: string, { via, given = {} }: Expected) {
    if (via === 'init') {
      const { described, notes, write } = await draftContent(file, { converted });
      return { described, notes, yaml: Object.values(write())[0] ?? '' };
    }
    const answer = await runTask({
      kind: 'convert',
      source: file,
      target: converted,
      csv: csvSchema.parse(translate(given.csv)),
      fields: translateFields(given.fields as Expected['fields']),
      kept: [],
    });
    if ('problems' in answer) throw new FileError(answer);
    if ('described' in answer) return { described: answer.described, notes: [], yaml: '' };
    throw new Error('The task describes no file.');
  }

  it.each(names.filter((name) => kinds.has(load(name).kind)))('%s', async (name) => {
    const expected = load(name);
    const accepted = [expected.outcome].flat();
    const file = path.join(root, name, expected.files[0]!);
    const read = await describeFile(file, expected).catch((error: unknown) => {
      if (error instanceof DraftError || error instanceof FileError) return error;
      throw error;
    });
    if (read instanceof Error) {
      expect(accepted, read.message).toContain('refused');
      for (const word of expected.message ?? []) expect(read.message).toContain(word);
      return;
    }
    const { described, notes, yaml } = read;
    const { questions } = described;
    const messages = [
      ...questions.flatMap((question) =>
        describeQuestion({ file: expected.files[0]!, ...question }).map(({ message }) => message),
      ),
      ...described.hints.map(({ message }) => message),
      ...notes,
    ].join('\n');
    const rows = await readRows(described, expected.given?.timeZone);
    for (const [column, values] of Object.entries(expected.never ?? {})) {
      const index = described.columns.findIndex((each) => each.name === column);
      const type = described.columns[index]?.type ?? 'text';
      if (type === 'text' || questions.length > 0) continue;
      const sum = rows.reduce((all, row) => all + Number(row[index] ?? 0), 0);
      const published = [...rows.map((row) => String(row[index])), String(sum)];
      for (const value of values) expect(published, column).not.toContain(value);
    }
    if (questions.length > 0) {
      expect(accepted, messages).toContain('asked');
      for (const word of expected.message ?? []) expect(messages).toContain(word);
      if (!expected.answered) return;
      const fields = translateFields(expected.fields);
      const again = await draftContent(file, {
        converted,
        answers: { options: translate(expected.options), fields },
      });
      expect(again.described.questions).toEqual([]);
      const answeredRows = await readRows(again.described, expected.given?.timeZone);
      const found = compare(again.described, answeredRows, expected.answered, expected, fields);
      expect(found).toEqual([]);
      return;
    }
    const found = compare(described, rows, expected, expected);
    expect(found, messages).toEqual([]);
    expect(
      accepted.some((each) => each === 'read' || each === 'text'),
      messages,
    ).toBe(true);
    const isText = Object.entries(expected.columns).some(
      ([column, { type }]) =>
        described.columns.find((each) => each.name === column)?.type === 'text' &&
        (type !== 'text' || accepted.includes('text')),
    );
    const isNamed =
      !accepted.includes('read') ||
      expected.messageAlways ||
      (isText && !accepted.every((each) => each === 'read'));
    for (const word of isNamed ? (expected.message ?? []) : []) expect(messages).toContain(word);
    for (const [option, value] of Object.entries(translate(expected.proposed)))
      expect(yaml, option).toContain(Array.isArray(value) ? `${option}:` : `${option}: `);
  });
});
