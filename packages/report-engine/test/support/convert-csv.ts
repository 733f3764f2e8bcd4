import fs from 'node:fs';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import {
  csvSchema,
  xlsxSchema,
  type CsvOptions,
  type FieldOptions,
  type FieldType,
  type XlsxOptions,
} from '@portal-embed/report-model';
import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll } from 'vitest';

import { FileError } from '../../src/files/data-file.ts';
import { runTask } from '../../src/files/run-task.ts';
import type { ConvertSheetTask, ConvertTask, FileTask } from '../../src/files/tasks.ts';

/** Converts CSV files in a temporary folder of the test file, and reads what was written. */
export function createConverter() {
  let folder = '';
  let count = 0;
  beforeAll(() => {
    folder = createTemporaryFolder('portal-files-');
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  async function run(task: FileTask) {
    const answer = await runTask(task);
    if ('problems' in answer) throw new FileError(answer);
    if ('described' in answer) return answer.described;
    throw new Error('The task describes no file.');
  }

  /** Finds how a file is to be read. */
  async function inspect(content: string | Buffer, csv: Partial<CsvOptions> = {}) {
    const source = path.join(folder, `${(count += 1)}.csv`);
    fs.writeFileSync(source, content);
    const answer = await runTask({ kind: 'inspect', source, csv });
    if ('problems' in answer) throw new FileError(answer);
    if (!('inspected' in answer)) throw new Error('The task inspects no file.');
    return answer.inspected;
  }

  async function convert(
    content: string | Buffer,
    csv: Partial<CsvOptions> = {},
    declared: Record<string, FieldType | FieldOptions> = {},
    kept: string[] = [],
    how: Pick<ConvertTask, 'isDraft' | 'isOneOfMany'> = {},
  ) {
    const source = path.join(folder, `${(count += 1)}.csv`);
    const target = path.join(folder, `${count}.parquet`);
    fs.writeFileSync(source, content);
    const fields = completeFields(declared);
    return read({
      kind: 'convert',
      source,
      target,
      csv: csvSchema.parse(csv),
      fields,
      kept,
      ...how,
    });
  }

  /** @param content a workbook, or the path of one */
  async function convertSheet(
    content: string | Buffer,
    xlsx: Partial<XlsxOptions> = {},
    declared: Record<string, FieldType | FieldOptions> = {},
    isDraft = false,
  ) {
    const source =
      typeof content === 'string' ? content : path.join(folder, `${(count += 1)}.xlsx`);
    const target = path.join(folder, `${(count += 1)}.parquet`);
    if (typeof content !== 'string') fs.writeFileSync(source, content);
    const fields = completeFields(declared);
    const options = xlsxSchema.parse(xlsx);
    return read({
      kind: 'convert-sheet',
      source,
      target,
      xlsx: options,
      fields,
      kept: [],
      isDraft,
    });
  }

  async function read(task: ConvertTask | ConvertSheetTask) {
    const described = await run(task);
    const { columns, hints, questions } = described;
    const { target } = task;
    const connection = await (await DuckDBInstance.create()).connect();
    const rows = await connection.runAndReadAll(`SELECT * FROM read_parquet('${target}')`);
    connection.closeSync();
    return {
      types: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
      hints: hints.map(({ message }) => message),
      rows: rows.getRowsJson(),
      questions,
      columns,
      target,
      described,
    };
  }

  return { folder: () => folder, run, convert, convertSheet, inspect };
}

const completeFields = (
  declared: Record<string, FieldType | FieldOptions>,
): Record<string, FieldOptions> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, each]) => [
      name,
      typeof each === 'string' ? { type: each } : each,
    ]),
  );
