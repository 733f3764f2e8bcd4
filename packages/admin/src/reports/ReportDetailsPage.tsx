import { Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useParams } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';

import { useAnswer } from '../api/queries.ts';
import { ItemButtons } from '../items/ItemButtons.tsx';
import { Loaded, Loading } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AdminReport } from '../requests/reports.ts';
import { useIdentity } from '../session/identity.ts';
import { useOrganizationId } from '../session/organization.ts';
import { AccessTab } from './AccessTab.tsx';
import { GeneralTab } from './GeneralTab.tsx';
import { MissingRights } from './MissingRights.tsx';
import { RolesTab } from './RolesTab.tsx';
import { UsageTab } from './UsageTab.tsx';

// The editor is half of the administration's scripts.
const DefinitionTab = lazy(() =>
  import('../definition/DefinitionTab.tsx').then((module) => ({ default: module.DefinitionTab })),
);

const administratorTabs = ['general', 'access', 'rows', 'definition', 'usage'] as const;
const contributorTabs = ['general', 'definition'] as const;

/** One report: its fields, access, roles, definition and usage. */
export function ReportDetailsPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { reportId = '' } = useParams();
  const report = useAnswer('readReport', { organizationId, reportId });
  return (
    <Page
      title={report.data?.name ?? formatMessage('reports.report')}
      actions={
        report.data?.product === null && (
          <ItemButtons
            item={{ kind: 'report', id: report.data.id, name: report.data.name }}
            canCreate={report.data.canCopy}
            canEdit={report.data.canEdit}
          />
        )
      }
    >
      <MissingRights of={['canEdit']} />
      <Loaded query={report}>{(loaded) => <ReportTabs key={loaded.id} report={loaded} />}</Loaded>
    </Page>
  );
}

/** The selected tab is the fragment of the address. */
function ReportTabs({ report }: { report: AdminReport }) {
  const { formatMessage } = useFormats();
  const { role } = useIdentity();
  const [place, setPlace] = useHashLocation();
  const offered = role === null || role === 1 ? administratorTabs : contributorTabs;
  const tabs = offered.filter((tab) => tab !== 'definition' || report.product === null);
  const selected = tabs.find((tab) => `/${tab}` === place) ?? 'general';
  return (
    <Tabs
      value={selected}
      onChange={(tab) => setPlace(`/${tab}`, { replace: true })}
      keepMounted={false}
    >
      <Tabs.List mb="lg">
        {tabs.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {formatMessage(`reports.tab.${tab}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="general">
        <GeneralTab report={report} />
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <AccessTab report={report} />
      </Tabs.Panel>
      <Tabs.Panel value="rows">
        <RolesTab report={report} />
      </Tabs.Panel>
      <Tabs.Panel value="definition">
        <Suspense fallback={<Loading />}>
          <DefinitionTab kind="reports" item={report} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="usage">
        <UsageTab reportId={report.id} />
      </Tabs.Panel>
    </Tabs>
  );
}
