import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from 'wouter';

import { latestError, useChange } from '../api/queries.ts';
import { ChooseGroup, ChooseReport, ChooseRole } from '../groups/choosers.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Links } from '../kit/Links.tsx';
import { useFormats } from '../messages/messages.ts';
import type { UserDetails, UserReport, UserRole } from '../requests/users.ts';
import { useOrganizationId } from '../session/organization.ts';

/** What a user may open and which rows they see, with where each comes from. */
export function UserAccess({ user }: { user: UserDetails }) {
  const { formatMessage } = useFormats();
  const of = { organizationId: useOrganizationId(), userId: user.id };
  const linkReport = useChange('linkUserReport');
  const unlinkReport = useChange('unlinkUserReport');
  const linkRole = useChange('linkUserRole');
  const unlinkRole = useChange('unlinkUserRole');
  const join = useChange('addGroupMember');
  const removeMember = useChange('removeGroupMember');
  const changes = [linkReport, unlinkReport, linkRole, unlinkRole, join, removeMember];
  const error = latestError(...changes);
  return (
    <>
      {error && <Failure error={error} />}
      <Links
        title={formatMessage('users.reports')}
        empty={formatMessage('users.reports.none')}
        links={user.reports.map((report) => ({
          ...report,
          detail: report.workspaceName,
          source: <Sources of={report} />,
          onRemove: report.isDirect
            ? () => unlinkReport.mutate({ ...of, reportId: report.id })
            : undefined,
        }))}
        footer={
          user.totalReports > user.reports.length && (
            <Text size="sm" c="dimmed">
              {formatMessage('links.more', {
                shown: user.reports.length,
                count: user.totalReports,
              })}
            </Text>
          )
        }
        add={
          <ChooseReport
            linked={user.reports.filter((report) => report.isDirect)}
            onChoose={(reportId) => linkReport.mutate({ ...of, reportId })}
          />
        }
      />
      <Links
        title={formatMessage('groups.title')}
        empty={formatMessage('users.groups.none')}
        links={user.groups.map((group) => ({
          ...group,
          onRemove: () => removeMember.mutate({ ...of, groupId: group.id }),
        }))}
        add={
          <ChooseGroup
            linked={user.groups}
            onChoose={(groupId) => join.mutate({ ...of, groupId })}
          />
        }
      />
      <Links
        title={formatMessage('users.roles')}
        empty={formatMessage('users.roles.none')}
        links={user.roles.map((role) => ({
          ...role,
          detail: role.datasetName,
          source: <Sources of={role} />,
          onRemove: role.isDirect ? () => unlinkRole.mutate({ ...of, roleId: role.id }) : undefined,
        }))}
        add={
          <ChooseRole
            linked={user.roles.filter((role) => role.isDirect)}
            onChoose={(roleId) => linkRole.mutate({ ...of, roleId })}
          />
        }
      />
    </>
  );
}

/** Where a report or role comes from: a link to the user, groups, or both. */
function Sources({ of: { isDirect, groups } }: { of: UserReport | UserRole }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  return (
    <Group gap={6}>
      {isDirect && <Badge>{formatMessage('links.direct')}</Badge>}
      {groups.map(({ id, name }) => (
        <Anchor
          key={id}
          component={Link}
          inherit={false}
          size="sm"
          href={`/organizations/${organizationId}/groups/${id}`}
        >
          {formatMessage('links.group', { name })}
        </Anchor>
      ))}
    </Group>
  );
}
