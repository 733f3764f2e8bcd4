import { Table, Text } from '@mantine/core';

import { Breakable } from '../kit/Breakable.tsx';
import { Pager } from '../kit/Pager.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AdminAnswer } from '../requests/endpoints.ts';

interface AccessTableProps {
  log: AdminAnswer<'listAccess'>;
  page: number;
  onPage: (page: number) => void;
  /** Whether to show a column with the report. */
  hasReports: boolean;
}

/** The e-mail, below the name of a user who has one. */
function UserName({ name, email }: { name: string | null; email: string }) {
  if (!name || name === email) return <Breakable>{email}</Breakable>;
  return (
    <>
      {name}
      <Text size="xs" c="dimmed">
        <Breakable>{email}</Breakable>
      </Text>
    </>
  );
}

/** A page of the access log. */
export function AccessTable({ log, page, onPage, hasReports }: AccessTableProps) {
  const { formatMessage, formatTime } = useFormats();
  return (
    <>
      <Table.ScrollContainer minWidth={hasReports ? 640 : 420} className="fits-phone">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th visibleFrom="sm">{formatMessage('log.time')}</Table.Th>
              <Table.Th>{formatMessage('access_log.user')}</Table.Th>
              {hasReports && <Table.Th>{formatMessage('access_log.report')}</Table.Th>}
              <Table.Th>{formatMessage('access_log.action')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {log.data.map((entry) => (
              <Table.Tr key={entry.id}>
                <Table.Td className="unbroken" visibleFrom="sm">
                  {formatTime(entry.createdAt)}
                </Table.Td>
                <Table.Td className="breakable email">
                  <UserName name={entry.userName} email={entry.userEmail} />
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    {formatTime(entry.createdAt)}
                  </Text>
                </Table.Td>
                {hasReports && <Table.Td className="breakable">{entry.reportName}</Table.Td>}
                <Table.Td>
                  {entry.action === 1 || entry.action === 2 || entry.action === 3
                    ? formatMessage(`access_log.action.${entry.action}`)
                    : entry.actionName}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Pager page={page} totalPages={log.totalPages} onPage={onPage} />
    </>
  );
}
