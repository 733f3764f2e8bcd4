import './types.css';
import { Modal, Text } from '@mantine/core';
import { useId, type ReactNode } from 'react';

import { useReturnFocus } from '../../kit/use-return-focus.ts';
import { useFormats } from '../../messages/messages.ts';
import type { DefinitionNames } from '../../requests/definitions.ts';
import type { Tile } from '../document/read-document.ts';
import { convertTile, type Converted } from '../form/convert-tile.ts';
import { labelType } from '../form/labels.ts';
import { tileTypes } from '../form/properties.ts';
import type { PreviewSource } from '../open-preview.ts';
import { TypePicture, usePictures } from './TypePictures.tsx';

/** The types of tiles as pictures of the report's own data. */
export function TypeDialog({
  text,
  tile,
  names,
  source,
  onChoose,
  onClose,
}: {
  /** The definition of the report. */
  text: string;
  /** The tile that gets another type. Default: a new one. */
  tile: Tile | undefined;
  names: DefinitionNames;
  source: PreviewSource;
  onChoose: (tile: Tile) => void;
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  useReturnFocus();
  const firstText = formatMessage('editor.tile.first_text');
  const offers = tileTypes.map((type) => ({
    type,
    converted:
      type === tile?.['type']
        ? { tile, added: [] }
        : convertTile(tile ?? {}, type, names, firstText),
  }));
  const pictured = offers.flatMap(({ type, converted }) =>
    'tile' in converted && type !== 'text' ? [{ type, tile: converted.tile }] : [],
  );
  const { viewer, computed } = usePictures({
    text,
    tiles: pictured.map((each) => each.tile),
    source,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={formatMessage(tile ? 'editor.type.change' : 'editor.type.add_title')}
      size="xl"
      closeButtonProps={{ 'aria-label': formatMessage('action.close') }}
    >
      <Text size="sm" c="dimmed" mb="sm">
        {formatMessage('editor.type.help')}
      </Text>
      <div className="type-cards">
        {offers.map(({ type, converted }) => {
          const drawn = computed[pictured.findIndex((each) => each.type === type)];
          return (
            <TypeCard
              key={type}
              type={type}
              converted={converted}
              hasFailed={drawn !== undefined && 'failure' in drawn}
              isCurrent={tile?.['type'] === type}
              onChoose={onChoose}
            >
              <TypePicture viewer={viewer} tile={drawn} type={type} />
            </TypeCard>
          );
        })}
      </div>
    </Modal>
  );
}

function TypeCard({
  type,
  converted,
  hasFailed,
  isCurrent,
  onChoose,
  children,
}: {
  type: string;
  converted: Converted;
  /** Whether the tile could not be computed. */
  hasFailed: boolean;
  isCurrent: boolean;
  onChoose: (tile: Tile) => void;
  children: ReactNode;
}) {
  const { formatMessage } = useFormats();
  const noteId = useId();
  const isPossible = 'tile' in converted;
  const describe = () => {
    if (!isPossible) return formatMessage(`editor.type.need.${converted.need}`);
    if (hasFailed) return formatMessage('editor.type.failed');
    return converted.added.length === 0
      ? undefined
      : formatMessage('editor.type.adds', { names: converted.added.join(', ') });
  };
  const note = describe();
  return (
    <button
      type="button"
      className="type-card"
      aria-pressed={isCurrent}
      aria-disabled={!isPossible}
      aria-describedby={note === undefined ? undefined : noteId}
      onClick={() => isPossible && onChoose(converted.tile)}
    >
      {children}
      <span className="type-card-name">{labelType(type, formatMessage)}</span>
      {note !== undefined && (
        <span id={noteId} className="type-card-note">
          {note}
        </span>
      )}
    </button>
  );
}
