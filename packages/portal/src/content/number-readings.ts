import { csvSchema, type DatasetSource } from '@portal-embed/report-model';

import type { NumberQuestion } from '#wire/admin/datasets.ts';

import { writeOptions } from '../platforms/builtin/files/csv-number-hints.ts';
import type { StoredSource } from './data-files.ts';
import { getFilePath, parseItem, type DatasetItem } from './items.ts';
import type { StoredItem } from './plan.ts';
import type { GivenContent } from './read-files.ts';

/** A column of a question, and what to write. */
export interface AskedColumn {
  column: string;
  message: string;
}

/** Describes the values of each column in both readings. */
export function describeQuestion(
  { file, readings }: NumberQuestion,
  advice = `write ${readings.map(({ csv }) => writeOptions(csv)).join(', or ')}, under csv, or give the field type: text`,
): AskedColumn[] {
  const [one, other] = readings;
  if (!one || !other) return [];
  return one.columns.map(({ name, values, total }, index) => {
    const twin = other.columns[index]!;
    const texts = values.map(({ text }) => JSON.stringify(text)).join(', ');
    const list = (numbers: typeof values) => numbers.map(({ number }) => number).join(', ');
    return {
      column: name,
      message: `${file}: column "${name}" has two readings: ${texts} can be ${list(values)} (total ${total}) or ${list(twin.values)} (total ${twin.total}); ${advice}`,
    };
  });
}

/** The questions of all data files of a content folder. */
export const listQuestions = ({ sources }: Pick<GivenContent, 'sources'>): string[] =>
  [...sources.values()].flatMap(({ questions = [] }) =>
    questions.flatMap((question) => describeQuestion(question)).map(({ message }) => message),
  );

/** Divides the columns with two readings: a dataset that was applied before keeps its reading. */
export function divideQuestions(
  item: DatasetItem,
  { columns, questions = [] }: StoredSource,
  stored: StoredItem | undefined,
): { kept: string[]; asked: string[] } {
  const asked = questions.flatMap((question) => describeQuestion(question));
  const typeOf = (name: string) => columns.find((column) => column.name === name)?.type;
  const isKept = ({ column }: AskedColumn) =>
    stored?.columns?.some(({ name, type }) => name === column && type === typeOf(name)) === true &&
    readsAlike(item.definition.source, stored);
  return {
    kept: asked.filter(isKept).map(({ message }) => message),
    asked: asked.filter((each) => !isKept(each)).map(({ message }) => message),
  };
}

/** Whether the stored definition reads numbers as the new one does. */
function readsAlike(source: DatasetSource, { slug, text }: StoredItem): boolean {
  if (slug === null || text === null) return false;
  const { item } = parseItem(getFilePath({ kind: 'dataset', slug }), text);
  return (
    item?.kind === 'dataset' && listSeparators(item.definition.source) === listSeparators(source)
  );
}

function listSeparators(source: DatasetSource): string {
  const { decimal = '.', thousands } = csvSchema.parse('csv' in source ? (source.csv ?? {}) : {});
  return JSON.stringify([decimal, thousands]);
}
