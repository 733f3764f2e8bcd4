import { List, Stack, Table, Text, Title } from '@mantine/core';
import { useId } from 'react';

import { useFormats } from '../messages/messages.ts';
import type { DataChange } from '../requests/data-files.ts';

const orNone = (text: string | null | undefined, format: (given: string) => string): string =>
  text === null || text === undefined ? '–' : format(text);

/** What new data change in one dataset: columns, rows, totals and the time span. */
export function DataChanges({
  change,
  isOther,
}: {
  change: DataChange;
  /** Whether it is a dataset that reads the same file. */
  isOther: boolean;
}) {
  const { formatMessage, formatDecimal, formatDay } = useFormats();
  const id = useId();
  const { name, slug, rows, columns, totals, time } = change;
  const facts: [string, string, string][] = [
    [
      formatMessage('new_data.rows'),
      orNone(rows.before?.toString(), formatDecimal),
      formatDecimal(String(rows.after)),
    ],
    ...totals.map(({ name: column, before, after }): [string, string, string] => [
      formatMessage('new_data.total', { column }),
      orNone(before, formatDecimal),
      orNone(after, formatDecimal),
    ]),
    ...(time
      ? [
          [
            formatMessage('new_data.first', { field: time.field }),
            orNone(time.before?.from, formatDay),
            orNone(time.after?.from, formatDay),
          ] satisfies [string, string, string],
          [
            formatMessage('new_data.last', { field: time.field }),
            orNone(time.before?.to, formatDay),
            orNone(time.after?.to, formatDay),
          ] satisfies [string, string, string],
        ]
      : []),
  ];
  const changes = [
    ...columns.added.map(({ name: column, type }) =>
      formatMessage('new_data.added', { column, type }),
    ),
    ...columns.removed.map(({ name: column }) => formatMessage('new_data.removed', { column })),
    ...columns.changed.map(({ name: column, before, after }) =>
      formatMessage('new_data.changed', { column, before, after }),
    ),
  ];
  return (
    <Stack gap="xs" component="section" aria-labelledby={id}>
      <Title order={3} size="h5" id={id} className="breakable">
        {isOther
          ? formatMessage('new_data.changes.other', { name, file: `datasets/${slug}.yaml` })
          : formatMessage('new_data.changes', { name })}
      </Title>
      {changes.length > 0 ? (
        <List size="sm">
          {changes.map((text) => (
            <List.Item key={text} className="breakable">
              {text}
            </List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm">{formatMessage('new_data.same_columns')}</Text>
      )}
      <Table aria-labelledby={id} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th scope="col" ta="end">
              {formatMessage('new_data.before')}
            </Table.Th>
            <Table.Th scope="col" ta="end">
              {formatMessage('new_data.after')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {facts.map(([what, before, after]) => (
            <Table.Tr key={what}>
              <Table.Th scope="row" fw={400} className="breakable">
                {what}
              </Table.Th>
              <Table.Td ta="end" className="breakable">
                {before}
              </Table.Td>
              <Table.Td ta="end" fw={before === after ? 400 : 600} className="breakable">
                {after}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
