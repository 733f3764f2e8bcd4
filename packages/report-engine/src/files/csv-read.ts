import { isNumeric, type FieldOptions, type FieldType } from '@portal-embed/report-model';

import { countColumns, type CountedColumn } from './csv-columns.ts';
import { defaultYearsFrom, hasClock, hasUnclearCentury, momentForm } from './csv-dates.ts';
import { decide, formatOf, guessDates, isOtherCurrency, type Decision } from './csv-decide.ts';
import * as readings from './csv-field-readings.ts';
import { describeGuess, isNearly, writeOptions, type Guess } from './csv-hints.ts';
import { findMisfits } from './csv-misfits.ts';
import { isNullish, isWord } from './csv-nulls.ts';
import { askColumn, askNumbers, type OpenNumbers } from './csv-questions.ts';
import { settleSeparators, type Undecided } from './csv-separators.ts';
import { noSigns } from './csv-signs.ts';
import { quoteText } from './csv-sql.ts';
import { isNull, quoteName, readAggregates, textOf, type Table } from './csv-table.ts';
import {
  createDeclaredForm,
  createWidenedForm,
  describeDeclared,
  newSince,
  readingOf,
  type Form,
} from './csv-types.ts';
import type { DescribedFile, FileColumn, FileHint, FileProblem } from './tasks.ts';

/** Each hint reads the file once more. */
const maxHints = 20;

/** Values that a hint shows. */
const shownTexts = 3;

/** How a table is read. */
export interface ReadTable extends DescribedFile {
  /** SQL: the value of each column, as it is stored. */
  values: string[];
  /** Values that do not have the types that the dataset declares. */
  problems: FileProblem[];
}

/** Types that other files of the same dataset give to columns. */
type Widened = Readonly<Record<string, FieldType>>;

/** Decides how each column is read. */
export async function readTable(
  table: Table,
  fields: Readonly<Record<string, FieldOptions>>,
  { kept, widened = {} }: { kept: ReadonlySet<string>; widened?: Widened | undefined },
): Promise<ReadTable> {
  const counted = await countColumns(table, fields, kept);
  const reading = new TableReading(table, fields, { kept, widened });
  await reading.run(counted);
  return reading.result;
}

class TableReading {
  readonly result: ReadTable = { columns: [], hints: [], questions: [], values: [], problems: [] };
  readonly #table: Table;
  readonly #fields: Readonly<Record<string, FieldOptions>>;
  readonly #kept: ReadonlySet<string>;
  readonly #widened: Widened;
  /** Columns of numbers in which points and commas have two interpretations. */
  readonly #open: OpenNumbers[] = [];

  constructor(
    table: Table,
    fields: Readonly<Record<string, FieldOptions>>,
    { kept, widened }: { kept: ReadonlySet<string>; widened: Widened },
  ) {
    this.#widened = widened;
    this.#table = table;
    this.#fields = fields;
    this.#kept = kept;
  }

