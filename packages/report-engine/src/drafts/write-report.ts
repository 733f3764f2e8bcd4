import { stringify } from 'yaml';

/** The first line of a content file, from which editors know its schema. */
export const schemaLine = (kind: 'dataset' | 'report') =>
  `# yaml-language-server: $schema=../../node_modules/@portal-embed/report-model/schemas/${kind}.schema.json\n`;

interface NewReport {
  /** Slug of the dataset. */
  dataset: string;
  title: string;
  /** Default: `Reports`. */
  workspace?: string;
  /** A count of rows first, if there is one. */
  metrics: readonly string[];
  /** Fields of texts. */
  texts: readonly string[];
  time?: string | undefined;
}

/** Writes a first report for a dataset: numbers, charts and a table. */
export function writeReport({
  dataset,
  title,
  workspace = 'Reports',
  metrics,
  texts,
  time,
}: NewReport): string {
  const main = metrics[1] ?? metrics[0];
  const charts =
    main === undefined
      ? []
      : [
          ...(time === undefined ? [] : [{ type: 'line', x: `${time} by month`, y: main }]),
          ...texts
            .slice(0, time === undefined ? 2 : 1)
            .map((x) => ({ type: 'bar', x, y: main, limit: 10 })),
        ];
  const table = {
    type: 'table',
    dimensions: texts.slice(0, 2),
    metrics: metrics.slice(0, 7),
    totals: true,
  };
  const rows = [
    metrics.slice(0, 4).map((metric) => ({ type: 'kpi', metric })),
    charts,
    texts.length > 0 ? [table] : [],
  ].flatMap((tiles: object[]) => (tiles.length > 0 ? [{ tiles }] : []));
  const filters = [...texts.slice(0, 3), ...(time === undefined ? [] : [time])];
  const empty = { tiles: [{ type: 'text', text: 'Add the first tile here.' }] };
  const definition = {
    name: title,
    workspace,
    dataset,
    ...(filters.length > 0 && { filters: filters.map((field) => ({ field })) }),
    pages: [{ name: 'Overview', rows: rows.length > 0 ? rows : [empty] }],
  };
  return `${schemaLine('report')}${stringify(definition, { lineWidth: 100 })}`;
}
