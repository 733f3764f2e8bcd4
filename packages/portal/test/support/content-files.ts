import fs from 'node:fs';
import path from 'node:path';

import type { Context } from '../../src/actor/actor.ts';
import { ContentError } from '../../src/content/content-error.ts';
import { formatMistake } from '../../src/content/mistakes.ts';
import { applyContent, type ContentRequest } from '../../src/content/service.ts';

/** A dataset with two roles over `ordersCsv`. */
export const ordersDataset = `name: Orders
source:
  file: orders.csv
time: Ordered
fields:
  - name: Region
metrics:
  - name: Sales
    expression: sum(Sales)
    format: { style: currency, currency: USD }
roles:
  - name: West
    rows: { field: Region, in: [West] }
  - name: East
    rows: { field: Region, in: [East] }
`;

export const ordersReport = `name: Order overview
workspace: Sales
dataset: orders
filters:
  - field: Region
pages:
  - name: Overview
    rows:
      - tiles:
          - type: kpi
            metric: Sales
          - type: line
            x: Ordered by month
            y: Sales
`;

export const ordersFiles = {
  'datasets/orders.yaml': ordersDataset,
  'reports/orders.yaml': ordersReport,
};

/** Writes files below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
}

/** Applies content whose data files are in the organization's folder. */
export const apply = (ctx: Context, datasetFolder: string, request: ContentRequest) =>
  applyContent(ctx, { datasetFolder }, request);

/** The mistakes of content that is applied, as `check` prints them. */
export const listMistakes = (applied: Promise<unknown>): Promise<string[]> =>
  applied.then(
    () => [],
    (error: unknown) => {
      if (error instanceof ContentError) return error.mistakes.map(formatMistake);
      throw error;
    },
  );