  async run(counted: readonly CountedColumn[]): Promise<void> {
    const { csv } = this.#table;
    const columns = counted.map((column): Undecided => {
      const field = this.#fieldOf(column.name);
      const isDecided = column.values === 0 || column.form || field.date || field.type === 'text';
      return { column, field, decision: isDecided ? undefined : decide(column, csv, field) };
    });
    settleSeparators(
      columns.filter(
        ({ field }) =>
          field.date === undefined && (field.type === undefined || isNumeric(field.type)),
      ),
      csv,
    );
    for (const { column, field, decision } of columns) await this.#read(column, field, decision);
    this.result.questions.unshift(...(await askNumbers(this.#table, this.#open)));
    await this.#dropWords();
  }

  #fieldOf(name: string): FieldOptions {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name]! : {};
  }

  async #read(
    column: CountedColumn,
    field: FieldOptions,
    decision: Decision | undefined,
  ): Promise<void> {
    const { name } = column;
    if (field.type === 'text') return this.#write(column, undefined);
    if (field.type !== undefined || field.date !== undefined)
      return this.#readDeclared(column, field, decision);
    if (Object.hasOwn(this.#widened, name))
      return this.#readWidened(column, field, this.#widened[name]!);
    if (column.form) return this.#readPlain(column, column.form);
    if (!decision || decision.kind === 'text') return this.#write(column, undefined);
    switch (decision.kind) {
      case 'read': {
        const { form, format } = decision;
        if (!this.#kept.has(name)) return this.#write(column, form, format && { format });
        await this.#ask(column, readings.textOr(form));
        return this.#write(column, undefined);
      }
      case 'both':
        this.#open.push({ name, signs: decision.signs });
        if (decision.signs.currencies.length > 1 && !field.format)
          await this.#ask(
            column,
            readings.currencies({ decimal: '.', thousands: ',' }, decision.signs),
          );
        return this.#write(column, undefined);
      case 'currency':
        await this.#ask(column, readings.currencies(this.#table.csv, decision.signs));
        return this.#write(column, undefined);
      case 'other-currency':
        this.result.hints.push({
          column: name,
          likely: 'number',
          message: `column "${name}" is text because its amounts (${column.texts
            .slice(0, shownTexts)
            .map((text) => JSON.stringify(text))
            .join(
              ', ',
            )}) are not in ${field.format?.currency}, which the format of the field says; correct the format, or give the field type: text`,
          csv: {},
          values: column.texts.slice(0, shownTexts),
        });
        return this.#write(column, undefined);
      case 'dates':
        await this.#readDates(column, decision.forms);
        return this.#write(column, undefined);
      case 'guess':
        await this.#hint(column, decision.guess);
        return this.#write(column, undefined);
    }
  }

  /** Reads the values in the type that other files have; a column with others is text. */
  async #readWidened(column: CountedColumn, field: FieldOptions, type: FieldType): Promise<void> {
    if (type === 'text') return this.#write(column, undefined);
    const { name } = column;
    const form = createWidenedForm(type, this.#table.csv);
    const { misfits } = await findMisfits(this.#table, name, form);
    if (!misfits) return this.#write(column, form);
    const other = this.#findOther(column, type, field);
    if (other && !(await findMisfits(this.#table, name, other.form)).misfits)
      return this.#write(column, other.form, other.format && { format: other.format });
    this.result.hints.push({
      column: name,
      likely: type,
      message: `column "${name}" is text because of "${misfits.value}" in ${misfits.place}; in other files, it is ${type}`,
      csv: {},
      values: [misfits.value],
    });
    return this.#write(column, undefined);
  }

  async #readPlain(column: CountedColumn, form: Form): Promise<void> {
    if (column.twin === 'comma') this.#open.push({ name: column.name, signs: noSigns });
    if (column.twin === 'day') await this.#ask(column, readings.days(form));
    if (column.twin === 'code') await this.#ask(column, readings.codes());
    await this.#askCentury(column, form, {});
    this.#write(column, form);
  }

  /** Asks for the century if the author has chosen a format with a year of two digits. */
  async #askCentury(column: CountedColumn, form: Form, field: FieldOptions): Promise<void> {
    const { csv } = this.#table;
    const reading = readingOf(csv, field);
    if (!reading || reading.yearsFrom !== undefined || !/%y/.test(reading.date)) return;
    if (form.type !== 'date' && form.type !== 'datetime') return;
    if (await this.#isUnclear(column, reading.date))
      await this.#ask(column, readings.dates([reading.date], [defaultYearsFrom, 1930]));
  }

  async #isUnclear({ name }: CountedColumn, date: string): Promise<boolean> {
    const { connection, table } = this.#table;
    const v = textOf(this.#table, name);
    const [isUnclear] = await readAggregates(connection, table, [
      `bool_or(${hasUnclearCentury(v, { date })})`,
    ]);
    return isUnclear === true;
  }

  async #readDates(column: CountedColumn, forms: { date: string; form: Form }[]): Promise<void> {
    const { csv } = this.#table;
    const formats = forms.map(({ date }) => date);
    const isShort = csv.yearsFrom === undefined && formats.some((date) => /%y/.test(date));
    const isUnclear = isShort && (await this.#isUnclear(column, formats[0]!));
    if (formats.length > 1 || isUnclear) {
      const years = isUnclear ? [defaultYearsFrom, 1930] : [undefined];
      await this.#ask(column, readings.dates(formats, years));
    } else await this.#hint(column, guessDates(forms[0]!, column, csv));
  }

  async #ask({ name }: CountedColumn, asked: readings.Asked): Promise<void> {
    this.result.questions.push(await askColumn(this.#table, name, asked.about, asked.readings));
  }

  async #readDeclared(
    column: CountedColumn,
    field: FieldOptions,
    decision: Decision | undefined,
  ): Promise<void> {
    const { csv } = this.#table;
    const { name } = column;
    const isOpen = column.twin === 'comma' || decision?.kind === 'both';
    if (isOpen)
      this.#open.push({
        name,
        signs: decision?.kind === 'both' ? decision.signs : noSigns,
      });
    const times = hasClock(field.date ?? '')
      ? (['datetime'] as const)
      : (['date', 'datetime'] as const);
    const types = field.type === undefined ? times : [field.type];
    for (const type of types) {
      if (type === 'text') continue;
      const form = createDeclaredForm(type, csv, { field });
      const { misfits } = await findMisfits(this.#table, name, form);
      if (!misfits) {
        await this.#askCentury(column, form, field);
        return this.#write(column, form);
      }
      const other = this.#findOther(column, type, field);
      if (other && !(await findMisfits(this.#table, name, other.form)).misfits)
        return this.#write(column, other.form, other.format && { format: other.format });
      // The question is more helpful than the value.
      if (isOpen) return this.#write(column, undefined);
      if (type !== types.at(-1)) continue;
      const options = field.date === undefined ? 'the options under csv' : 'the date of the field';
      this.result.problems.push({
        column: name,
        message: `${misfits.place} has "${misfits.value}", which is not ${describeDeclared(type, csv, field)}; correct the value, the type, or ${options}`,
      });
      this.#write(column, form);
    }
  }

  /** A form of a declared type for numbers with signs, and for times with an offset. */
  #findOther({ signs }: CountedColumn, type: FileColumn['type'], field: FieldOptions) {
    if (type === 'date' || type === 'datetime')
      return field.date === undefined ? { form: momentForm, format: undefined } : undefined;
    if (type === 'text' || !isNumeric(type) || signs === 'mixed') return undefined;
    if (isOtherCurrency(signs, field)) return undefined;
    const form = createDeclaredForm(type, this.#table.csv, { signs });
    return { form, format: formatOf(signs, field) };
  }

  #write({ name }: CountedColumn, form: Form | undefined, more: Partial<FileColumn> = {}): void {
    const { columns, values } = this.result;
    const since = form?.isNew ? { since: newSince } : {};
    columns.push({ name, type: form?.type ?? 'text', ...more, ...since });
    const { nulls } = this.#table.csv;
    const text = nulls
      ? `CASE WHEN NOT ${isNull(this.#table, name)} THEN ${quoteName(name)} END`
      : quoteName(name);
    values.push(form ? form.value(textOf(this.#table, name)) : text);
  }

  async #hint({ name, texts }: CountedColumn, guess: Guess): Promise<void> {
    const { hints } = this.result;
    if (hints.length >= maxHints) return;
    const { misfits, values } = await findMisfits(this.#table, name, guess.form);
    const isNullable = guess.nulls !== undefined;
    if (misfits && !isNullable && !isNearly(values - misfits.count, values)) return;
    // Numbers with leading zeros are codes, such as postal codes, so the column stays text.
    if (misfits && /^0\d/.test(misfits.value)) return;
    const nulls = isNullable ? await this.#listNulls(name) : undefined;
    const { csv, field, form } = guess;
    hints.push({
      column: name,
      likely: form.type,
      message: describeGuess(name, nulls ? { ...guess, nulls } : guess, misfits),
      csv: { ...csv, ...(nulls && { nulls }) },
      values: (nulls ?? texts).slice(0, 3),
      ...(field && Object.keys(field).length > 0 && { field }),
    });
  }

  /** The texts of a column that stand for a missing value. */
  async #listNulls(name: string): Promise<string[]> {
    const v = textOf(this.#table, name);
    const { connection, table } = this.#table;
    const found = await connection.runAndReadAll(
      `SELECT DISTINCT ${v} AS v FROM ${table} WHERE ${isNullish(v)} ORDER BY v LIMIT 20`,
    );
    return found.getRowsJson().map(([text]) => text as string);
  }

  /** Does not propose a word as null that is a value of a text column, such as NA for Namibia. */
  async #dropWords(): Promise<void> {
    const { hints, columns } = this.result;
    const words = [...new Set(hints.flatMap(({ csv }) => csv.nulls ?? []))].filter(isWord);
    const hinted = new Set(hints.map(({ column }) => column));
    const texts = columns.filter(({ name, type }) => type === 'text' && !hinted.has(name));
    if (words.length === 0 || texts.length === 0) return;
    const list = words.map(quoteText).join(', ');
    const { connection, table } = this.#table;
    const found = await readAggregates(
      connection,
      table,
      texts.map(({ name }) => {
        const v = textOf(this.#table, name);
        return `min(${v}) FILTER (${v} IN (${list}))`;
      }),
    );
    const taken = new Map(
      found.flatMap((word, at): [string, string][] =>
        word === null ? [] : [[word as string, texts[at]!.name]],
      ),
    );
    this.result.hints = hints.map((hint) => withoutWords(hint, taken));
  }
}

function withoutWords(hint: FileHint, taken: ReadonlyMap<string, string>): FileHint {
  const word = hint.csv.nulls?.find((each) => taken.has(each));
  if (word === undefined) return hint;
  const { nulls: _, ...csv } = hint.csv;
  return {
    ...hint,
    csv,
    message: `${hint.message}; ${writeOptions({ nulls: [word] })} would also empty values of "${taken.get(word)}"`,
  };
}
