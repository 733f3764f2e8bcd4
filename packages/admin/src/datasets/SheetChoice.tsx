import { Paper, Radio, Stack, Table } from '@mantine/core';
import { useId } from 'react';

import { useFormats } from '../messages/messages.ts';
import type { Interpretation } from '../requests/datasets.ts';

/** Asks which sheet of a workbook is read, and shows the first rows of each. None is chosen at first. */
export function SheetChoice({
  sheets,
  value,
  onChange,
}: {
  sheets: readonly Interpretation[];
  /** Name of the chosen sheet. */
  value: string | null;
  onChange: (sheet: string) => void;
}) {
  const { formatMessage } = useFormats();
  const id = useId();
  return (
    <Radio.Group
      label={formatMessage('sheets.question')}
      description={formatMessage('sheets.help')}
      value={value}
      onChange={onChange}
      withAsterisk
    >
      <Stack mt="xs" gap="sm">
        {sheets.map(({ options: { sheet = '' }, columns }, index) => (
          <Paper key={sheet} withBorder p="sm">
            <Radio value={sheet} label={sheet} aria-describedby={`${id}-${index}`} />
            <div id={`${id}-${index}`}>
              <FirstRows columns={columns} />
            </div>
          </Paper>
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Columns that fit beside each other. */
const shownColumns = 5;

function FirstRows({ columns }: Pick<Interpretation, 'columns'>) {
  const shown = columns.slice(0, shownColumns);
  const rows = shown[0]?.values.map((_, row) => shown.map(({ values }) => values[row]!.text)) ?? [];
  return (
    <Table layout="fixed" verticalSpacing={2} horizontalSpacing={4} mt="xs">
      <Table.Thead>
        <Table.Tr>
          {shown.map(({ name }) => (
            <Table.Th key={name} scope="col" className="breakable">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((cells) => (
          <Table.Tr key={JSON.stringify(cells)}>
            {cells.map((text, index) => (
              <Table.Td key={shown[index]!.name} className="breakable">
                {text}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
