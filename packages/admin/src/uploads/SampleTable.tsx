import { Table, Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { Sample } from '../requests/datasets.ts';
import { useIdentity } from '../session/identity.ts';

/** A sample of the rows of a dataset. */
export function SampleTable({
  sample,
  columns,
}: {
  sample: Sample;
  columns: readonly { name: string; type: string }[];
}) {
  const { formatMessage, formatNumber } = useFormats();
  const { role } = useIdentity();
  const whyEmpty = role === null || role === 1 ? 'datasets.empty_data' : 'datasets.no_rows';
  const typeOf = (name: string) => columns.find((column) => column.name === name)?.type;
  const alignOf = (name: string) =>
    ['integer', 'decimal', 'number'].includes(typeOf(name) ?? '') ? 'end' : undefined;
  if (sample.rows === null)
    return <Text c="dimmed">{formatMessage('datasets.sample.failed')}</Text>;
  if (sample.rows.length === 0) return <Text c="dimmed">{formatMessage(whyEmpty)}</Text>;
  return (
    <>
      {columns.length > sample.columns.length && (
        <Text size="sm" c="dimmed">
          {formatMessage('datasets.sample.some', {
            shown: formatNumber(sample.columns.length),
            count: formatNumber(columns.length),
          })}
        </Text>
      )}
      <Table.ScrollContainer minWidth={sample.columns.length * 110} maxHeight={320}>
        <Table stickyHeader aria-label={formatMessage('datasets.sample')}>
          <Table.Thead>
            <Table.Tr>
              {sample.columns.map((name) => (
                <Table.Th key={name} ta={alignOf(name)}>
                  {name}
                  <Text size="xs" c="dimmed" fw={400}>
                    {typeOf(name)}
                  </Text>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sample.rows.map((row) => (
              <Table.Tr key={JSON.stringify(row)}>
                {row.map((value, index) => (
                  <Table.Td
                    key={sample.columns[index]}
                    ta={alignOf(sample.columns[index]!)}
                    className="breakable"
                  >
                    {value === null ? '' : String(value)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
