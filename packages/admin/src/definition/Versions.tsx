import { Button, Group, Table, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { call } from '../api/call.ts';
import { useAnswer } from '../api/queries.ts';
import { Breakable } from '../kit/Breakable.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { useFormats } from '../messages/messages.ts';

/** The stored versions. Each can be compared with the text in the editor, or replace it. */
export function Versions({
  request,
  current,
  onCompare,
  onRestore,
}: {
  request: { organizationId: string; kind: 'reports' | 'datasets'; itemId: string };
  current: number;
  onCompare: (text: string) => void;
  onRestore?: (text: string) => void;
}) {
  const { formatMessage, formatTime } = useFormats();
  const versions = useAnswer('listDefinitionVersions', request);
  const read = useMutation({
    mutationFn: (version: number) =>
      call('readDefinitionVersion', { ...request, version: String(version) }),
  });
  return (
    <section aria-labelledby="versions">
      <Title order={2} size="h4" id="versions">
        {formatMessage('versions.title')}
      </Title>
      {read.error && <Failure error={read.error} />}
      <Loaded query={versions}>
        {({ versions: list }) => (
          <Table.ScrollContainer minWidth={420}>
            <Table>
              <Table.Tbody>
                {list.map(({ version, savedAt, savedBy, savedFrom }) => (
                  <Table.Tr key={version}>
                    <Table.Td>{version}</Table.Td>
                    <Table.Td className="unbroken">{formatTime(savedAt)}</Table.Td>
                    <Table.Td className="breakable">
                      <Breakable>{savedBy ?? ''}</Breakable>
                      {savedFrom === 'files' && ` (${formatMessage('versions.files')})`}
                    </Table.Td>
                    <Table.Td>
                      <Group gap="xs" justify="flex-end" wrap="nowrap">
                        <Button
                          size="compact-sm"
                          variant="default"
                          aria-label={formatMessage('versions.compare', { version })}
                          onClick={() =>
                            read.mutate(version, { onSuccess: ({ text }) => onCompare(text) })
                          }
                        >
                          {formatMessage('definition.stale.compare')}
                        </Button>
                        {onRestore && version !== current && (
                          <Button
                            size="compact-sm"
                            variant="default"
                            aria-label={formatMessage('versions.restore', { version })}
                            onClick={() =>
                              read.mutate(version, { onSuccess: ({ text }) => onRestore(text) })
                            }
                          >
                            {formatMessage('versions.take')}
                          </Button>
                        )}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
    </section>
  );
}
