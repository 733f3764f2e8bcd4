import { NativeSelect, Stack, TextInput, Title } from '@mantine/core';

import { densities, fonts, radii } from '#viewer/requests';

import { useFormats } from '../messages/messages.ts';
import { areColors, listAlike, readColors, type LookDraft } from './look-draft.ts';

interface LookFieldsProps {
  draft: LookDraft;
  onChange: (draft: LookDraft) => void;
}

/** Font, radius, density and palette of the readers' pages. */
export function LookFields({ draft, onChange }: LookFieldsProps) {
  const { formatMessage } = useFormats();
  const choices = <Name extends 'font' | 'radius' | 'density'>(
    name: Name,
    values: readonly LookDraft[Name][],
  ) => (
    <NativeSelect
      label={formatMessage(`appearance.${name}`)}
      value={draft[name]}
      onChange={({ currentTarget }) => onChange({ ...draft, [name]: currentTarget.value })}
      data={values.map((value) => ({
        value,
        label: formatMessage(`appearance.${name}.${value}` as 'appearance.font.system'),
      }))}
    />
  );
  return (
    <Stack>
      <Title order={2} size="h4">
        {formatMessage('appearance.look')}
      </Title>
      {choices('font', fonts)}
      {choices('radius', radii)}
      {choices('density', densities)}
      <TextInput
        label={formatMessage('appearance.palette')}
        description={formatMessage('appearance.palette.help')}
        dir="ltr"
        value={draft.palette}
        onChange={({ currentTarget }) => onChange({ ...draft, palette: currentTarget.value })}
        error={describeMistake(draft, formatMessage)}
      />
    </Stack>
  );
}

type FormatMessage = ReturnType<typeof useFormats>['formatMessage'];

function describeMistake({ palette }: LookDraft, formatMessage: FormatMessage) {
  const colors = readColors(palette);
  if (colors.length === 0) return undefined;
  if (!areColors(colors)) return formatMessage('appearance.palette.invalid');
  const alike = listAlike(colors);
  return alike === '' ? undefined : formatMessage('appearance.palette.alike', { colors: alike });
}
