import {
  Alert,
  Button,
  Code,
  Group,
  Paper,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';

import { useAnswer } from '../api/queries.ts';
import { useFormats } from '../messages/messages.ts';
import type { AdminDataset } from '../requests/datasets.ts';
import { useOrganizationId } from '../session/organization.ts';
import { findType } from './dataset-fields.ts';
import { textOf, toLine, writeItem, type Item } from './dataset-text.ts';
import type { DatasetEditing } from './DatasetDraft.tsx';
import { emptyCondition, readRows, writeRows, type RoleRows } from './role-conditions.ts';
import { RoleConditions } from './RoleConditions.tsx';
import { RoleTrial } from './RoleTrial.tsx';

const newRows: RoleRows = { kind: 'and', conditions: [emptyCondition] };

/** Adds a role or edits one, with the rows that chosen users would see by it. */
export function RoleForm({
  dataset,
  role,
  editing,
  onClose,
}: {
  dataset: AdminDataset;
  /** `undefined` to add one. */
  role: Item | undefined;
  editing: DatasetEditing;
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const definition = useAnswer('readDefinition', {
    organizationId,
    kind: 'datasets',
    itemId: dataset.id,
  });
  const written = role && textOf(role, 'name');
  const [name, setName] = useState(written ?? '');
  const [initial] = useState(() => (role ? readRows(role['rows']) : newRows));
  const [rows, setRows] = useState(initial);
  const [sent, setSent] = useState<string>();
  const typeOf = (field: string) => findType(dataset, field);
  // Rows that are not changed stay as they are written.
  const isUnchanged = role !== undefined && rows === initial;
  const result = isUnchanged ? role['rows'] : rows && writeRows(rows, typeOf);
  const label = name.trim() || formatMessage('builder.role.unnamed');
  const text =
    result === undefined
      ? undefined
      : writeItem(editing.text, 'roles', written, { name: label, rows: result });
  return (
    <Paper withBorder p="md" radius="md">
      <form
        aria-label={formatMessage(role ? 'builder.role.edit' : 'builder.role.new')}
        onSubmit={(event) => {
          event.preventDefault();
          if (text === undefined || name.trim() === '') return;
          setSent(text);
          editing.save(text, onClose);
        }}
      >
        <Stack>
          <Title order={2} size="h4" className="breakable">
            {written === undefined
              ? formatMessage('builder.role.new')
              : formatMessage('builder.role.edit_name', { name: written })}
          </Title>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
            <Stack>
              <TextInput
                label={formatMessage('reports.name')}
                description={written !== undefined && formatMessage('builder.role.rename')}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                maxLength={200}
                required
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just opened the form
                autoFocus
              />
              {rows ? (
                <RowFields
                  dataset={dataset}
                  datasets={definition.data?.names.datasets ?? []}
                  rows={rows}
                  onChange={setRows}
                />
              ) : (
                <Text size="sm">{formatMessage('builder.role.nested')}</Text>
              )}
            </Stack>
            <Stack>
              <Stack gap={4}>
                <Text size="sm" fw={600}>
                  {formatMessage('builder.role.rows')}
                </Text>
                <Code block className="wrapped">
                  {result === undefined ? '—' : toLine(result)}
                </Code>
              </Stack>
              <RoleTrial datasetId={dataset.id} text={text} role={label} />
              {dataset.rowAccess === 'everyone' && editing.outline.roles.length === 0 && (
                <Alert color="yellow">{formatMessage('builder.role.first')}</Alert>
              )}
            </Stack>
          </SimpleGrid>
          {text === sent && editing.failure}
          <Group>
            <Button type="submit" loading={editing.isSaving} disabled={text === undefined}>
              {formatMessage('action.save')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {formatMessage('action.cancel')}
            </Button>
            <Text size="sm" c="dimmed">
              {formatMessage('builder.not_active')}
            </Text>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function RowFields({
  dataset,
  datasets,
  rows,
  onChange,
}: {
  dataset: AdminDataset;
  datasets: readonly string[];
  rows: RoleRows;
  onChange: (rows: RoleRows) => void;
}) {
  const { formatMessage } = useFormats();
  const { kind, conditions } = rows;
  const changeKind = (next: RoleRows['kind']) => {
    const kept = conditions.length === 0 ? [emptyCondition] : conditions;
    onChange({ kind: next, conditions: kept });
  };
  return (
    <>
      <Radio.Group
        label={formatMessage('builder.role.kind')}
        value={kind}
        onChange={(value) => changeKind(value)}
      >
        <Stack gap={6} mt={4}>
          {(['and', 'or', 'all'] as const).map((value) => (
            <Radio key={value} value={value} label={formatMessage(`builder.role.kind.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {kind !== 'all' && (
        <RoleConditions
          dataset={dataset}
          datasets={datasets}
          conditions={conditions}
          onChange={(next) => onChange({ kind, conditions: next })}
        />
      )}
    </>
  );
}
