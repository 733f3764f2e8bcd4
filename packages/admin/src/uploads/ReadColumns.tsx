import { Table } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { ReadColumn } from '../requests/datasets.ts';

/** Values of columns as the file writes them and as they are read, with the totals of numbers. */
export function ReadColumns({ columns }: { columns: readonly ReadColumn[] }) {
  const { formatMessage, formatDecimal, formatDay } = useFormats();
  const format = (read: string, isNumber: boolean) => {
    // A value of a row that is left out.
    if (read === '') return '–';
    if (isNumber) return formatDecimal(read);
    return /^\d{4}-\d\d-\d\d$/.test(read) ? formatDay(read) : read;
  };
  return columns.map(({ name, values, total }) => (
    <Table key={name} layout="fixed" verticalSpacing={2} horizontalSpacing={4} mt="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" className="breakable">
            {name}
          </Table.Th>
          <Table.Th scope="col" ta="end">
            {formatMessage('readings.read')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {values.map(({ text, read }) => (
          <Table.Tr key={text}>
            <Table.Td className="breakable">{text}</Table.Td>
            <Table.Td ta="end" className="breakable">
              {format(read, total !== undefined)}
            </Table.Td>
          </Table.Tr>
        ))}
        {total !== undefined && (
          <Table.Tr>
            <Table.Th scope="row">{formatMessage('readings.total')}</Table.Th>
            <Table.Td ta="end" fw={600} className="breakable">
              {formatDecimal(total)}
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  ));
}
