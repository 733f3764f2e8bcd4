import type { Dimension, FailedTile, Metric, Tile } from '@portal-embed/report-model';

import type { Formats } from '../../format/create-formats.ts';

/** A tile with a title in the reader's language if its author wrote none. */
export function nameTile<Named extends Tile | FailedTile>(tile: Named, formats: Formats): Named {
  const parts = tile.isTitleGenerated && !('failure' in tile) && listParts(tile);
  return parts ? { ...tile, title: writeTitle(parts, formats) } : tile;
}

/** What the title of a tile is made of. */
export interface TitleParts {
  metrics: readonly Pick<Metric, 'name'>[];
  dimensions: readonly Pick<Dimension, 'name' | 'grain'>[];
}

type TitleFormats = Pick<Formats, 'language' | 'formatMessage' | 'formatEvery'>;

/** Writes the title of a tile whose author wrote none, such as `Sales by month`. */
export function writeTitle(parts: TitleParts, formats: TitleFormats): string {
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

function listParts(tile: Tile): TitleParts | undefined {
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
const nameShortly = (
  { name, grain }: TitleParts['dimensions'][number],
  { formatMessage }: TitleFormats,
) => (grain && name.endsWith(` by ${grain}`) ? formatMessage(`grain_name.${grain}`) : name);

/** Joins each list to text. Only the first name of all begins with a capital letter. */
function joinInTurn(lists: readonly string[][], formats: TitleFormats): string[] {
  const first = lists.flat()[0];
  return lists.map((names) =>
    formats.formatEvery(
      names.map((name) => (name === first ? capitalize(name) : continueSentence(name, formats))),
    ),
  );
}

const capitalize = (name: string) => name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** A name inside a sentence: `Order Date` is `order date`. Abbreviations and German nouns stay. */
function continueSentence(name: string, { language }: TitleFormats): string {
  if (language === 'de') return name;
  const words = name.split(/(?<=[\s-])/);
  const isTitle = words.every((word) => /^\p{Lu}?[^\p{Lu}]*$/u.test(word));
  const isCapitalized = words.every((word) => !/^\p{Ll}/u.test(word));
  if (!isTitle) return name;
  return isCapitalized
    ? name.toLowerCase()
    : name.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
}
