import { createContext, use } from 'react';
import type { Formats } from 'viewer/formats';
import { writeTitle } from 'viewer/tile-title';

import { useFormats } from '../../messages/messages.ts';
import type { DefinitionNames } from '../../requests/definitions.ts';
import type { Tile } from '../document/read-document.ts';
import { listChosen } from './convert-tile.ts';
import { labelType } from './labels.ts';
import { findGrain } from './names.ts';

/** The title of a tile as readers see it. Empty for a tile without metrics, fields and text. */
export function titleTile(
  tile: Tile,
  { fields }: Pick<DefinitionNames, 'fields'>,
  formats: Formats,
): string {
  const { type, title, text } = tile;
  if (typeof title === 'string' && title !== '') return title;
  if (type === 'text' && typeof text === 'string') return text.split('\n', 1)[0]!;
  const chosen = listChosen(tile);
  if (type === 'kpi') return chosen.metrics[0] ?? '';
  if (chosen.metrics.length + chosen.fields.length === 0) return '';
  const metrics = chosen.metrics.map((name) => ({ name }));
  const dimensions = chosen.fields.map((name) => {
    const grain = findGrain(name, fields);
    return grain ? { name, grain } : { name };
  });
  return writeTitle({ metrics, dimensions }, formats);
}

/** What titles of tiles depend on besides the tile. */
export const TitleContext = createContext<
  { names: Pick<DefinitionNames, 'fields'>; formats: Formats } | undefined
>(undefined);

/** Names tiles as the preview does. A tile without a title has the name of its type. */
export function useTileNames(): (tile: Tile) => string {
  const { formatMessage } = useFormats();
  const context = use(TitleContext);
  if (!context) throw new Error('There is no TitleContext around this component.');
  return (tile) =>
    titleTile(tile, context.names, context.formats) || labelType(tile['type'], formatMessage);
}
