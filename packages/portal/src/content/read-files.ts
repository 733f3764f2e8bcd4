import type { FileQuestion } from '@portal-embed/report-model';

import { ReportError } from '#platform';
import {
  type FileColumn,
  type FileHint,
  type KeptColumns,
  type FileProblem,
  ConnectionSourceError,
  DataFileError,
  type StoredSource,
  describeQuestion,
  storeSourceOf,
  type SourceOptions,
} from '#report-engine';

import type { PortalError } from '../errors.ts';
import { refuse } from '../limits/refuse.ts';
import { conversions } from '../limits/table.ts';
import {
  findIn,
  findInSource,
  getFilePath,
  type DatasetItem,
  type Finding,
  type Item,
} from './items.ts';
import type { Mistake } from './mistakes.ts';
import type { ContentFile, ParsedFile } from './tasks.ts';

/** The items of content files, with the mistakes in them and in the data files that they name. */
export interface GivenContent {
  items: readonly Item[];
  /** Slugs of datasets whose content file is not valid. */
  unreadable: readonly string[];
  /** Sources without a mistake, by the slug of their dataset. */
  sources: ReadonlyMap<string, StoredSource>;
  /** Columns of each source whose columns are known, by the slug of its dataset. */
  columns: ReadonlyMap<string, readonly FileColumn[]>;
  mistakes: readonly Mistake[];
  /** Issues of `items` that need a position. */
  findings: readonly Finding[];
  /** Likely mistakes, each with advice. */
  hints: readonly string[];
  /** Columns that are probably read in the wrong type, by the slug of their dataset. */
  likely: ReadonlyMap<string, readonly FileHint[]>;
}

/**
 * Reads content files, and stores the data files that they name or describes their connections.
 *
 * @param files texts by path
 * @param parse parses one file
 * @param findKept lists the columns that keep their types, by the slug of their dataset. Default: none
 * @throws `overloaded` if too many data files wait to be converted
 */
export async function readFiles(
  files: Readonly<Record<string, string>>,
  scope: SourceOptions,
  parse: (file: ContentFile) => Promise<ParsedFile>,
  findKept: (items: readonly Item[]) => Promise<ReadonlyMap<string, KeptColumns>> = async () =>
    new Map(),
): Promise<GivenContent> {
  const unreadable: string[] = [];
  const items: Item[] = [];
  const mistakes: Mistake[] = [];
  const findings: Finding[] = [];
  for (const [file, text] of Object.entries(files)) {
    const parsed = await parse({ file, text });
    mistakes.push(...parsed.mistakes);
    if (parsed.item) items.push(parsed.item);
    else unreadable.push(...(/^datasets\/(.+)\.yaml$/.exec(file)?.slice(1) ?? []));
  }
  const reports = items.flatMap((item) => (item.kind === 'report' ? [item.definition] : []));
  const kept = await findKept(items);
  const sources = new Map<string, StoredSource>();
  const columns = new Map<string, readonly FileColumn[]>();
  const hints: string[] = [];
  const likely = new Map<string, readonly FileHint[]>();
  for (const item of items) {
    if (item.kind !== 'dataset') continue;
    try {
      const source = await storeSourceOf(
        { ...item, file: getFilePath(item), kept: kept.get(item.slug) },
        reports,
        scope,
      );
      if (!source) {
        hints.push(describeUnchecked(item));
        continue;
      }
      hints.push(...source.hints);
      likely.set(item.slug, [...(source.likely ?? []), ...suggestTypes(source)]);
      sources.set(item.slug, source);
      columns.set(item.slug, source.columns);
    } catch (error) {
      if (error instanceof ReportError) throw tooManyFiles();
      if (error instanceof ConnectionSourceError) {
        findings.push(findIn(item, { path: ['source', error.property], message: error.message }));
        continue;
      }
      if (!(error instanceof DataFileError)) throw error;
      const { found } = error;
      findings.push(...found.problems.map((problem) => findProblem(item, problem)));
      if (found.columns) columns.set(item.slug, found.columns);
    }
  }
  return { items, unreadable, sources, columns, mistakes, findings, hints, likely };
}

const isOfColumns = ({ about }: FileQuestion): boolean =>
  about !== 'encoding' && about !== 'footer';

/** A column with a question can be text, so that `sum` or a grain does not take it. */
const suggestTypes = ({ questions = [] }: StoredSource): FileHint[] =>
  questions.filter(isOfColumns).flatMap((question) =>
    describeQuestion(question).map(({ column, message }) => ({
      column,
      likely: question.about === 'dates' ? ('date' as const) : ('number' as const),
      message,
      csv: {},
      values: [],
    })),
  );

/** A problem of a column belongs to the type that its field declares. */
function findProblem(item: DatasetItem, { column, message }: FileProblem): Finding {
  if (column === undefined) return findInSource(item, message);
  const { fields } = item.definition;
  const index = fields.findIndex(({ name }) => name === column);
  return findIn(item, { path: ['fields', index, 'type'], message: `${column}: ${message}` });
}

const describeUnchecked = (item: DatasetItem): string =>
  `${getFilePath(item)} is over a connection, which is checked with -o ORGANIZATION only`;

const tooManyFiles = (): PortalError =>
  refuse(conversions, 'Too many data files are being converted.', {
    advice: 'Try again in a minute.',
  });
