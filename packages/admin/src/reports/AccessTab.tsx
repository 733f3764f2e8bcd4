import { Stack, Text, TextInput, Title } from '@mantine/core';

import { useAnswer, useChange } from '../api/queries.ts';
import { Empty } from '../kit/Empty.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { Pager } from '../kit/Pager.tsx';
import { useLastPage } from '../kit/use-last-page.ts';
import { useSearch } from '../kit/use-search.ts';
import { useFormats } from '../messages/messages.ts';
import type { Named } from '../requests/lists.ts';
import type { Holder } from '../requests/reports.ts';
import { useOrganizationId } from '../session/organization.ts';
import { AddHolder } from './AddHolder.tsx';
import { HolderList } from './HolderList.tsx';

/** The users and groups that may open a report. */
export function AccessTab({ report: { id: reportId, name: reportName } }: { report: Named }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { text, search, page, setPage, setText } = useSearch();
  const access = useAnswer('listReportAccess', { organizationId, reportId, page, search });
  const change = useChange('changeReportAccess');
  useLastPage(access.data?.users.totalPages, page, setPage);
  const link = ({ kind, id, name }: Holder, isLinked: boolean) =>
    change.mutate(
      { organizationId, reportId, kind, id, isLinked },
      {
        onSuccess: () =>
          notify(formatMessage(isLinked ? 'access.given' : 'access.taken', { name })),
      },
    );
  return (
    <Stack maw={640}>
      <AddHolder
        label={formatMessage('access.add')}
        newUser={{ reports: [{ id: reportId, name: reportName }] }}
        onChoose={(holder) => link(holder, true)}
      />
      {change.error && <Failure error={change.error} />}
      <Loaded query={access}>
        {({ groups, users }) => (
          <>
            {groups.length === 0 && users.totalCount === 0 && search === '' && (
              <Empty title={formatMessage('access.empty')}>
                {formatMessage('access.empty.text')}
              </Empty>
            )}
            {groups.length > 0 && (
              <section>
                <Title order={2} size="h4">
                  {formatMessage('holder.groups')}
                </Title>
                <HolderList
                  holders={groups}
                  label={formatMessage('holder.groups')}
                  reportId={reportId}
                  isBusy={change.isPending}
                  onRemove={(holder) => link(holder, false)}
                />
              </section>
            )}
            {(users.totalCount > 0 || search !== '') && (
              <section>
                <Title order={2} size="h4">
                  {formatMessage('holder.users')}
                </Title>
                {(users.totalPages > 1 || search !== '') && (
                  <TextInput
                    type="search"
                    label={formatMessage('access.search')}
                    value={text}
                    onChange={(event) => setText(event.currentTarget.value)}
                  />
                )}
                {users.items.length === 0 && <Text>{formatMessage('access.none')}</Text>}
                <HolderList
                  holders={users.items}
                  label={formatMessage('holder.users')}
                  reportId={reportId}
                  isBusy={change.isPending}
                  onRemove={(holder) => link(holder, false)}
                />
                <Pager
                  page={page}
                  totalPages={users.totalPages}
                  totalCount={users.totalCount}
                  onPage={setPage}
                />
              </section>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}
