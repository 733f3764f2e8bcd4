import { Button, Group, Stack, Table, Text } from '@mantine/core';

import { useAnswer, useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { Picker } from '../kit/Picker.tsx';
import { useSearch } from '../kit/use-search.ts';
import { without } from '../kit/without.ts';
import { useFormats } from '../messages/messages.ts';
import type { DatasetWorkspace } from '../requests/datasets.ts';
import { useOrganizationId } from '../session/organization.ts';

/** The workspaces whose contributors may use a dataset; a picker opens it to another one. */
export function DatasetWorkspaces({
  datasetId,
  workspaces,
}: {
  datasetId: string;
  workspaces: readonly DatasetWorkspace[];
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const change = useChange('changeDatasetWorkspace');
  const save = (workspaceId: string, isOpened: boolean) =>
    change.mutate({ organizationId, datasetId, workspaceId, isOpened });
  const opened = workspaces.filter(({ isOpened }) => isOpened);
  return (
    <Stack gap="xs" maw={640}>
      <Text size="sm">{formatMessage('datasets.workspaces.text')}</Text>
      <WorkspaceChoice opened={opened} onChoose={(id) => save(id, true)} />
      {change.error && <Failure error={change.error} />}
      {workspaces.length > 0 && (
        <Table.ScrollContainer minWidth={280}>
          <Table aria-label={formatMessage('datasets.workspaces')}>
            <Table.Tbody>
              {workspaces.map(({ id, name, isOpened, reports }) => (
                <Table.Tr key={id}>
                  <Table.Td className="breakable">
                    {name}
                    {reports > 0 && (
                      <Text size="xs" c="dimmed">
                        {formatMessage('datasets.workspaces.reports', { count: reports })}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    {isOpened && (
                      <Group justify="flex-end">
                        <Button
                          size="compact-sm"
                          variant="default"
                          disabled={change.isPending}
                          onClick={() => save(id, false)}
                          aria-label={formatMessage('holder.remove_name', { name })}
                        >
                          {formatMessage('holder.remove')}
                        </Button>
                      </Group>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  );
}

/** Offers the workspaces to which the dataset was not opened. */
function WorkspaceChoice({
  opened,
  onChoose,
}: {
  opened: readonly DatasetWorkspace[];
  onChoose: (workspaceId: string) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('listWorkspaces', { organizationId });
  const matches = (name: string) => name.toLowerCase().includes(search.search.trim().toLowerCase());
  return (
    <Picker
      label={formatMessage('datasets.workspaces.add')}
      noneFound={formatMessage('datasets.workspaces.none')}
      search={search}
      found={found}
      listChoices={({ workspaces }) =>
        without(workspaces, opened)
          .filter(({ name }) => matches(name))
          .map(({ id, name }) => ({ value: id, label: name }))
      }
      onChoose={onChoose}
    />
  );
}
