import { Anchor, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconCircleDashed from '@tabler/icons-react/icons/IconCircleDashed';
import { Link } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { CopyText } from '../kit/CopyText.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { DayChart } from '../logs/DayChart.tsx';
import { useFormats } from '../messages/messages.ts';
import { setupSteps, type OrganizationOverview } from '../requests/organizations.ts';
import { useIdentity } from '../session/identity.ts';
import { useOrganizationId } from '../session/organization.ts';
import { UploadButton } from '../uploads/UploadButton.tsx';
import { Figures } from './Figures.tsx';
import { Lists } from './Lists.tsx';

/** The page of each step of a new organization. */
const pages = {
  report: '/reports',
  user: '/users',
  access: '/groups',
  address: '/settings/embedding',
  embedOrigin: '/settings/embedding',
  apiKey: '/settings/api-keys',
  opened: '/settings/embedding',
} as const;

/** The first page of an organization. */
export function OverviewPage() {
  const { formatMessage } = useFormats();
  const { role } = useIdentity();
  const organizationId = useOrganizationId();
  const organization = useAnswer('readOrganization', { organizationId });
  const isAdministrator = role === null || role === 1;
  return (
    <Page
      title={organization.data?.name ?? formatMessage('nav.home')}
      actions={isAdministrator && <UploadButton />}
    >
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {formatMessage('overview.id')}
        </Text>
        <CopyText value={organizationId} label={formatMessage('overview.id')} />
      </Stack>
      {isAdministrator ? <Administration /> : <Workspaces />}
    </Page>
  );
}

function Administration() {
  const organizationId = useOrganizationId();
  const overview = useAnswer('readOverview', { organizationId });
  return (
    <Loaded query={overview}>
      {(answer) => (
        <>
          {answer.done.length < setupSteps.length && <Checklist {...answer} />}
          <Figures overview={answer} />
          <Charts {...answer} />
          <Lists overview={answer} />
        </>
      )}
    </Loaded>
  );
}

function Charts({ days: { opened, refused } }: Pick<OrganizationOverview, 'days'>) {
  const { formatMessage } = useFormats();
  const base = `/organizations/${useOrganizationId()}`;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <div className="card card-content">
        <DayChart
          days={opened}
          label={formatMessage('access_log.chart')}
          href={`${base}/access-log`}
        />
      </div>
      <div className="card card-content">
        <DayChart
          days={refused}
          label={formatMessage('overview.refused')}
          href={`${base}/activity-log?refused=true`}
        />
      </div>
    </SimpleGrid>
  );
}

/** The workspaces whose reports a contributor may arrange. */
function Workspaces() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const workspaces = useAnswer('listWorkspaces', { organizationId });
  return (
    <Loaded query={workspaces}>
      {({ workspaces: list }) => (
        <Stack
          gap="xs"
          component="section"
          aria-labelledby="workspaces"
          className="card card-content"
        >
          <Title order={2} size="h4" id="workspaces">
            {formatMessage('workspaces.title')}
          </Title>
          {list.length === 0 ? (
            <Text c="dimmed">{formatMessage('overview.no_workspaces')}</Text>
          ) : (
            <>
              <List spacing={4}>
                {list.map(({ id, name, reports }) => (
                  <List.Item key={id} className="breakable">
                    {name}
                    <Text size="sm" c="dimmed">
                      {formatMessage('workspaces.reports', { count: reports })}
                    </Text>
                  </List.Item>
                ))}
              </List>
              <Anchor component={Link} href={`/organizations/${organizationId}/reports`}>
                {formatMessage('overview.arrange')}
              </Anchor>
            </>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function Checklist({ done }: Pick<OrganizationOverview, 'done'>) {
  const { formatMessage } = useFormats();
  const base = `/organizations/${useOrganizationId()}`;
  return (
    <Stack gap="xs" component="section" aria-labelledby="checklist" className="card card-content">
      <Title order={2} size="h4" id="checklist">
        {formatMessage('overview.checklist')}
      </Title>
      <List type="ordered" listStyleType="none" spacing={6} center>
        {setupSteps.map((step) => {
          const isDone = done.includes(step);
          const StepIcon = isDone ? IconCircleCheck : IconCircleDashed;
          return (
            <List.Item key={step} icon={<StepIcon size={18} aria-hidden />}>
              {isDone ? (
                <Text span c="dimmed">
                  {formatMessage('overview.done', { step: formatMessage(`overview.step.${step}`) })}
                </Text>
              ) : (
                <Anchor component={Link} href={base + pages[step]}>
                  {formatMessage(`overview.step.${step}`)}
                </Anchor>
              )}
            </List.Item>
          );
        })}
      </List>
    </Stack>
  );
}
