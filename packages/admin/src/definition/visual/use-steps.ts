import { useState } from 'react';

import { useFormats, type Formats } from '../../messages/messages.ts';
import { applyStep, type AppliedStep } from '../document/apply-step.ts';
import { readDefinition, type Outline, type Page, type Tile } from '../document/read-document.ts';
import {
  findTile,
  refuseStep,
  type Step,
  type TilePlace,
  type TileTarget,
} from '../document/steps.ts';
import { listWidths } from '../document/widths.ts';
import { labelType } from '../form/labels.ts';
import { useTileNames } from '../form/name-tile.ts';
import type { Editing } from './use-editing.ts';

/** Applies a step, or announces why it is not possible. Steps of a group are undone together. */
export type Perform = (step: Step, group?: string) => void;

/** Where the author is in the report. */
export interface Position {
  page: number;
  tile: TilePlace | undefined;
}

/** Applies steps to a text, and says what they did. */
export function useSteps(
  { text, change }: Pick<Editing, 'text' | 'change'>,
  onPosition: (position: Position) => void,
) {
  const formats = { ...useFormats(), nameTile: useTileNames() };
  const { formatMessage } = formats;
  const [announced, announce] = useState('');
  const perform: Perform = (step, group) => {
    const before = readDefinition(text);
    if ('obstacle' in before) return;
    const refusal = refuseStep(before.outline, step);
    if (refusal !== undefined) {
      announce(formatMessage(`editor.refusal.${refusal}`));
      return;
    }
    const target = findNewTarget(step);
    const isFirst =
      target && hasOnlyText(before.outline.pages[target.page]!, formatMessage(firstText));
    const stepped = applyStep(text, step);
    const applied = isFirst ? removeFirstText(stepped, target) : stepped;
    const after = readDefinition(applied.text);
    change(applied.text, group);
    if ('obstacle' in after) return;
    const tile = step.kind === 'remove-tile' ? findNear(after.outline, step.at) : applied.tile;
    onPosition({ page: applied.page, tile });
    announce(describeStep(step, before.outline, after.outline, applied.tile, formats));
  };
  return { perform, announced, announce };
}

/** The text that a new page has until its first tile is added. */
export const firstText = 'editor.page.first_text';

/** Where a step puts a tile that the page does not have yet. */
function findNewTarget(step: Step): TileTarget | undefined {
  if (step.kind === 'add-tile') return step.to;
  return step.kind === 'move-tile' && step.to.page !== step.at.page ? step.to : undefined;
}

/** Whether a page has nothing but a tile with this text. */
function hasOnlyText({ rows }: Page, text: string): boolean {
  const [tile, ...others] = rows.flatMap(({ tiles }) => tiles);
  return (
    others.length === 0 &&
    tile?.['type'] === 'text' &&
    tile['text'] === text &&
    Object.keys(tile).length === 2
  );
}

/** Removes the text of a new page after the step that put another tile before or after it. */
function removeFirstText(applied: AppliedStep, to: TileTarget): AppliedStep {
  const { page, row, index } = applied.tile!;
  const at =
    to.index === undefined ? { page, row: 1 - row, index: 0 } : { page, row, index: 1 - index };
  const { text } = applyStep(applied.text, { kind: 'remove-tile', at });
  return { text, page: applied.page, tile: { page, row: 0, index: 0 } };
}

/** The tile that takes the place of a removed one. */
function findNear({ pages }: Outline, { page, row, index }: TilePlace): TilePlace {
  const { rows } = pages[page]!;
  const near = Math.min(row, rows.length - 1);
  return { page, row: near, index: Math.min(index, rows[near]!.tiles.length - 1) };
}

function describeStep(
  step: Step,
  before: Outline,
  { pages }: Outline,
  place: TilePlace | undefined,
  {
    formatMessage,
    nameTile,
  }: Pick<Formats, 'formatMessage'> & { nameTile: (tile: Tile) => string },
): string {
  const tiles = place ? pages[place.page]!.rows[place.row]!.tiles : [];
  const tile = 'at' in step ? findTile(before, step.at)! : tiles[place?.index ?? 0];
  const name = tile ? nameTile(tile) : '';
  const row = (place?.row ?? 0) + 1;
  switch (step.kind) {
    case 'add-tile':
      return formatMessage('editor.tile.added', { name, row });
    case 'remove-tile':
      return formatMessage('editor.tile.removed', { name });
    case 'move-tile':
      return place!.page === step.at.page
        ? formatMessage('editor.tile.moved', { name, row, position: place!.index + 1 })
        : formatMessage('editor.tile.moved_to_page', { name, page: pages[place!.page]!.name, row });
    case 'duplicate-tile':
      return formatMessage('editor.tile.duplicated', { name });
    case 'resize-tile':
      return formatMessage('editor.tile.resized', {
        name,
        width: listWidths(tiles)[place!.index]!,
      });
    case 'change-tile': {
      const type = step.changes['type'];
      // The field itself says what it has.
      if (type === undefined) return '';
      return formatMessage('editor.tile.changed', { name, type: labelType(type, formatMessage) });
    }
    case 'add-page':
      return formatMessage('editor.page.added', { name: step.name });
    case 'rename-page':
      return formatMessage('editor.page.renamed', { name: step.name });
    case 'move-page': {
      const page = pages[step.to]!.name;
      return formatMessage('editor.page.moved', { name: page, position: step.to + 1 });
    }
    case 'remove-page':
      return formatMessage('editor.page.removed', { name: before.pages[step.page]!.name });
  }
}
