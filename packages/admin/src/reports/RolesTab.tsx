import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';

import { useAnswer, useChange } from '../api/queries.ts';
import { HolderPicker } from '../holders/HolderPicker.tsx';
import { Empty } from '../kit/Empty.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { useFormats } from '../messages/messages.ts';
import type { Holder, ReportRole } from '../requests/reports.ts';
import { useOrganizationId } from '../session/organization.ts';
import { HolderList } from './HolderList.tsx';

/** The roles of the report's dataset, and who holds them. */
export function RolesTab({ reportId, product }: { reportId: string; product: string | null }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const roles = useAnswer('listReportRoles', { organizationId, reportId });
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
          {found.roles.length === 0 && (
            <Empty title={formatMessage('rows.empty')}>
              {product === null
                ? formatMessage('rows.empty.text')
                : formatMessage('rows.empty.product', { product })}
            </Empty>
          )}
          {found.roles.map((role) => (
            <Role key={role.id} role={role} />
          ))}
        </Stack>
      )}
    </Loaded>
  );
}

function Role({ role }: { role: ReportRole }) {
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
  const holders = [...role.groups, ...role.users];
  const hidden = role.userCount - role.users.length;
  return (
    <section aria-labelledby={`role-${role.id}`}>
      <Title order={2} size="h4" id={`role-${role.id}`} className="breakable">
        {role.name}
      </Title>
      <HolderPicker
        label={formatMessage('rows.add', { role: role.name })}
        onChoose={(holder) => link(holder, true)}
      />
      {change.error && <Failure error={change.error} />}
      {holders.length > 0 && (
        <HolderList
          holders={holders}
          label={formatMessage('rows.holders', { role: role.name })}
          isBusy={change.isPending}
          onRemove={(holder) => link(holder, false)}
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
