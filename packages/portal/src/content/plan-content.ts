import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { checkContent } from './check.ts';
import { ContentError } from './content-error.ts';
import { getFilePath, parseItem, reportAtSource, type Item } from './items.ts';
import { formatMistake, sortMistakes, type Mistake } from './mistakes.ts';
import { divideQuestions } from './number-readings.ts';
import { planChanges, type Change } from './plan.ts';
import type { GivenContent } from './read-files.ts';
import type { ContentRequest } from './service.ts';
import type { StoredContent } from './store.ts';

/**
 * Plans the changes, and checks the content that the organization would have afterwards.
 *
 * @throws `invalid_content`
 */
export async function planContent(
  stored: readonly StoredContent[],
  request: Pick<ContentRequest, 'mistakes' | 'prune'>,
  given: GivenContent,
): Promise<{ changes: Change[]; hints: string[] }> {
  const { items, sources, unreadable } = given;
  const { prune = false } = request;
  const planned = planChanges({ items, stored, sources, prune, createId: randomUUID });
  const touched = new Set(planned.changes.flatMap((change) => change.stored ?? []));
  const columns = new Map(given.columns);
  const mistakes = [
    ...(request.mistakes ?? []),
    ...given.mistakes,
    ...planned.mistakes,
    ...checkArchived(planned.changes, stored),
  ];
  const hints: string[] = [];
  for (const change of planned.changes) {
    const source = sources.get(change.slug);
    if (change.item?.kind !== 'dataset' || !source) continue;
    const { kept, asked } = divideQuestions(change.item, source, change.stored);
    hints.push(...kept);
    for (const message of asked) mistakes.push(reportAtSource(change.item, message));
  }
  const staying: Item[] = [];
  for (const each of stored) {
    if (touched.has(each) || each.isArchived || each.slug === null || each.text === null) continue;
    await setImmediate();
    const parsed = parseItem(getFilePath({ kind: each.kind, slug: each.slug }), each.text);
    mistakes.push(...parsed.mistakes.map(noteStored));
    if (parsed.item) staying.push(parsed.item);
    if (each.columns) columns.set(each.slug, each.columns);
  }
  const stayingFiles = new Set(staying.map(getFilePath));
  const found = await checkContent({
    items: [...items, ...staying],
    unreadable,
    columns,
    likely: given.likely,
    before: new Map(
      planned.changes.flatMap(({ slug, stored: old }) =>
        old?.columns ? [[slug, old.columns.map(({ name }) => name)]] : [],
      ),
    ),
    staying: new Set(staying.flatMap(({ kind, slug }) => (kind === 'dataset' ? [slug] : []))),
  });
  for (const mistake of found.mistakes)
    mistakes.push(stayingFiles.has(mistake.file) ? noteStored(mistake) : mistake);
  for (const warning of found.warnings)
    hints.push(`${formatMistake(warning)}; until then, the role gives no rows`);
  if (mistakes.length > 0) throw new ContentError(sortMistakes(mistakes));
  return { changes: planned.changes, hints };
}

const noteStored = (mistake: Mistake): Mistake => ({
  ...mistake,
  message: `${mistake.message} (this file is in the portal, but not among yours; get it with \`portal content pull\`, or archive it with prune)`,
});

/** Refuses to archive a dataset that a report without a content file uses. */
function checkArchived(changes: readonly Change[], stored: readonly StoredContent[]): Mistake[] {
  return changes.flatMap(({ change, kind, slug, id }) => {
    const report =
      change === 'archive' && kind === 'dataset'
        ? stored.find((each) => each.datasetId === id && each.slug === null)
        : undefined;
    if (!report) return [];
    const message = `the report "${report.name}", which has no content file, uses this dataset; keep the file, or write a file with id: ${report.id} for the report`;
    return [{ file: getFilePath({ kind, slug }), line: 1, column: 1, message }];
  });
}
