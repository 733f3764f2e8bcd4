import { Alert, Button, Group, Stack, Text } from '@mantine/core';

import { useFormats } from '../../messages/messages.ts';
import type { DefinitionNames } from '../../requests/definitions.ts';
import type { TileMistake } from '../document/locate-mistakes.ts';
import type { Tile } from '../document/read-document.ts';
import { TypeIcon } from '../types/TypeIcon.tsx';
import { labelType } from './labels.ts';
import { listProperties } from './properties.ts';
import { PropertyField } from './PropertyField.tsx';

/** The properties of a tile, from its schema. Each change is a step. */
export function TileForm({
  tile,
  names,
  mistakes,
  onChange,
  onResize,
  onChooseType,
}: {
  tile: Tile;
  names: DefinitionNames;
  /** Mistakes of this tile. */
  mistakes: readonly TileMistake[];
  /** Further changes of the same property follow if `isTyped`. */
  onChange: (changes: Tile, isTyped: boolean) => void;
  onResize: (width: number) => void;
  onChooseType: () => void;
}) {
  const { formatMessage } = useFormats();
  const properties = listProperties(tile['type']);
  const own = mistakes.filter(({ property }) => !properties.some(({ name }) => name === property));
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs" wrap="nowrap">
          <TypeIcon type={tile['type']} />
          <Text fw={600}>{labelType(tile['type'], formatMessage)}</Text>
        </Group>
        <Button variant="default" size="xs" onClick={onChooseType}>
          {formatMessage('editor.type.change')}
        </Button>
      </Group>
      {own.map(({ message }) => (
        <Alert key={message} color="red">
          {message}
        </Alert>
      ))}
      {properties.map((property) => (
        <PropertyField
          key={property.name}
          property={property}
          tile={tile}
          names={names}
          error={mistakes.find((each) => each.property === property.name)?.message}
          onChange={(value, isTyped = false) => {
            if (property.name === 'width' && typeof value === 'number') onResize(value);
            else onChange({ [property.name]: value }, isTyped);
          }}
        />
      ))}
    </Stack>
  );
}
