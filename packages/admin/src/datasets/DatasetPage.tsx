import { Anchor, Button, List, Stack, Table, Tabs, Text, Title } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { ItemButtons } from '../items/ItemButtons.tsx';
import { CopyText } from '../kit/CopyText.tsx';
import { Loaded, Loading } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import { MissingRights } from '../reports/MissingRights.tsx';
import { NewReport } from '../reports/NewReport.tsx';
import { Origin } from '../reports/Origin.tsx';
import type { AdminDataset } from '../requests/datasets.ts';
import { useIdentity } from '../session/identity.ts';
import { useOrganizationId } from '../session/organization.ts';
import { useRights } from '../session/rights.ts';
import { NewDataButtons } from '../uploads/NewDataButtons.tsx';
import { SampleTable } from '../uploads/SampleTable.tsx';
import { UnreadableTexts } from '../uploads/UnreadableTexts.tsx';
import { DatasetWarnings } from './DatasetWarnings.tsx';
import { DatasetWorkspaces } from './DatasetWorkspaces.tsx';

const DefinitionTab = lazy(() =>
  import('../definition/DefinitionTab.tsx').then((module) => ({ default: module.DefinitionTab })),
);

const MetricsTab = lazy(() =>
  import('../builders/MetricsTab.tsx').then((module) => ({ default: module.MetricsTab })),
);

const RolesTab = lazy(() =>
  import('../builders/RolesTab.tsx').then((module) => ({ default: module.RolesTab })),
);

/** One dataset: its rows, fields, roles and reports, and its definition for administrators. */
export function DatasetPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { role } = useIdentity();
  const { datasetId = '' } = useParams();
  const dataset = useAnswer('readDataset', { organizationId, datasetId });
  const [isNew, setIsNew] = useState(false);
  // What is typed in a form stays while another tab is shown.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const rights = useRights();
  const isAdministrator = role === null || role === 1;
  return (
    <Page
      title={dataset.data?.name ?? formatMessage('datasets.dataset')}
      actions={
        dataset.data?.product === null && (
          <>
            {dataset.data.dataFiles && (
              <NewDataButtons dataset={dataset.data} files={dataset.data.dataFiles} />
            )}
            {rights?.canCreate && (
              <Button onClick={() => setIsNew(true)}>{formatMessage('reports.new')}</Button>
            )}
            <ItemButtons
              item={{ kind: 'dataset', id: dataset.data.id, name: dataset.data.name }}
              canCreate={isAdministrator}
              canEdit={isAdministrator}
              withRename
            />
          </>
        )
      }
    >
      <MissingRights of={['canCreate']} />
      {isNew && <NewReport datasetId={datasetId} onClose={() => setIsNew(false)} />}
      <Loaded query={dataset}>
        {(loaded) =>
          isAdministrator && loaded.product === null ? (
            <Tabs
              defaultValue="data"
              keepMounted={false}
              onChange={(tab) => setOpened((before) => new Set(before).add(tab ?? ''))}
            >
              <Tabs.List mb="lg">
                <Tabs.Tab value="data">{formatMessage('datasets.tab.data')}</Tabs.Tab>
                <Tabs.Tab value="metrics">{formatMessage('builder.tab.metrics')}</Tabs.Tab>
                <Tabs.Tab value="roles">{formatMessage('builder.tab.roles')}</Tabs.Tab>
                <Tabs.Tab value="definition">{formatMessage('reports.tab.definition')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="data">
                <DatasetData dataset={loaded} />
              </Tabs.Panel>
              <Tabs.Panel value="metrics" keepMounted={opened.has('metrics')}>
                <Suspense fallback={<Loading />}>
                  <MetricsTab dataset={loaded} />
                </Suspense>
              </Tabs.Panel>
              <Tabs.Panel value="roles" keepMounted={opened.has('roles')}>
                <Suspense fallback={<Loading />}>
                  <RolesTab dataset={loaded} />
                </Suspense>
              </Tabs.Panel>
              <Tabs.Panel value="definition">
                <Suspense fallback={<Loading />}>
                  <DefinitionTab kind="datasets" item={loaded} />
                </Suspense>
              </Tabs.Panel>
            </Tabs>
          ) : (
            <DatasetData dataset={loaded} />
          )
        }
      </Loaded>
    </Page>
  );
}

