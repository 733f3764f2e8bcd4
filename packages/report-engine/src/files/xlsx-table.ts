import type { DuckDBConnection } from '@duckdb/node-api';
import { csvSchema, type CsvOptions, type XlsxOptions } from '@portal-embed/report-model';

import { quoteName, type Table } from './csv-table.ts';
import type { SheetColumn } from './xlsx-columns.ts';
import { formula } from './xlsx-rows.ts';
import { writeColumnName } from './xlsx-sheet.ts';
import { nameCell } from './xlsx-sheets.ts';

/** A column of a sheet with its name. */
export interface NamedColumn {
  name: string;
  column: SheetColumn;
  /** Its position in the file that `writeRows` has written. */
  index: number;
}

/** How values that are no text are written. */
export const canonical: CsvOptions = csvSchema.parse({ decimal: '.' });

/** SQL: the kind of a cell in `SheetTable.complete`; NULL for a text. Names have no control characters. */
export const kindOfCell = (name: string) => quoteName(`${name}\t`);

/** The rows of a sheet, as tables of texts. */
export class SheetTable {
  readonly columns: readonly NamedColumn[];
  readonly #connection: DuckDBConnection;
  readonly #rows: string;
  readonly #sheet: string;

  /**
   * @param file SQL: the path of the file that `writeRows` has written
   * @param sheet.width how many columns the file has
   */
  constructor(
    connection: DuckDBConnection,
    file: string,
    sheet: { name: string; columns: readonly NamedColumn[]; width: number },
  ) {
    const types = Array.from(
      { length: sheet.width },
      (_, at) => `t${at}: 'VARCHAR', k${at}: 'VARCHAR'`,
    );
    this.columns = sheet.columns;
    this.#connection = connection;
    this.#sheet = sheet.name;
    this.#rows = `read_csv(${file}, auto_detect = false,
      columns = {${["r: 'BIGINT'", ...types].join(', ')}}, delim = ',', quote = '"', escape = '"',
      header = false, compression = 'none', hive_partitioning = false, null_padding = true, parallel = false)`;
  }

  /** All values, as `canonical` reads those that are no text, and the kinds of cells. */
  complete(): Table {
    return this.#select(canonical, this.columns, ({ name, index }) => [
      `t${index} AS ${quoteName(name)}`,
      `k${index} AS ${kindOfCell(name)}`,
    ]);
  }

  /** The values of cells with a text, of columns that have some. */
  texts({ decimal, thousands, date, yearsFrom, nulls }: XlsxOptions): Table {
    const csv = csvSchema.parse({ delimiter: '\t', decimal, thousands, date, yearsFrom, nulls });
    const columns = this.columns.filter(({ column }) => column.count('text') > 0);
    return this.#select(csv, columns, ({ name, index }) => [
      `CASE WHEN k${index} IS NULL THEN t${index} END AS ${quoteName(name)}`,
    ]);
  }

  /** The values of cells without a text. */
  others(): Table {
    return this.#select(canonical, this.columns, ({ name, index }) => [
      `CASE WHEN k${index} IS NOT NULL THEN t${index} END AS ${quoteName(name)}`,
    ]);
  }

  #select(
    csv: CsvOptions,
    columns: readonly NamedColumn[],
    list: (column: NamedColumn) => string[],
  ): Table {
    // Formulas that were not computed have no value.
    const dropped = columns
      .filter(({ column }) => column.hasZeroFormulas)
      .map(
        ({ index }) =>
          `CASE WHEN k${index} = '${formula}' THEN NULL ELSE t${index} END AS t${index}`,
      );
    const rows =
      dropped.length === 0
        ? this.#rows
        : `(SELECT * REPLACE (${dropped.join(', ')}) FROM ${this.#rows})`;
    return {
      connection: this.#connection,
      table: `(SELECT ${columns.flatMap(list).join(', ')} FROM ${rows})`,
      names: columns.map(({ name }) => name),
      csv,
      locate: (row, name) => this.#locate(row, name),
    };
  }

  async #locate(row: number, name: string): Promise<string> {
    const result = await this.#connection.runAndReadAll(
      `SELECT r FROM ${this.#rows} LIMIT 1 OFFSET ${row - 1}`,
    );
    const [[number] = []] = result.getRowsJson() as string[][];
    const { column } = this.columns.find((each) => each.name === name)!.column;
    return nameCell(this.#sheet, `${writeColumnName(column)}${number}`);
  }
}
