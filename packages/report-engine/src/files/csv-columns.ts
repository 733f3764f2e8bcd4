import type { FieldOptions } from '@portal-embed/report-model';

import { areDays, findSigns, haveBoth, listCandidates, type Candidate } from './csv-candidates.ts';
import { listDateForms } from './csv-dates.ts';
import { isNullish, isNullText } from './csv-nulls.ts';
import { isChosen, type CountedNumbers, type UsedSeparators } from './csv-number-hints.ts';
import { commaReading, isSeparated, pointReading } from './csv-numbers.ts';
import { readSample, readTexts, type SampledColumn } from './csv-sample.ts';
import { noSigns, readSigned, spell, type Signs } from './csv-signs.ts';
import { Aggregates, textOf, type Table } from './csv-table.ts';
import { createDeclaredForm, listInferredForms, type Form } from './csv-types.ts';

/** A column of a CSV file whose values have been counted. */
export interface CountedColumn {
  name: string;
  /** Number of values. */
  values: number;
  /** The first form of all values that needs no option. */
  form?: Form | undefined;
  /** Some values, without those that stand for a missing value. */
  texts: readonly string[];
  signs: Signs | 'mixed';
  /** An example of numbers with more digits than a double holds. */
  long: string | null;
  /** What else could read the values, if there is no form. */
  others: CountedForms;
  /** Whether the values of a numeric form have another interpretation. */
  twin?: 'comma' | 'code' | 'day' | undefined;
}

export interface CountedForms {
  /** Values such as `n/a`. */
  nullish: number;
  plain: { form: Form; count: number }[];
  numbers: CountedNumbers[];
  dates: { date: string; form: Form; count: number }[];
  used: UsedSeparators;
}

const nothing: CountedForms = {
  nullish: 0,
  plain: [],
  numbers: [],
  dates: [],
  used: { '.': false, ',': false, ' ': false, "'": false },
};

/**
 * Counts the values that each possible form reads.
 *
 * @param fields what the dataset declares
 * @param kept columns that new forms do not read
 */
export async function countColumns(
  table: Table,
  fields: Readonly<Record<string, FieldOptions>>,
  kept: ReadonlySet<string>,
): Promise<CountedColumn[]> {
  const sampled = await readSample(table, listInferredForms(table.csv));
  const read = await chooseForms(table, sampled, kept);
  const isOpen = ({ name, values, days }: SampledColumn, form: Form | undefined) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (values === 0 || field?.type === 'text' || field?.date !== undefined) return false;
    return !form || form.type === 'number' || (form.type === 'integer' && days > 0);
  };
  const open = read.filter(({ sample, form }) => isOpen(sample, form));
  const found = await readTexts(
    table,
    open.map(({ sample }) => sample.name),
  );
  const aggregates = new Aggregates();
  const counting = read.map(({ sample, values, form }) => {
    const { name, long } = sample;
    const texts = (found.get(name) ?? []).filter((text) => !isNullText(text));
    const signs = form ? noSigns : findSigns(texts);
    const column = { name, values, form, texts, signs, long };
    const v = textOf(table, name);
    const others =
      form || texts.length === 0 ? () => nothing : countForms(aggregates, table, sample, v, texts);
    const twin = form ? findTwin(aggregates, table, { form, texts, values }, v) : () => undefined;
    return { column, others, twin };
  });
  await aggregates.read(table);
  return counting.map(({ column, others, twin }) =>
    Object.assign(column, { others: others(), twin: twin() }),
  );
}

/** Chooses the first form that reads all values of each column. */
async function chooseForms(
  table: Table,
  sampled: readonly SampledColumn[],
  kept: ReadonlySet<string>,
) {
  const aggregates = new Aggregates();
  const counting = sampled.map((sample) => {
    const { name, counted } = sample;
    const v = textOf(table, name);
    const possible = counted
      .filter(({ form, count }) => count === sample.values && !(form.isNew && kept.has(name)))
      .map(({ form }) => ({ form, count: aggregates.count(form.matches(v)) }));
    return { sample, possible, values: aggregates.count(`${v} IS NOT NULL`) };
  });
  await aggregates.read(table);
  return counting.map(({ sample, possible, values: count }) => {
    const values = count();
    const form = values > 0 ? possible.find((each) => each.count() === values)?.form : undefined;
    return { sample, values, form };
  });
}