function DatasetData({ dataset }: { dataset: AdminDataset }) {
  const { formatMessage, formatNumber } = useFormats();
  const organizationId = useOrganizationId();
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        <CopyText value={dataset.id} label={formatMessage('datasets.id')} />
        {dataset.description !== null && <Text>{dataset.description}</Text>}
        <Origin item={dataset} />
      </Stack>
      <DatasetWarnings dataset={dataset} />
      {dataset.product === null && dataset.roles && <UnreadableTexts datasetId={dataset.id} />}
      {dataset.product === null && <SamplePart dataset={dataset} />}
      <Part title={formatMessage('datasets.reports')}>
        {dataset.reports.length === 0 ? (
          <Text c="dimmed">{formatMessage('datasets.no_reports')}</Text>
        ) : (
          <List>
            {dataset.reports.map(({ id, name }) => (
              <List.Item key={id}>
                <Anchor
                  component={Link}
                  href={`/organizations/${organizationId}/reports/${id}/edit`}
                >
                  {name}
                </Anchor>
              </List.Item>
            ))}
          </List>
        )}
      </Part>
      {dataset.roles && (
        <Part title={formatMessage('datasets.roles')}>
          <Text>
            {formatMessage(
              dataset.rowAccess === 'everyone' && dataset.roles.length === 0
                ? 'rows.everyone'
                : 'rows.by_role',
            )}
          </Text>
          {dataset.product !== null && (
            <Text size="sm" c="dimmed">
              {formatMessage('datasets.roles.product', { product: dataset.product })}{' '}
              <Anchor
                component={Link}
                href={`/organizations/${organizationId}/settings/platforms`}
                underline="always"
              >
                {formatMessage('platforms.title')}
              </Anchor>
            </Text>
          )}
          {dataset.roles.length > 0 && (
            <Table.ScrollContainer minWidth={280} maw={640}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{formatMessage('datasets.role')}</Table.Th>
                    <Table.Th ta="end">{formatMessage('holder.users')}</Table.Th>
                    <Table.Th ta="end">{formatMessage('holder.groups')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {dataset.roles.map(({ id, name, users, groups }) => (
                    <Table.Tr key={id}>
                      <Table.Td className="breakable">{name}</Table.Td>
                      <Table.Td ta="end">{formatNumber(users)}</Table.Td>
                      <Table.Td ta="end">{formatNumber(groups)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </Part>
      )}
      {dataset.workspaces && (
        <Part title={formatMessage('datasets.workspaces')}>
          <DatasetWorkspaces datasetId={dataset.id} workspaces={dataset.workspaces} />
        </Part>
      )}
      {dataset.fields.length > 0 && (
        <Part title={formatMessage('datasets.fields')}>
          <Names
            rows={dataset.fields.map(({ name, type, expression }) => [
              name,
              type,
              expression ?? '',
            ])}
          />
        </Part>
      )}
      {dataset.metrics.length > 0 && (
        <Part title={formatMessage('datasets.metrics')}>
          <Names rows={dataset.metrics.map(({ name, expression }) => [name, expression])} />
        </Part>
      )}
    </Stack>
  );
}

function SamplePart({ dataset }: { dataset: AdminDataset }) {
  const { formatMessage, formatNumber, formatDay } = useFormats();
  const organizationId = useOrganizationId();
  const sample = useAnswer('readSample', { organizationId, datasetId: dataset.id });
  return (
    <Part title={formatMessage('datasets.sample')}>
      <Loaded query={sample}>
        {(loaded) => (
          <>
            <Text size="sm" c="dimmed">
              {formatMessage('datasets.rows', { rows: formatNumber(loaded.rowCount) })}{' '}
              {loaded.dataAsOf !== null &&
                formatMessage('datasets.as_of', { time: formatDay(loaded.dataAsOf) })}
            </Text>
            <SampleTable sample={loaded} columns={dataset.fields} />
          </>
        )}
      </Loaded>
    </Part>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap="xs" component="section">
    <Title order={2} size="h4">
      {title}
    </Title>
    {children}
  </Stack>
);

function Names({ rows }: { rows: readonly (readonly string[])[] }) {
  return (
    <Table.ScrollContainer minWidth={360}>
      <Table>
        <Table.Tbody>
          {rows.map(([name, ...rest]) => (
            <Table.Tr key={name}>
              <Table.Td className="breakable">{name}</Table.Td>
              {rest.map((text, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- the cells keep their order
                <Table.Td key={index} className="breakable">
                  {text}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
