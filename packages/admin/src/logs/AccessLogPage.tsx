import { Button, NativeSelect, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';

import { formatAddress } from '../api/call.ts';
import { useAnswer } from '../api/queries.ts';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { readPage } from '../kit/read-page.ts';
import { useLastPage } from '../kit/use-last-page.ts';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';
import { AccessTable } from './AccessTable.tsx';
import { DayChart } from './DayChart.tsx';

const actions = [1, 2, 3] as const;

/** Who opened which report, and when. The filters are in the address, so that links can set them. */
export function AccessLogPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [search, setSearch] = useSearchParams();
  const page = readPage(search);
  const filter = Object.fromEntries(
    ['user', 'reportName', 'reportId', 'action', 'from', 'to'].flatMap((name) => {
      const value = search.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const log = useAnswer('listAccess', { organizationId, page, ...filter });
  const days = useAnswer('countAccess', { organizationId });
  const change = (values: Record<string, string>, replace = false) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('page');
        for (const [name, value] of Object.entries(values))
          if (value === '') after.delete(name);
          else after.set(name, value);
        return after;
      },
      { replace },
    );
  useLastPage(log.isPlaceholderData ? undefined : log.data?.totalPages, page, (last) =>
    change({ page: String(last) }, true),
  );
  const exportAddress = formatAddress('exportAccess', { organizationId, ...filter });
  return (
    <Page
      title={formatMessage('access_log.title')}
      actions={
        <Button component="a" href={exportAddress} variant="default" download>
          {formatMessage('access_log.export')}
        </Button>
      }
    >
      <Loaded query={days}>
        {({ opened }) => <DayChart days={opened} label={formatMessage('access_log.chart')} />}
      </Loaded>
      <Filters key={search.toString()} values={filter} onChange={change} />
      <Loaded query={log}>
        {(found) =>
          found.data.length === 0 ? (
            <Empty
              title={formatMessage('log.empty')}
              action={
                Object.keys(filter).length === 0 && (
                  <Button
                    component={Link}
                    href={`/organizations/${organizationId}/settings/embedding`}
                    variant="default"
                  >
                    {formatMessage('overview.step.opened')}
                  </Button>
                )
              }
            >
              {formatMessage(
                Object.keys(filter).length === 0 ? 'access_log.empty.text' : 'log.empty.filtered',
              )}
            </Empty>
          ) : (
            <AccessTable
              log={found}
              page={page}
              onPage={(next) => change({ page: String(next) })}
              hasReports
            />
          )
        }
      </Loaded>
    </Page>
  );
}

function Filters({
  values,
  onChange,
}: {
  values: Partial<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}) {
  const { formatMessage } = useFormats();
  const [user, setUser] = useState(values['user'] ?? '');
  const [report, setReport] = useState(values['reportName'] ?? '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ user: user.trim(), reportName: report.trim() });
      }}
    >
      <Group align="flex-end">
        <TextInput
          label={formatMessage('access_log.user')}
          placeholder={formatMessage('access_log.user.description')}
          w={{ base: '100%', xs: 260 }}
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
        />
        <TextInput
          label={formatMessage('access_log.report')}
          value={report}
          onChange={(event) => setReport(event.currentTarget.value)}
        />
        <NativeSelect
          label={formatMessage('access_log.action')}
          value={values['action'] ?? ''}
          onChange={(event) => onChange({ action: event.currentTarget.value })}
          data={[
            { value: '', label: formatMessage('log.all') },
            ...actions.map((action) => ({
              value: String(action),
              label: formatMessage(`access_log.action.${action}`),
            })),
          ]}
        />
        <Button type="submit" variant="default">
          {formatMessage('log.filter')}
        </Button>
        {Object.keys(values).length > 0 && (
          <Button
            variant="subtle"
            onClick={() =>
              onChange(Object.fromEntries(Object.keys(values).map((name) => [name, ''])))
            }
          >
            {formatMessage('log.clear')}
          </Button>
        )}
      </Group>
      {values['reportId'] !== undefined && (
        <Text size="sm" mt="xs" className="breakable">
          {formatMessage('access_log.of_report', { id: values['reportId'] })}
        </Text>
      )}
    </form>
  );
}
