import {
  checkCrossProducts,
  checkLookUps,
  checkRounded,
  checkTexts,
  describeUnknown,
  resolveDataset,
  resolveReport,
  type DraftDataset,
  type FieldType,
} from '@portal-embed/report-model';

import type { FileColumn, FileHint } from '#report-engine';

import {
  findInSource,
  getFilePath,
  reportAt,
  type DatasetItem,
  type ParsedItem,
  type ReportItem,
} from './items.ts';
import { describeLost } from './lost-columns.ts';
import { formatMistake, type Mistake } from './mistakes.ts';

/** The organization's items after the apply, and the columns of each dataset's source by slug. */
export interface Content {
  items: readonly ParsedItem[];
  /** Datasets with a mistake in their source are absent. */
  columns: ReadonlyMap<string, readonly FileColumn[]>;
  /** Slugs of datasets whose content file is not valid. */
  unreadable: readonly string[];
  /** Columns that are probably read in the wrong type, by the slug of their dataset. */
  likely?: ReadonlyMap<string, readonly FileHint[]>;
  /** Names of the columns that each dataset's source had before, by slug. */
  before?: ReadonlyMap<string, readonly string[]>;
  /** Slugs of datasets that the apply does not change. */
  staying?: ReadonlySet<string>;
}

export interface CheckedContent {
  mistakes: Mistake[];
  /** Mistakes of datasets that the apply does not change, which must not hold it up. */
  warnings: Mistake[];
}

type ParsedDataset = DatasetItem & ParsedItem;
type ParsedReport = ReportItem & ParsedItem;

/** Checks cost time, and an author corrects one column after the other. */
const maxTries = 50;

/** Checks the names, expressions and types of all items, and the references between items. */
export function checkContent(content: Content): CheckedContent {
  const advice: Mistake[] = [];
  let { columns } = content;
  let { mistakes, warnings } = checkItems(content);
  let tries = 0;
  for (const [slug, hints] of content.likely ?? []) {
    const item = content.items.find(
      (each): each is ParsedDataset => each.kind === 'dataset' && each.slug === slug,
    );
    // Several columns can be the cause of one mistake.
    for (const tried of [...hints.map((hint) => [hint]), hints]) {
      if (!item || mistakes.length === 0 || (tries += 1) > maxTries) break;
      const changed = new Map([...columns, [slug, applyHints(columns.get(slug) ?? [], tried)]]);
      const left = checkItems({ ...content, columns: changed });
      if (!isPart(left.mistakes, mistakes)) continue;
      columns = changed;
      ({ mistakes, warnings } = left);
      advice.push(...tried.map(({ message }) => reportAt(item, findInSource(item, message).issue)));
    }
  }
  const texts = content.items.flatMap(checkItemTexts);
  return { mistakes: [...mistakes, ...advice, ...texts], warnings };
}

const checkItemTexts = (item: ParsedItem): Mistake[] =>
  item.kind === 'report' ? checkTexts(item.definition).map((issue) => reportAt(item, issue)) : [];

const applyHints = (columns: readonly FileColumn[], hints: readonly FileHint[]): FileColumn[] =>
  columns.map(({ name, type }) => ({
    name,
    type: hints.find(({ column }) => column === name)?.likely ?? type,
  }));

/** Whether the mistakes are some of the others, but not all. */
function isPart(mistakes: readonly Mistake[], others: readonly Mistake[]): boolean {
  const known = new Set(others.map(formatMistake));
  return (
    mistakes.length < others.length && mistakes.every((each) => known.has(formatMistake(each)))
  );
}

function checkItems({
  items,
  columns,
  unreadable,
  before,
  staying = new Set(),
}: Content): CheckedContent {
  const datasets = items.filter((item): item is ParsedDataset => item.kind === 'dataset');
  const reports = items.filter((item): item is ParsedReport => item.kind === 'report');
  const mistakes: Mistake[] = [...checkIds(datasets), ...checkIds(reports)];
  const warnings: Mistake[] = [];
  // `undefined`: the columns of the dataset are unknown.
  const drafts = new Map<string, DraftDataset | undefined>(
    unreadable.map((slug) => [slug, undefined]),
  );
  for (const item of datasets) {
    const found = columns.get(item.slug);
    drafts.set(item.slug, undefined);
    if (!found) continue;
    const types = new Map<string, FieldType>(found.map(({ name, type }) => [name, type]));
    const { draft, issues } = resolveDataset(item.definition, types, before?.get(item.slug));
    const own = reports.filter(({ definition }) => definition.dataset === item.slug);
    const lost = describeLost(item, { draft, issues }, own);
    mistakes.push(...[...lost, ...issues].map((issue) => reportAt(item, issue)));
    drafts.set(item.slug, draft);
  }
  for (const item of datasets) {
    const draft = drafts.get(item.slug);
    if (!draft) continue;
    mistakes.push(...checkLookUps(draft, drafts).map((issue) => reportAt(item, issue)));
    for (const issue of checkCrossProducts(draft))
      (staying.has(item.slug) ? warnings : mistakes).push(reportAt(item, issue));
    for (const { lookUp = item.slug, ...issue } of checkRounded(draft, drafts)) {
      const isStored = staying.has(item.slug) && staying.has(lookUp);
      const message = `${issue.message}; until then, the role gives no rows`;
      if (isStored) warnings.push(reportAt(item, { ...issue, message }));
      else mistakes.push(reportAt(item, issue));
    }
  }
  for (const item of reports) {
    const { dataset: slug } = item.definition;
    const draft = drafts.get(slug);
    const issues = draft ? resolveReport(item.definition, draft).issues : [];
    if (!drafts.has(slug))
      issues.push({
        path: ['dataset'],
        message: describeUnknown('dataset', slug, drafts.keys()),
      });
    mistakes.push(...issues.map((issue) => reportAt(item, issue)));
  }
  return { mistakes, warnings };
}

/** No two items of a kind may have the same id. */
function checkIds(items: readonly ParsedItem[]): Mistake[] {
  const first = new Map<string, ParsedItem>();
  return items.flatMap((item) => {
    const id = item.definition.id?.toLowerCase();
    if (id === undefined) return [];
    const other = first.get(id);
    if (!other) first.set(id, item);
    return other
      ? [
          reportAt(item, {
            path: ['id'],
            message: `${getFilePath(other)} has the same id; write another one`,
          }),
        ]
      : [];
  });
}
