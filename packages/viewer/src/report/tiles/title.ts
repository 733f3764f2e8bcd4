import type { Dimension, FailedTile, Metric, Tile } from '@portal-embed/report-model';

import type { Formats } from '../../format/create-formats.ts';

/** A tile with a title in the reader's language if its author wrote none. */
export const nameTile = <Named extends Tile | FailedTile>(tile: Named, formats: Formats): Named =>
  tile.isTitleGenerated ? { ...tile, title: writeTitle(tile, formats) } : tile;

function writeTitle(tile: Tile | FailedTile, formats: Formats): string {
  const parts = 'failure' in tile ? undefined : listParts(tile);
  if (!parts) return tile.title;
  const [metrics, dimensions] = joinInTurn(
    [
      parts.metrics.map(({ name }) => name),
      parts.dimensions.map((dimension) => nameShortly(dimension, formats)),
    ],
    formats,
  );
  if (!metrics || !dimensions) return metrics! || dimensions!;
  return formats.formatMessage('axis.by', { metric: metrics, dimension: dimensions });
}

function listParts(tile: Tile): { metrics: Metric[]; dimensions: Dimension[] } | undefined {
  switch (tile.type) {
    case 'kpi':
    case 'text':
      return undefined;
    case 'table':
      return tile;
    case 'pivot':
      return { metrics: tile.metrics, dimensions: [...tile.rows, ...tile.columns] };
    case 'line':
    case 'area':
    case 'column':
    case 'bar':
    case 'donut':
    case 'scatter':
      return {
        metrics: tile.metrics,
        dimensions: tile.dimensions.map(({ dimension }) => dimension),
      };
  }
}

/** `month` for `Order Date by month`. */
const nameShortly = ({ name, grain }: Dimension, { formatMessage }: Formats) =>
  grain && name.endsWith(` by ${grain}`) ? formatMessage(`grain_name.${grain}`) : name;

/** Joins each list to text. Only the first name of all begins with a capital letter. */
function joinInTurn(lists: readonly string[][], formats: Formats): string[] {
  const first = lists.flat()[0];
  return lists.map((names) =>
    formats.formatEvery(
      names.map((name) => (name === first ? capitalize(name) : continueSentence(name, formats))),
    ),
  );
}

const capitalize = (name: string) => name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** A name inside a sentence: `Order Date` is `order date`. Abbreviations and German nouns stay. */
function continueSentence(name: string, { language }: Formats): string {
  if (language === 'de') return name;
  const words = name.split(/(?<=[\s-])/);
  const isTitle = words.every((word) => /^\p{Lu}?[^\p{Lu}]*$/u.test(word));
  const isCapitalized = words.every((word) => !/^\p{Ll}/u.test(word));
  if (!isTitle) return name;
  return isCapitalized
    ? name.toLowerCase()
    : name.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
}
