import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import type { AdminAnswer } from '../requests/endpoints.ts';
import type { PlatformSync, PowerbiConnection } from '../requests/platforms.ts';
import { openAdmin, refuse, type Answers } from '../test/open-admin.tsx';

// jsdom has no fonts.
vi.mock('page-kit/fonts', () => ({ addFonts: () => {} }));

const run = {
  id: 1,
  state: 'done',
  requestedBy: null,
  requestedAt: '2026-03-01T12:00:00Z',
  startedAt: '2026-03-01T12:00:00Z',
  endedAt: '2026-03-01T12:00:04.3Z',
  failure: null,
} as const;
const sync: PlatformSync = { ...run, changes: {}, notes: [], noteCount: 0 };

const connection: PowerbiConnection = {
  platform: 'powerbi',
  label: 'Power BI',
  connectedAt: '2026-03-01T11:00:00Z',
  tenant: '00000000-0000-4000-8000-000000000001',
  clientId: '00000000-0000-4000-8000-000000000002',
  cloud: 'gcc',
  username: 'id',
  customData: true,
  workspaces: [
    { id: '00000000-0000-4000-8000-000000000003', name: 'Shop', reports: 12 },
    { id: '00000000-0000-4000-8000-000000000004', name: null, reports: 0 },
  ],
  datasets: [
    { id: 'd1', name: 'Orders', rowAccess: 'by-role', roles: ['East', 'West'] },
    { id: 'd2', name: 'Costs', rowAccess: 'by-role', roles: [] },
    { id: 'd3', name: 'Dates', rowAccess: 'everyone', roles: [] },
  ],
  commands: { change: 'the change command', roles: 'the roles command' },
  check: null,
  syncs: [],
};

const platforms = (part: Partial<PowerbiConnection> = {}): AdminAnswer<'readPlatforms'> => ({
  command: 'the add command',
  variables: {
    secret: 'PORTAL_POWERBI_SECRET_ACME',
    certificate: 'PORTAL_POWERBI_CERTIFICATE_ACME',
  },
  connections: [{ ...connection, ...part }],
});

async function openPlatforms(answer: AdminAnswer<'readPlatforms'>, answers: Answers = {}) {
  const opened = await openAdmin('/settings/platforms', { readPlatforms: answer, ...answers });
  await screen.findByRole('heading', { name: 'Report platforms' });
  return opened;
}

const section = (name: string) => within(screen.getByRole('region', { name }));

it('an organization without a connection reads what an operator does', async () => {
  await openPlatforms({ ...platforms(), connections: [] });
  expect(await screen.findByText(/PORTAL_POWERBI_SECRET_ACME/)).toBeVisible();
  expect(screen.getByText('the add command')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
});

it('the connection is shown with the command that changes it', async () => {
  await openPlatforms(platforms());
  await screen.findByText(connection.tenant);
  expect(screen.getByText('the change command')).toBeVisible();
  expect(screen.getByText('US government (GCC)')).toBeVisible();
  expect(screen.getByRole('row', { name: /^Shop.*12$/ })).toBeVisible();
  expect(screen.getByRole('row', { name: /^No report yet.*0$/ })).toBeVisible();
  expect(screen.getByRole('row', { name: 'Orders East, West' })).toBeVisible();
  expect(screen.getByRole('row', { name: 'Costs Not named yet: nobody sees rows' })).toBeVisible();
  expect(screen.getByText('the roles command')).toBeVisible();
});

it('a check is requested, waited for and shown', async () => {
  const { answers, sent } = await openPlatforms(platforms(), { requestPlatformCheck: {} });
  expect(await section('Check').findByText('It has not run yet.')).toBeVisible();
  const waiting = {
    ...run,
    state: 'waiting',
    endedAt: null,
    requestedBy: 'ada@acme.example',
  } as const;
  answers.readPlatforms = platforms({ check: { ...waiting, findings: [] } });
  fireEvent.click(screen.getByRole('button', { name: 'Check now' }));
  expect(await section('Check').findByText(/^Requested by ada@acme.example/)).toBeVisible();
  expect(sent('requestPlatformCheck')).toEqual([{ platform: 'powerbi' }]);
  answers.readPlatforms = platforms({
    check: {
      ...run,
      findings: [
        { level: 'ok', text: 'sign-in works' },
        { level: 'error', text: 'workspace "Shop": Add it there as a member.' },
      ],
    },
  });
  await waitFor(() => expect(screen.getByText('Problem')).toBeVisible(), { timeout: 5_000 });
  expect(screen.getByText('workspace "Shop": Add it there as a member.')).toBeVisible();
});

it('synchronizations show who asked, how long they took, and what they changed', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Report ${index}`);
  await openPlatforms(
    platforms({
      syncs: [
        { ...sync, id: 3, state: 'failed', failure: 'The secret is wrong.' },
        {
          ...sync,
          id: 2,
          requestedBy: 'ada@acme.example',
          changes: {
            added: { count: 12, names },
            renamed: { count: 1, names: ['Old → New'] },
            gone: { count: 1, names: ['Costs'] },
          },
          notes: ['Report "Invoice" is not listed: it is paginated, and has no model.'],
          noteCount: 3,
        },
        { ...sync, id: 1 },
      ],
    }),
  );
  const syncs = section('Synchronizations');
  expect(
    await syncs.findByRole('row', { name: /the portal 4.3 s The secret is wrong/ }),
  ).toBeVisible();
  const row = within(syncs.getByRole('row', { name: /Renamed/ }));
  expect(row.getByText(/^New \(12\): Report 0, .*Report 9 …$/)).toBeVisible();
  expect(row.getByText('Renamed (1): Old → New')).toBeVisible();
  expect(row.getByText('Archived, no longer there (1): Costs')).toBeVisible();
  expect(syncs.getByRole('row', { name: /Nothing has changed/ })).toBeVisible();
  expect(syncs.getByText(/Invoice/)).toBeVisible();
  expect(syncs.getByText('And 2 more.')).toBeVisible();
});

it('a refused request is shown', async () => {
  await openPlatforms(platforms(), {
    requestPlatformSync: refuse(404, 'platform_not_connected', 'It is not connected.'),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Synchronize now' }));
  expect(await screen.findByText('It is not connected.')).toBeVisible();
});

it('a partly failed synchronization shows its cause, its changes and the reports that are not listed', async () => {
  const failure = 'The application does not see the workspace 1.';
  await openPlatforms(
    platforms({
      syncs: [
        {
          ...sync,
          id: 2,
          state: 'failed',
          failure,
          changes: { renamed: { count: 1, names: ['Old → New'] } },
          notes: ['Report "Invoice" is not listed: it is paginated, and has no model.'],
          noteCount: 1,
        },
        { ...sync, id: 1 },
      ],
    }),
  );
  const syncs = section('Synchronizations');
  const row = within(await syncs.findByRole('row', { name: /Renamed/ }));
  expect(row.getByText(failure)).toBeVisible();
  expect(row.getByText('Renamed (1): Old → New')).toBeVisible();
  expect(syncs.getByText(/Invoice/)).toBeVisible();
});
