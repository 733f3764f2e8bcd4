import { csvSchema, type Dataset, type FileQuestion } from '@portal-embed/report-model';

import {
  describeQuestion,
  type KeptColumns,
  type OrganizationFiles,
  type StoredSource,
} from '#report-engine';

import { findInSource, getFilePath, type DatasetItem, type Finding, type Item } from './items.ts';
import type { Change, StoredItem } from './plan.ts';
import type { GivenContent } from './read-files.ts';
import type { ContentFile, ParsedFile } from './tasks.ts';

type Parse = (file: ContentFile) => Promise<ParsedFile>;

/** The questions of all data files of a content folder. */
export const listQuestions = ({ sources }: Pick<GivenContent, 'sources'>): string[] =>
  [...sources.values()].flatMap(({ questions = [] }) =>
    questions.flatMap((question) => describeQuestion(question)).map(({ message }) => message),
  );

/**
 * Lists the columns of datasets that were applied before and read with the same options. They keep their
 * types.
 *
 * @param parse parses the stored text of a dataset
 * @returns by the slug of the dataset
 */
export async function listKept(
  items: readonly Item[],
  stored: readonly StoredItem[],
  parse: Parse,
): Promise<ReadonlyMap<string, KeptColumns>> {
  const kept = new Map<string, KeptColumns>();
  for (const item of items) {
    if (item.kind !== 'dataset') continue;
    const { definition, slug } = item;
    const found = stored.find(
      (each) =>
        each.kind === 'dataset' && (each.slug === slug || each.id === definition.id?.toLowerCase()),
    );
    const before = found && (await parseStored(found, parse));
    if (!found?.columns || !before) continue;
    const isSame = (column: string) =>
      describeOptions(before, column, optionNames) ===
      describeOptions(definition, column, optionNames);
    kept.set(
      slug,
      found.columns.filter(({ name }) => isSame(name)),
    );
  }
  return kept;
}

/** Options under `csv` that decide what a value means. */
const optionNames = ['decimal', 'thousands', 'date', 'yearsFrom', 'nulls'] as const;

const defaults = { decimal: '.', encoding: 'utf-8', skip: 0, skipFooter: 0 };

type OptionName = (typeof optionNames)[number] | 'encoding' | 'skip' | 'skipFooter';

const optionsOf: Record<FileQuestion['about'], readonly OptionName[]> = {
  sheet: [],
  encoding: ['encoding'],
  footer: ['skip', 'skipFooter'],
  numbers: ['decimal', 'thousands'],
  exponents: ['decimal', 'thousands'],
  currency: ['decimal', 'thousands'],
  dates: ['date', 'yearsFrom'],
};

/**
 * Divides the columns with several interpretations: a dataset that was applied before keeps its own.
 *
 * @param options.parse parses the stored text of a dataset
 * @param options.find describes a stored version of a data file
 */
export async function divideQuestions(
  changes: readonly Change[],
  sources: ReadonlyMap<string, StoredSource>,
  { parse, find }: { parse: Parse; find: OrganizationFiles['find'] },
): Promise<{ kept: string[]; asked: Finding[] }> {
  const divided: { kept: string[]; asked: Finding[] } = { kept: [], asked: [] };
  for (const { slug, item, stored } of changes) {
    const { columns = [], questions = [] } = sources.get(slug) ?? {};
    if (item?.kind !== 'dataset' || questions.length === 0) continue;
    const before = stored && (await parseStored(stored, parse));
    const typeOf = (name: string) => columns.find((column) => column.name === name)?.type;
    const hadFooter = stored !== undefined && (await mayHaveHadFooter(stored, find));
    const isKept = ({ about }: FileQuestion, asked: string) =>
      before &&
      (about !== 'footer' || hadFooter) &&
      describeOptions(before, asked, optionsOf[about]) ===
        describeOptions(item.definition, asked, optionsOf[about]) &&
      stored.columns?.some(({ name, type }) => name === asked && type === typeOf(name));
    for (const question of questions)
      for (const { column, message } of describeQuestion(question))
        if (isKept(question, column)) divided.kept.push(message);
        else divided.asked.push(findInSource(item, message));
  }
  return divided;
}

/** Whether a dataset had a row of totals before. Earlier releases did not ask about them. */
async function mayHaveHadFooter(
  { files }: StoredItem,
  find: OrganizationFiles['find'],
): Promise<boolean> {
  for (const file of files ?? []) {
    const { questions } = (await find(file)) ?? {};
    if (!questions || questions.some(({ about }) => about === 'footer')) return true;
  }
  return false;
}

async function parseStored(
  { slug, text }: StoredItem,
  parse: Parse,
): Promise<DatasetItem['definition'] | undefined> {
  if (slug === null || text === null) return undefined;
  const { item } = await parse({ file: getFilePath({ kind: 'dataset', slug }), text });
  return item?.kind === 'dataset' ? item.definition : undefined;
}

/** The options with which a dataset reads a column, and what it says about the column. */
function describeOptions(
  { source, fields }: Dataset,
  column: string,
  names: readonly OptionName[],
): string {
  const { csv, xlsx } = 'connection' in source ? {} : source;
  const options: Partial<Record<OptionName, unknown>> = {
    ...defaults,
    ...(xlsx ?? csvSchema.parse(csv ?? {})),
  };
  const field = fields.find(({ name, expression }) => name === column && expression === undefined);
  return JSON.stringify([
    names.map((name) => options[name] ?? null),
    [field?.type, field?.date, field?.yearsFrom].map((each) => each ?? null),
  ]);
}
