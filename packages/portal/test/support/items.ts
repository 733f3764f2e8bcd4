import fs from 'node:fs';
import path from 'node:path';

import type { datasetSchema, reportSchema } from '@portal-embed/report-model';
import { inject } from 'vitest';
import type { z } from 'zod';

import type { Context } from '../../src/actor/actor.ts';
import { applyContent } from '../../src/content/service.ts';
import { ordersCsv } from './orders.ts';

type DatasetInput = z.input<typeof datasetSchema>;
type ReportInput = z.input<typeof reportSchema>;

/** Datasets and reports by slug. `addItems` fills in what is missing. */
export interface Items {
  /** Default: all rows of `orders.csv` for everyone or, if there are roles, by role. */
  datasets?: Record<string, Partial<DatasetInput>>;
  /** Default: a report of `salesPages` in the workspace Sales. */
  reports?: Record<string, Partial<ReportInput> & { dataset: string }>;
}

const format = { style: 'currency', currency: 'USD', maximumFractionDigits: 0 } as const;
const metrics = [{ name: 'Sales', expression: 'sum(Sales)', format }];

/** Total sales, sales by month and sales by category. */
export const salesPages: ReportInput['pages'] = [
  {
    name: 'Overview',
    rows: [
      { tiles: [{ type: 'kpi', title: 'Total sales', metric: 'Sales' }] },
      {
        tiles: [
          { type: 'line', title: 'Sales by month', x: 'Ordered by month', y: 'Sales' },
          { type: 'bar', title: 'Sales by category', x: 'Category', y: 'Sales' },
        ],
      },
    ],
  },
];

/** A role that allows the rows of a region. */
export const regionRole = (region: string) => ({
  name: region,
  rows: { field: 'Region', in: [region] },
});

/**
 * Applies datasets and reports as content files. Puts their data, `orders.csv`, into the organization's folder.
 *
 * @returns the ids by slug
 */
export async function addItems(
  ctx: Context,
  datasetFolder: string,
  { datasets = {}, reports = {} }: Items,
): Promise<Record<'datasets' | 'reports', Record<string, string>>> {
  const folder = path.join(datasetFolder, ctx.organizationId);
  fs.mkdirSync(folder, { recursive: true });
  const orders = path.join(folder, 'orders.csv');
  if (!fs.existsSync(orders)) fs.writeFileSync(orders, ordersCsv);
  fs.cpSync(inject('preparedVersions'), path.join(folder, '.versions'), { recursive: true });
  const files = Object.fromEntries(
    [
      ...Object.entries(datasets).map(([slug, { roles = [], ...dataset }]) => [
        `datasets/${slug}.yaml`,
        {
          name: slug,
          source: { file: 'orders.csv' },
          metrics,
          ...(roles.length > 0 ? { roles } : { rowAccess: 'everyone' }),
          ...dataset,
        },
      ]),
      ...Object.entries(reports).map(([slug, report]) => [
        `reports/${slug}.yaml`,
        { name: slug, workspace: 'Sales', pages: salesPages, ...report },
      ]),
    ].map(([file, item]) => [file, JSON.stringify(item)]),
  );
  const { changes } = await applyContent(ctx, { datasetFolder }, { files });
  const idsOf = (kind: string) =>
    Object.fromEntries(
      changes.filter((change) => change.kind === kind).map(({ slug, id }) => [slug, id]),
    );
  return { datasets: idsOf('dataset'), reports: idsOf('report') };
}
