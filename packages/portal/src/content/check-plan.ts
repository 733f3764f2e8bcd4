import { randomUUID } from 'node:crypto';

import type { OrganizationFiles } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import { ContentError } from './content-error.ts';
import type { ContentWorker } from './content-processes.ts';
import { divideQuestions } from './file-questions.ts';
import { getFilePath } from './items.ts';
import { formatMistake, sortMistakes, type Mistake } from './mistakes.ts';
import { planChanges, type Change } from './plan.ts';
import type { GivenContent } from './read-files.ts';
import * as store from './store.ts';

export interface PlanInput {
  stored: readonly store.StoredContent[];
  given: GivenContent;
  /** Mistakes that were found before. */
  mistakes: readonly Mistake[];
  prune: boolean;
  /** Whether the author has a content folder, which may lack some of the stored items. */
  ofFolder: boolean;
  /** The organization's stored files. */
  files: Pick<OrganizationFiles, 'find'>;
  worker: ContentWorker;
  signal?: AbortSignal | undefined;
}

/**
 * Plans the changes, and checks the files with the stored content that they depend on or can break.
 *
 * @throws `invalid_content`
 */
export async function planChecked(
  ctx: Context,
  scope: PlanInput,
): Promise<{ changes: Change[]; hints: string[] }> {
  const { stored, given, prune, worker, signal } = scope;
  const { items, sources, likely } = given;
  const planned = planChanges({ items, stored, sources, prune, createId: randomUUID });
  const { kept, asked } = await divideQuestions(planned.changes, sources, {
    parse: (file) => worker.run(ctx, 'parse', file, signal),
    find: (file) => scope.files.find(file),
  });
  const { related, others } = divideStored(planned.changes, stored);
  const columns = new Map(given.columns);
  for (const { slug, columns: known } of related) if (known) columns.set(slug!, known);
  const texts = await store.listTexts(ctx.db, ctx.organizationId, related);
  const files = texts.map(({ kind, slug, text }) => ({ file: getFilePath({ kind, slug }), text }));
  const found = await worker.run(
    ctx,
    'check',
    {
      files: items.map((item) => ({ file: getFilePath(item), text: item.text })),
      stored: files,
      columns,
      // Their names are suggested for a misspelled one.
      unreadable: [...given.unreadable, ...others],
      likely,
      findings: [...given.findings, ...planned.findings, ...asked],
      before: new Map(
        planned.changes.flatMap(({ slug, stored: old }) =>
          old?.columns ? [[slug, old.columns.map(({ name }) => name)]] : [],
        ),
      ),
      staying: new Set(related.flatMap(({ kind, slug }) => (kind === 'dataset' ? [slug!] : []))),
    },
    signal,
  );
  const staying = new Set(files.map(({ file }) => file));
  const mistakes = [
    ...scope.mistakes,
    ...given.mistakes,
    ...found.mistakes.map((each) =>
      scope.ofFolder && staying.has(each.file) ? noteStored(each) : each,
    ),
  ];
  if (mistakes.length > 0) throw new ContentError(sortMistakes(mistakes));
  return { changes: planned.changes, hints: [...kept, ...found.warnings.map(formatMistake)] };
}

/**
 * Divides what no file defines. Reports depend on their dataset alone, and datasets on each other, so
 * one author's reports need no check when another one is saved.
 */
function divideStored(
  changes: readonly Change[],
  stored: readonly store.StoredContent[],
): {
  related: store.StoredContent[];
  /** Slugs of the other datasets. */
  others: string[];
} {
  const touched = new Set(changes.flatMap((change) => change.stored ?? []));
  const named = new Set(
    changes.flatMap(({ item }) => (item?.kind === 'report' ? [item.definition.dataset] : [])),
  );
  const touchesDataset = changes.some(({ kind }) => kind === 'dataset');
  const ids = new Set(changes.flatMap(({ kind, id }) => (kind === 'dataset' ? [id] : [])));
  const isRelated = ({ kind, slug, datasetId }: store.StoredContent) =>
    kind === 'dataset' ? touchesDataset || named.has(slug!) : ids.has(datasetId!);
  const left = stored.filter((each) => !touched.has(each) && !each.isArchived);
  const others = left.filter((each) => each.kind === 'dataset' && !isRelated(each));
  return { related: left.filter(isRelated), others: others.map(({ slug }) => slug!) };
}

const noteStored = (mistake: Mistake): Mistake => ({
  ...mistake,
  message: `${mistake.message} (this file is in the portal, but not among yours; get it with \`portal content pull\`, or archive it with prune)`,
});
