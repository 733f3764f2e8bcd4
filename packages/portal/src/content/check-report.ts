import type { Report } from '@portal-embed/report-model';

import type { Context } from '../auth/actor.ts';
import type { Authoring } from '../reports/authoring.ts';
import { checkContent } from './check.ts';
import { findDefinedDataset, listDatasetSlugs, type DefinedDataset } from './definitions-store.ts';
import { getFilePath, parseItem } from './items.ts';
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
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  { workspaceIds }: Authoring,
  { slug, id }: { slug: string; id?: string | undefined },
  text: string,
): Promise<CheckedReport> {
  const file = getFilePath({ kind: 'report', slug });
  const { item, mistakes } = parseItem(file, text);
  if (item?.kind !== 'report') return { mistakes, definition: undefined, dataset: undefined };
  const { definition } = item;
  const slugs = await listDatasetSlugs(db, organizationId, workspaceIds);
  const dataset = await findDefinedDataset(db, organizationId, workspaceIds, {
    slug: definition.dataset,
  });
  const known =
    dataset && parseItem(getFilePath({ kind: 'dataset', slug: dataset.slug }), dataset.text);
  const { mistakes: found } = await checkContent({
    items: [item, ...(known?.item ? [known.item] : [])],
    columns: new Map(dataset?.columns ? [[dataset.slug, dataset.columns]] : []),
    // Their names are suggested for a misspelled one.
    unreadable: slugs.filter((each) => each !== dataset?.slug),
  });
  const own = found.filter((mistake) => mistake.file === file);
  const otherId = id === undefined ? undefined : checkId(item, id);
  return {
    mistakes: sortMistakes([...mistakes, ...(otherId ? [otherId] : []), ...own]),
    definition,
    dataset,
  };
}
