import './visual.css';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { once } from 'page-kit/once';
import { use, useMemo, useState, type KeyboardEvent } from 'react';
import { loadFormats } from 'viewer/formats';

import { useFormats } from '../../messages/messages.ts';
import type { DefinitionMistake, DefinitionNames } from '../../requests/definitions.ts';
import { Canvas } from '../canvas/Canvas.tsx';
import { useSideStep } from '../canvas/side-step.ts';
import { SignButton } from '../canvas/Sign.tsx';
import { createTileActions } from '../canvas/tile-actions.ts';
import { TileToolbar } from '../canvas/TileToolbar.tsx';
import { locateMistakes } from '../document/locate-mistakes.ts';
import {
  readDefinition,
  type Obstacle,
  type Outline,
  type Tile,
} from '../document/read-document.ts';
import { findTile, type TilePlace, type TileTarget } from '../document/steps.ts';
import { diffTiles } from '../form/convert-tile.ts';
import { TitleContext, useTileNames } from '../form/name-tile.ts';
import { TileForm } from '../form/TileForm.tsx';
import type { PreviewSource } from '../open-preview.ts';
import { TypeDialog } from '../types/TypeDialog.tsx';
import { PageTabs } from './PageTabs.tsx';
import type { Editing } from './use-editing.ts';
import { useSteps, type Position } from './use-steps.ts';

interface VisualEditorProps {
  editing: Editing;
  names: DefinitionNames;
  /** The text that was checked last, and its mistakes. */
  checked: { text: string; mistakes: readonly DefinitionMistake[] };
  isReadOnly: boolean;
  position: Position;
  onPosition: (position: Position) => void;
  /** Where the pictures of types come from. */
  source: PreviewSource;
}

/** The formats of the preview, in which titles are written. */
const loadTitleFormats = once(() => loadFormats());

/** The pages, rows and tiles of a report, and the form of the selected tile. */
export function VisualEditor(props: VisualEditorProps) {
  const { names } = props;
  const editing = followPages(props.editing, props.onPosition);
  const formats = use(loadTitleFormats());
  const titles = useMemo(() => ({ names, formats }), [names, formats]);
  const { formatMessage } = useFormats();
  const read = useMemo(() => readDefinition(editing.text), [editing.text]);
  const obstacle = 'obstacle' in read ? read.obstacle : undefined;
  // While the text cannot be read, its last state stays in sight.
  const [shown, setShown] = useState<{ text: string; outline: Outline }>();
  if ('outline' in read && shown?.text !== editing.text)
    setShown({ text: editing.text, outline: read.outline });
  const isDisabled = obstacle !== undefined || props.isReadOnly;
  const handleKey = (event: KeyboardEvent) => {
    const act = findHistoryKey(event, editing);
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    // Keys of the history work on everything within.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="visual-editor"
      aria-label={formatMessage('editor.title')}
      onKeyDown={handleKey}
    >
      {obstacle && <ObstacleAlert obstacle={obstacle} />}
      {shown && (
        <fieldset className="visual-fields" disabled={isDisabled} inert={isDisabled}>
          <TitleContext value={titles}>
            <Pages {...props} editing={editing} outline={shown.outline} />
          </TitleContext>
        </fieldset>
      )}
    </section>
  );
}

/** Shows the page that undo or redo brings back. */
function followPages(editing: Editing, onPosition: VisualEditorProps['onPosition']): Editing {
  const follow = (restore: Editing['undo']) =>
    restore &&
    (() => {
      const restored = restore();
      const page = findAddedPage(editing.text, restored);
      if (page !== undefined) onPosition({ page, tile: undefined });
      return restored;
    });
  return { ...editing, undo: follow(editing.undo), redo: follow(editing.redo) };
}

/** The page that only the second text has, if it has one more. */
function findAddedPage(before: string, after: string): number | undefined {
  const [old, next] = [before, after].map((text) => {
    const read = readDefinition(text);
    return 'outline' in read ? read.outline.pages.map((page) => JSON.stringify(page)) : [];
  }) as [string[], string[]];
  if (old.length === 0 || next.length <= old.length) return undefined;
  return next.findIndex((page, index) => page !== old[index]);
}

