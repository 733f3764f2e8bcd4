import {
  Autocomplete,
  Checkbox,
  MultiSelect,
  NativeSelect,
  NumberInput,
  Pill,
  Select,
  Textarea,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';

import { useFormats } from '../../messages/messages.ts';
import type { DefinitionNames } from '../../requests/definitions.ts';
import type { Tile } from '../document/read-document.ts';
import { describeProperty, labelChoice, labelProperty } from './labels.ts';
import { LinksField } from './LinksField.tsx';
import { listDimensions, toEntries } from './names.ts';
import { NewMetricButton } from './NewMetricButton.tsx';
import type { Property } from './properties.ts';
import { RulesField } from './RulesField.tsx';
import { SortField } from './SortField.tsx';

export interface PropertyFieldProps {
  property: Property;
  tile: Tile;
  names: DefinitionNames;
  error: string | undefined;
  /** Called with `undefined` to remove the property. `isTyped` if further changes follow. */
  onChange: (value: unknown, isTyped?: boolean) => void;
}

/** The field of one property. Its label and its help come from the schema. */
export function PropertyField(props: PropertyFieldProps) {
  const { property, tile, names, error, onChange } = props;
  const formats = useFormats();
  const { formatMessage, formatNumber } = formats;
  const { name, input, isRequired } = property;
  const value = tile[name];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const shared = {
    label: labelProperty(tile['type'], name, formatMessage),
    description: describeProperty(property.help, formats),
    error,
    required: isRequired,
  };
  const search = {
    ...shared,
    searchable: true,
    nothingFoundMessage: formatMessage('choose.none'),
    maxDropdownHeight: 280,
  } as const;
  switch (input.kind) {
    case 'metric':
    case 'field': {
      const isMetric = input.kind === 'metric';
      const offered = isMetric ? names.metrics : listDimensions(names);
      return (
        <div>
          <Select
            {...search}
            data={toEntries(offered, text === '' ? [] : [text])}
            value={text === '' ? null : text}
            clearable={!isRequired}
            allowDeselect={false}
            onChange={(next) => onChange(next ?? undefined)}
          />
          {isMetric && <NewMetricButton onCreated={onChange} />}
        </div>
      );
    }
    case 'metrics':
    case 'fields': {
      const isMetric = input.kind === 'metrics';
      const chosen = [value].flat().filter((each) => typeof each === 'string');
      const offered = isMetric ? names.metrics : listDimensions(names);
      const choose = (next: string[]) => {
        if (next.length < input.min) return;
        onChange(input.isSingle && next.length === 1 ? next[0] : next);
      };
      const needed =
        chosen.length === input.min && chosen.length > 0
          ? formatMessage('editor.needed')
          : undefined;
      return (
        <div>
          <MultiSelect
            {...search}
            data={toEntries(offered, chosen)}
            value={chosen}
            maxValues={input.max}
            hidePickedOptions
            onChange={choose}
            {...(needed !== undefined && {
              description: (
                <>
                  {shared.description} <VisuallyHidden component="span">{needed}</VisuallyHidden>
                </>
              ),
              renderPill: ({ option, value: picked }) => (
                <Pill title={needed}>{option?.label ?? picked}</Pill>
              ),
            })}
          />
          {isMetric && chosen.length < input.max && (
            <NewMetricButton onCreated={(created) => choose([...chosen, created])} />
          )}
        </div>
      );
    }
    case 'choice':
      return (
        <NativeSelect
          {...shared}
          value={text === property.default ? '' : text}
          data={[
            { value: '', label: describeDefault(property, formatMessage) },
            ...input.choices
              .filter((choice) => choice !== property.default)
              .map((choice) => ({ value: choice, label: labelChoice(choice, formatMessage) })),
          ]}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    case 'boolean':
      return property.default === undefined ? (
        <NativeSelect
          {...shared}
          value={typeof value === 'boolean' ? String(value) : ''}
          data={[
            { value: '', label: formatMessage('editor.automatic') },
            { value: 'true', label: formatMessage('editor.yes') },
            { value: 'false', label: formatMessage('editor.no') },
          ]}
          onChange={({ currentTarget: { value: next } }) =>
            onChange(next === '' ? undefined : next === 'true')
          }
        />
      ) : (
        <Checkbox
          {...shared}
          required={false}
          checked={value === undefined ? property.default === true : value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...shared}
          value={typeof value === 'number' ? value : ''}
          min={input.min}
          max={input.max}
          allowDecimal={false}
          clampBehavior="strict"
          {...(typeof property.default === 'number' && {
            placeholder: formatNumber(property.default),
          })}
          onChange={(next) => onChange(next === '' ? undefined : Number(next), true)}
        />
      );
    case 'target':
      return (
        <Autocomplete
          {...shared}
          data={names.metrics}
          value={text}
          onChange={(next) => onChange(readTarget(next), true)}
        />
      );
    case 'column':
      return <SortField {...shared} tile={tile} value={text} onChange={onChange} />;
    case 'rules':
      return <RulesField {...shared} tile={tile} value={value} onChange={onChange} />;
    case 'links':
      return <LinksField {...shared} tile={tile} value={value} onChange={onChange} />;
    case 'text': {
      const isLong = input.maxLength > 200;
      const handle = (next: string) =>
        onChange(next === '' && !isRequired ? undefined : next, true);
      return isLong ? (
        <Textarea
          {...shared}
          autosize
          minRows={name === 'text' ? 4 : 1}
          maxRows={14}
          maxLength={input.maxLength}
          value={text}
          onChange={(event) => handle(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          {...shared}
          maxLength={input.maxLength}
          value={text}
          onChange={(event) => handle(event.currentTarget.value)}
        />
      );
    }
  }
}

type FormatMessage = ReturnType<typeof useFormats>['formatMessage'];

function describeDefault(property: Property, formatMessage: FormatMessage): string {
  const { name, default: usual, isRequired } = property;
  if (typeof usual === 'string')
    return formatMessage('editor.default', { value: labelChoice(usual, formatMessage) });
  if (isRequired) return '';
  return formatMessage(name === 'sort' ? 'editor.automatic' : 'editor.none');
}

/** A number, or the name of a metric. */
function readTarget(text: string): unknown {
  if (text === '') return undefined;
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
