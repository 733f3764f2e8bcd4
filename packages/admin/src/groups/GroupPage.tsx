import { useRoute } from 'wouter';

import { latestError, useAnswer, useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { Links } from '../kit/Links.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import type { GroupDetails } from '../requests/groups.ts';
import { useOrganizationId } from '../session/organization.ts';
import { ChooseReport, ChooseRole } from './choosers.tsx';
import { GroupActions } from './GroupActions.tsx';
import { GroupMembers } from './GroupMembers.tsx';

/** One group: members, reports and roles. */
export function GroupPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [, params] = useRoute('/organizations/:organizationId/groups/:groupId');
  const groupId = params?.groupId ?? '';
  const group = useAnswer('readGroup', { organizationId, groupId });
  return (
    <Page
      title={group.data?.name ?? formatMessage('groups.title')}
      actions={group.data && <GroupActions group={group.data} />}
    >
      <Loaded query={group}>
        {(loaded) => (
          <>
            <GroupMembers groupId={groupId} />
            <GroupLinks group={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function GroupLinks({ group: { id, reports, roles } }: { group: GroupDetails }) {
  const { formatMessage } = useFormats();
  const of = { organizationId: useOrganizationId(), groupId: id };
  const linkReport = useChange('linkGroupReport');
  const unlinkReport = useChange('unlinkGroupReport');
  const linkRole = useChange('linkGroupRole');
  const unlinkRole = useChange('unlinkGroupRole');
  const error = latestError(linkReport, unlinkReport, linkRole, unlinkRole);
  return (
    <>
      {error && <Failure error={error} />}
      <Links
        title={formatMessage('users.reports')}
        empty={formatMessage('groups.reports.none')}
        links={reports.map((report) => ({
          ...report,
          detail: report.workspaceName,
          onRemove: () => unlinkReport.mutate({ ...of, reportId: report.id }),
        }))}
        add={
          <ChooseReport
            linked={reports}
            onChoose={(reportId) => linkReport.mutate({ ...of, reportId })}
          />
        }
      />
      <Links
        title={formatMessage('users.roles')}
        empty={formatMessage('groups.roles.none')}
        links={roles.map((role) => ({
          ...role,
          detail: role.datasetName,
          onRemove: () => unlinkRole.mutate({ ...of, roleId: role.id }),
        }))}
        add={
          <ChooseRole linked={roles} onChoose={(roleId) => linkRole.mutate({ ...of, roleId })} />
        }
      />
    </>
  );
}