/** Whether so many of the first values have a form that the others may be mistakes or missing values. */
const isOften = (count: number, { values }: SampledColumn): boolean =>
  count > 0 && count * 10 >= values;

function countForms(
  aggregates: Aggregates,
  { csv }: Table,
  sample: SampledColumn,
  v: string,
  texts: readonly string[],
): () => CountedForms {
  const has = (condition: string) => {
    const count = aggregates.count(condition);
    return () => count() > 0;
  };
  const plain = sample.counted.filter(({ form, count }) => !form.isNew && isOften(count, sample));
  const candidates: Candidate[] = [
    ...plain.map(({ form }): Candidate => ({ kind: 'plain', form })),
    ...(sample.long === null
      ? []
      : [{ kind: 'plain', form: createDeclaredForm('decimal', csv) } as const]),
    ...listCandidates(texts, csv),
  ];
  if (candidates.length === 0) return () => nothing;
  const counted = candidates.map((candidate) => {
    const { matches } = candidate.kind === 'number' ? candidate.numbers : candidate.form;
    const isWhole = candidate.kind === 'number' ? candidate.numbers.isWhole : undefined;
    return {
      candidate,
      count: aggregates.count(matches(v)),
      whole: isWhole ? aggregates.count(`${matches(v)} AND ${isWhole(v)}`) : () => 0,
    };
  });
  const nullish = aggregates.count(isNullish(v));
  const points = has(`contains(${v}, '.')`);
  const commas = has(`contains(${v}, ',')`);
  const spaces = has(`regexp_matches(${spell(v)}, '\\d \\d')`);
  const apostrophes = has(`regexp_matches(${spell(v)}, '\\d''\\d')`);
  return () => {
    const forms: CountedForms = {
      nullish: nullish(),
      plain: [],
      numbers: [],
      dates: [],
      used: { '.': points(), ',': commas(), ' ': spaces(), "'": apostrophes() },
    };
    for (const { candidate, count, whole } of counted)
      if (candidate.kind === 'plain') forms.plain.push({ form: candidate.form, count: count() });
      else if (candidate.kind === 'number')
        forms.numbers.push({ candidate, count: count(), whole: whole() });
      else forms.dates.push({ date: candidate.date, form: candidate.form, count: count() });
    return forms;
  };
}

/** Finds another interpretation of numbers. */
function findTwin(
  aggregates: Aggregates,
  { csv }: Table,
  { form, texts, values }: { form: Form; texts: readonly string[]; values: number },
  v: string,
): () => CountedColumn['twin'] {
  const { decimal = '.' } = csv;
  if (form.type === 'integer' && areDays(texts)) {
    const [{ matches }] = listDateForms({ date: '%Y%m%d' }) as [Form];
    const count = aggregates.count(`${fitsDay(v)} AND ${matches(v)}`);
    return () => (count() === values ? 'day' : undefined);
  }
  if (form.type !== 'number') return () => undefined;
  const both = [pointReading, commaReading].map((each) => readSigned(each, noSigns).matches(v));
  const inBoth =
    isChosen(csv) || !haveBoth(texts) ? () => -1 : aggregates.count(both.join(' AND '));
  const separated = aggregates.count(isSeparated(v));
  const fractions = aggregates.count(`contains(${v}, '${decimal}')`);
  return () => {
    if (inBoth() === values && separated() > 0) return 'comma';
    return fractions() === 0 ? 'code' : undefined;
  };
}

const fitsDay = (v: string) => `regexp_full_match(${v}, '(19|20|21)\\d{6}')`;
