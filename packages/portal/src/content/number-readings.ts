import { csvSchema, type DatasetSource } from '@portal-embed/report-model';

import { type StoredSource, describeQuestion } from '#report-engine';

import { findInSource, getFilePath, type Finding } from './items.ts';
import type { Change, StoredItem } from './plan.ts';
import type { GivenContent } from './read-files.ts';
import type { ContentFile, ParsedFile } from './tasks.ts';

/** The questions of all data files of a content folder. */
export const listQuestions = ({ sources }: Pick<GivenContent, 'sources'>): string[] =>
  [...sources.values()].flatMap(({ questions = [] }) =>
    questions.flatMap((question) => describeQuestion(question)).map(({ message }) => message),
  );

/**
 * Divides the columns with two readings: a dataset that was applied before keeps its reading.
 *
 * @param parse parses the stored text of a dataset
 */
export async function divideQuestions(
  changes: readonly Change[],
  sources: ReadonlyMap<string, StoredSource>,
  parse: (file: ContentFile) => Promise<ParsedFile>,
): Promise<{ kept: string[]; asked: Finding[] }> {
  const divided: { kept: string[]; asked: Finding[] } = { kept: [], asked: [] };
  for (const { slug, item, stored } of changes) {
    const { columns = [], questions = [] } = sources.get(slug) ?? {};
    if (item?.kind !== 'dataset' || questions.length === 0) continue;
    const isRead = stored && (await readsAlike(item.definition.source, stored, parse));
    const typeOf = (name: string) => columns.find((column) => column.name === name)?.type;
    const isKept = (asked: string) =>
      isRead && stored.columns?.some(({ name, type }) => name === asked && type === typeOf(name));
    for (const { column, message } of questions.flatMap((each) => describeQuestion(each)))
      if (isKept(column)) divided.kept.push(message);
      else divided.asked.push(findInSource(item, message));
  }
  return divided;
}

/** Whether the stored definition reads numbers as the new one does. */
async function readsAlike(
  source: DatasetSource,
  { slug, text }: StoredItem,
  parse: (file: ContentFile) => Promise<ParsedFile>,
): Promise<boolean> {
  if (slug === null || text === null) return false;
  const { item } = await parse({ file: getFilePath({ kind: 'dataset', slug }), text });
  return (
    item?.kind === 'dataset' && listSeparators(item.definition.source) === listSeparators(source)
  );
}

function listSeparators(source: DatasetSource): string {
  const { csv, xlsx } = 'connection' in source ? {} : source;
  const { decimal = '.', thousands } = xlsx ?? csvSchema.parse(csv ?? {});
  return JSON.stringify([decimal, thousands]);
}
