import type { Report } from '@portal-embed/report-model';

import type { Context } from '../actor/actor.ts';
import type { Authoring } from '../catalogue/authoring.ts';
import { workHere, type ContentWorker } from './content-processes.ts';
import { findDefinedDataset, listDatasetSlugs, type DefinedDataset } from './definitions-store.ts';
import { getFilePath } from './items.ts';
import { sortMistakes, type Mistake } from './mistakes.ts';
import { checkId } from './plan.ts';

/** The text of a report, with the dataset that it names. */
export interface CheckedReport {
  mistakes: Mistake[];
  /** `undefined` if the text cannot be read. */
  definition: Report | undefined;
  dataset: DefinedDataset | undefined;
}

/**
 * Checks the new text of a report. A report depends only on its dataset, so no other item is read.
 * Datasets that the author may not use do not exist for them.
 *
 * @param item.id `undefined` for a new report
 */
export async function checkReport(
  ctx: Context,
  {
    worker = workHere,
    signal,
  }: { worker?: ContentWorker | undefined; signal?: AbortSignal | undefined },
  { workspaceIds }: Authoring,
  { slug, id }: { slug: string; id?: string | undefined },
  text: string,
): Promise<CheckedReport> {
  const { db, organizationId } = ctx;
  const file = getFilePath({ kind: 'report', slug });
  const { item, mistakes } = await worker.run(ctx, 'parse', { file, text }, signal);
  if (item?.kind !== 'report') return { mistakes, definition: undefined, dataset: undefined };
  const { definition } = item;
  const slugs = await listDatasetSlugs(db, organizationId, workspaceIds);
  const dataset = await findDefinedDataset(db, organizationId, workspaceIds, {
    slug: definition.dataset,
  });
  const known = dataset && {
    file: getFilePath({ kind: 'dataset', slug: dataset.slug }),
    text: dataset.text,
  };
  const otherId = id === undefined ? undefined : checkId(item, id);
  const { mistakes: found } = await worker.run(
    ctx,
    'check',
    {
      files: [{ file, text }],
      stored: known ? [known] : [],
      columns: new Map(dataset ? [[dataset.slug, dataset.source.columns]] : []),
      // Their names are suggested for a misspelled one.
      unreadable: slugs.filter((each) => each !== dataset?.slug),
      findings: otherId ? [otherId] : [],
    },
    signal,
  );
  const own = found.filter((mistake) => mistake.file === file);
  return { mistakes: sortMistakes([...mistakes, ...own]), definition, dataset };
}
