import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';

import { useAnswer, useChange } from '../api/queries.ts';
import { Empty } from '../kit/Empty.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Loaded, Loading } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { useFormats } from '../messages/messages.ts';
import type { Named } from '../requests/lists.ts';
import type { Holder, ReportRole } from '../requests/reports.ts';
import { useOrganizationId } from '../session/organization.ts';
import { AddHolder } from './AddHolder.tsx';
import { HolderList } from './HolderList.tsx';

const NewRole = lazy(() =>
  import('../builders/NewRole.tsx').then((module) => ({ default: module.NewRole })),
);

/** The roles of the report's dataset, and who holds them. */
export function RolesTab({ report }: { report: Named & { product: string | null } }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const roles = useAnswer('listReportRoles', { organizationId, reportId: report.id });
  /** `false` after the form was closed. */
  const [isNew, setIsNew] = useState<boolean>();
  const add = report.product === null && (
    <Button
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just closed the form
      autoFocus={isNew === false}
      onClick={() => setIsNew(true)}
    >
      {formatMessage('builder.role.new')}
    </Button>
  );
  if (isNew && roles.data)
    return (
      <Suspense fallback={<Loading />}>
        <NewRole datasetId={roles.data.datasetId} onClose={() => setIsNew(false)} />
      </Suspense>
    );
  return (
    <Loaded query={roles}>
      {(found) => (
        <Stack maw={640} gap="xl">
          <Text>
            {formatMessage(
              found.roles.length === 0 && found.rowAccess === 'everyone'
                ? 'rows.everyone'
                : 'rows.by_role',
            )}{' '}
            <Anchor
              underline="always"
              component={Link}
              href={`/organizations/${organizationId}/datasets/${found.datasetId}`}
            >
              {formatMessage('rows.dataset')}
            </Anchor>
          </Text>
          {found.roles.length === 0 ? (
            <Empty title={formatMessage('rows.empty')} action={add}>
              {report.product === null
                ? formatMessage('rows.empty.text')
                : formatMessage('rows.empty.product', { product: report.product })}
            </Empty>
          ) : (
            add && <Group>{add}</Group>
          )}
          {found.roles.map((role) => (
            <Role key={role.id} role={role} report={report} />
          ))}
        </Stack>
      )}
    </Loaded>
  );
}

function Role({
  role,
  report: { id: reportId, name: reportName },
}: {
  role: ReportRole;
  report: Named;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const change = useChange('changeRoleHolder');
  const link = ({ kind, id, name }: Holder, isLinked: boolean) =>
    change.mutate(
      { organizationId, roleId: role.id, kind, id, isLinked },
      {
        onSuccess: () =>
          notify(formatMessage(isLinked ? 'rows.given' : 'rows.taken', { name, role: role.name })),
      },
    );
  const access = useChange('changeReportAccess');
  const giveAccess = ({ kind, id, name }: Holder) =>
    access.mutate(
      { organizationId, reportId, kind, id, isLinked: true },
      { onSuccess: () => notify(formatMessage('access.given', { name })) },
    );
  const error = change.error ?? access.error;
  const holders = [...role.groups, ...role.users];
  const hidden = role.userCount - role.users.length;
  return (
    <section aria-labelledby={`role-${role.id}`}>
      <Title order={2} size="h4" id={`role-${role.id}`} className="breakable">
        {role.name}
      </Title>
      <AddHolder
        label={formatMessage('rows.add', { role: role.name })}
        newUser={{
          reports: [{ id: reportId, name: reportName }],
          roles: [{ id: role.id, name: role.name }],
        }}
        onChoose={(holder) => link(holder, true)}
      />
      {error && <Failure error={error} />}
      {holders.length > 0 && (
        <HolderList
          holders={holders}
          label={formatMessage('rows.holders', { role: role.name })}
          reportId={reportId}
          isBusy={change.isPending || access.isPending}
          onRemove={(holder) => link(holder, false)}
          onGiveAccess={giveAccess}
        />
      )}
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {formatMessage('rows.hidden', { count: hidden })}
        </Text>
      )}
    </section>
  );
}