function findHistoryKey({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent, editing: Editing) {
  if (!ctrlKey && !metaKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === 'z') return (shiftKey ? editing.redo : editing.undo) ?? (() => {});
  return letter === 'y' ? (editing.redo ?? (() => {})) : undefined;
}

function ObstacleAlert({ obstacle: { line, reason } }: { obstacle: Obstacle }) {
  const { formatMessage } = useFormats();
  return (
    // The text is often unfinished while it is typed, so this does not interrupt.
    <output>
      <Alert
        color="yellow"
        role="presentation"
        title={formatMessage('editor.obstacle.title')}
        mb="sm"
      >
        {formatMessage(`editor.obstacle.${reason}`, { line })}
      </Alert>
    </output>
  );
}

/** What the dialog of types is open for: another type of a tile, or a new tile. */
type Asked = { at: TilePlace } | { to: TileTarget };

function Pages({
  outline,
  editing,
  names,
  checked,
  position,
  onPosition,
  source,
}: VisualEditorProps & { outline: Outline }) {
  const { formatMessage } = useFormats();
  const [asked, setAsked] = useState<Asked>();
  const nameTile = useTileNames();
  const { perform, announced, announce } = useSteps(editing, onPosition);
  const pageIndex = Math.min(position.page, outline.pages.length - 1);
  const at = position.tile;
  const tile = at && at.page === pageIndex ? findTile(outline, at) : undefined;
  const actions = createTileActions(outline, perform, useSideStep());
  const add = (to: TileTarget) => setAsked({ to });
  const restore = (act: () => void, text: string) => () => {
    act();
    announce(text);
  };
  const chosen = asked && 'at' in asked ? findTile(outline, asked.at) : undefined;
  const choose = (next: Tile) => {
    if (asked && 'to' in asked) perform({ kind: 'add-tile', to: asked.to, tile: next });
    else if (asked && chosen)
      perform({ kind: 'change-tile', at: asked.at, changes: diffTiles(chosen, next) });
    setAsked(undefined);
  };
  return (
    <>
      <PageTabs
        outline={outline}
        index={pageIndex}
        perform={perform}
        onSelect={(page) => onPosition({ page, tile: undefined })}
      >
        <Stack gap="xs">
          <Group gap={4} justify="space-between">
            <Group gap={4}>
              <SignButton
                label={formatMessage('editor.undo')}
                sign="undo"
                onClick={editing.undo && restore(editing.undo, formatMessage('editor.undone'))}
              />
              <SignButton
                label={formatMessage('editor.redo')}
                sign="redo"
                onClick={editing.redo && restore(editing.redo, formatMessage('editor.redone'))}
              />
            </Group>
            {at && tile && <TileToolbar outline={outline} at={at} actions={actions} onAdd={add} />}
          </Group>
          <Canvas
            page={outline.pages[pageIndex]!}
            pageIndex={pageIndex}
            selected={tile && at}
            actions={actions}
            onSelect={(place) => onPosition({ page: place.page, tile: place })}
            onAdd={add}
          />
          <Text component="output" size="xs" className="visual-status">
            {announced}
          </Text>
        </Stack>
      </PageTabs>
      {at && tile ? (
        <section
          className="visual-form"
          aria-label={formatMessage('editor.tile.selected', { name: nameTile(tile) })}
        >
          <TileForm
            key={`${at.page}/${at.row}/${at.index}`}
            tile={tile}
            names={names}
            mistakes={listOwn(checked, at)}
            onChange={(changes, isTyped) =>
              perform(
                { kind: 'change-tile', at, changes },
                isTyped ? JSON.stringify([at, Object.keys(changes)]) : undefined,
              )
            }
            onResize={(width) => actions.resize(at, width)}
            onChooseType={() => setAsked({ at })}
          />
        </section>
      ) : (
        <Text size="sm" c="dimmed" mt="md">
          {formatMessage('editor.tile.none')}
        </Text>
      )}
      {asked && (
        <TypeDialog
          text={editing.text}
          tile={chosen}
          names={names}
          source={source}
          onChoose={choose}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

/** The mistakes of one tile. */
function listOwn({ text, mistakes }: VisualEditorProps['checked'], at: TilePlace) {
  const own = mistakes.filter(({ file }) => file === undefined);
  if (own.length === 0 || 'obstacle' in readDefinition(text)) return [];
  return locateMistakes(text, own).filter(
    ({ place }) => place.page === at.page && place.row === at.row && place.index === at.index,
  );
}
