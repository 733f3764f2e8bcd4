import { Button, Fieldset, Group, Input, NativeSelect, NumberInput, Stack } from '@mantine/core';

import { useFormats } from '../../messages/messages.ts';
import { Sign } from '../canvas/Sign.tsx';
import type { Tile } from '../document/read-document.ts';
import { listChosen } from './convert-tile.ts';
import { labelChoice } from './labels.ts';
import { readRecord } from './read-record.ts';

type Rule = Readonly<Record<string, unknown>>;

const kinds = ['thresholds', 'scale', 'bar', 'arrow'] as const;
const statuses = ['good', 'warning', 'bad'] as const;
const maxThresholds = 10;

/** What a rule of a kind begins with. */
const newRule = (kind: string): Rule =>
  kind === 'thresholds'
    ? { type: kind, thresholds: [{ below: 0, status: 'bad' }] }
    : { type: kind };

/** How the numbers of each metric are highlighted. */
export function RulesField({
  label,
  description,
  error,
  tile,
  value,
  onChange,
}: {
  label: string;
  description: string | undefined;
  error: string | undefined;
  tile: Tile;
  value: unknown;
  onChange: (value: unknown, isTyped?: boolean) => void;
}) {
  const { formatMessage } = useFormats();
  const rules = readRecord(value);
  const { metrics } = listChosen(tile);
  if (metrics.length === 0) return null;
  const setRule = (metric: string, rule: Rule | undefined, isTyped?: boolean) => {
    const { [metric]: _gone, ...rest } = rules;
    const next = rule === undefined ? rest : { ...rules, [metric]: rule };
    onChange(Object.keys(next).length === 0 ? undefined : next, isTyped);
  };
  return (
    <Input.Wrapper label={label} description={description} error={error}>
      <Stack gap="xs" mt={4}>
        {metrics.map((metric) => {
          const rule = readRecord(rules[metric]);
          return (
            <Fieldset key={metric} legend={metric} p="xs">
              <NativeSelect
                size="xs"
                aria-label={formatMessage('editor.rule', { name: metric })}
                value={typeof rule['type'] === 'string' ? rule['type'] : ''}
                data={[
                  { value: '', label: formatMessage('editor.none') },
                  ...kinds.map((kind) => ({
                    value: kind,
                    label: labelChoice(kind, formatMessage),
                  })),
                ]}
                onChange={(event) => {
                  const kind = event.currentTarget.value;
                  setRule(metric, kind === '' ? undefined : newRule(kind));
                }}
              />
              <RuleOptions
                metric={metric}
                rule={rule}
                onChange={(next, isTyped) => setRule(metric, next, isTyped)}
              />
            </Fieldset>
          );
        })}
      </Stack>
    </Input.Wrapper>
  );
}

interface RuleOptionsProps {
  metric: string;
  rule: Rule;
  onChange: (rule: Rule, isTyped?: boolean) => void;
}

function RuleOptions({ metric, rule, onChange }: RuleOptionsProps) {
  const { formatMessage } = useFormats();
  if (rule['type'] === 'scale')
    return (
      <Group gap="xs" grow mt="xs">
        {(['from', 'to'] as const).map((end) => (
          <NumberField
            key={end}
            label={formatMessage(`editor.rule.${end}`)}
            value={rule[end]}
            onChange={(next) => onChange(setKey(rule, end, next), true)}
          />
        ))}
      </Group>
    );
  if (rule['type'] !== 'thresholds') return null;
  const thresholds = Array.isArray(rule['thresholds'])
    ? rule['thresholds'].map((each: unknown) => readRecord(each))
    : [];
  const setThresholds = (next: readonly Rule[], isTyped?: boolean) =>
    onChange({ ...rule, thresholds: next }, isTyped);
  const place = (position: number) =>
    formatMessage('editor.rule.threshold', { name: metric, position });
  return (
    <Stack gap="xs" mt="xs">
      {thresholds.map((threshold, index) => {
        const setThreshold = (next: Rule, isTyped?: boolean) =>
          setThresholds(thresholds.with(index, next), isTyped);
        return (
          // Thresholds have no names, and their order counts.
          // oxlint-disable-next-line react/no-array-index-key
          <fieldset key={index} className="threshold" aria-label={place(index + 1)}>
            {(['atLeast', 'below'] as const).map((end) => (
              <NumberField
                key={end}
                label={formatMessage(`editor.rule.${end}`)}
                value={threshold[end]}
                onChange={(next) => setThreshold(setKey(threshold, end, next), true)}
              />
            ))}
            <NativeSelect
              size="xs"
              label={formatMessage('editor.rule.status')}
              value={typeof threshold['status'] === 'string' ? threshold['status'] : 'bad'}
              data={statuses.map((status) => ({
                value: status,
                label: labelChoice(status, formatMessage),
              }))}
              onChange={(event) =>
                setThreshold({ ...threshold, status: event.currentTarget.value })
              }
            />
            {thresholds.length > 1 && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={formatMessage('editor.rule.remove', { position: index + 1 })}
                onClick={() => setThresholds(thresholds.toSpliced(index, 1))}
              >
                <Sign name="remove" />
              </Button>
            )}
          </fieldset>
        );
      })}
      {thresholds.length < maxThresholds && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => setThresholds([...thresholds, { atLeast: 0, status: 'good' }])}
        >
          {formatMessage('editor.rule.add')}
        </Button>
      )}
    </Stack>
  );
}

function NumberField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: unknown;
  onChange: (value: number | undefined) => void;
}) {
  return (
    <NumberInput
      size="xs"
      w={110}
      label={label}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => onChange(next === '' ? undefined : Number(next))}
    />
  );
}

function setKey(rule: Rule, key: string, value: unknown): Rule {
  const { [key]: _gone, ...rest } = rule;
  return value === undefined ? rest : { ...rule, [key]: value };
}
