import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { setupSteps, type OrganizationOverview } from '../requests/organizations.ts';
import { administrator, openAdmin, organization, type Answers } from '../test/open-admin.tsx';

const contributor = { ...administrator, role: 2 as const };
const operator = { ...administrator, kind: 'operator' as const, role: null, organization: null };
const overview: OrganizationOverview = {
  done: [...setupSteps],
  days: { opened: [], refused: [] },
  weekStart: '2026-03-02T00:00:00.000Z',
  readers: { count: 0, before: 0, isMinimum: false },
  reports: { since: '2026-03-07T12:00:00Z', slow: [], failing: [] },
  lateData: [],
  keys: [],
  users: [],
};

describe('the overview', () => {
  const openOverview = (answers: Answers = {}) =>
    openAdmin('', {
      readOrganization: organization,
      readOverview: overview,
      ...answers,
    });

  it('the steps that are left are links, and the list is gone when all are done', async () => {
    const { home } = await openOverview({ readOverview: { ...overview, done: ['report'] } });
    const list = within(await screen.findByRole('region', { name: 'To do' }));
    expect(list.getByRole('heading', { level: 2 })).toBeVisible();
    expect(list.getByText('Add a report (done)').closest('a')).toBeNull();
    expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
      [
        'users',
        'groups',
        'settings/embedding',
        'settings/embedding',
        'settings/api-keys',
        'settings/embedding',
      ].map((path) => `${home}/${path}`),
    );
  });

  it('without anything to do, the overview says so', async () => {
    await openOverview();
    await screen.findByRole('img', { name: 'Refused requests by day: 0 in 0 days' });
    expect(screen.queryByRole('region', { name: 'To do' })).toBeNull();
    for (const text of [
      'No report has failed.',
      'No report has been opened.',
      'No dataset waits longer for new data than it usually does.',
      'No key and no user ends within 30 days.',
    ])
      expect(screen.getByText(text)).toBeVisible();
  });

  it('a number stands beside that of the 7 days before, and leads to its entries', async () => {
    const days = (counts: number[]) =>
      counts.map((count, index) => ({ day: `2026-02-${index + 10}`, count }));
    const before = [9, 100, 0, 0, 0, 0, 0, 0];
    const { home } = await openOverview({
      readOverview: {
        ...overview,
        days: {
          opened: days([...before, 0, 0, 0, 0, 0, 0, 150]),
          refused: days([...before, 0, 0, 0, 0, 0, 25, 25]),
        },
        readers: { count: 1_200, before: 1_200, isMinimum: false },
        users: [{ id: 'u1', email: 'west@acme.example', expiresAt: '2026-03-09T00:00:00Z' }],
      },
    });
    const read = async (name: RegExp) => {
      const link = await screen.findByRole('link', { name });
      return [link.textContent, link.getAttribute('href')!.replace(home, '')];
    };
    const entries = '/access-log?action=1&from=2026-03-02T00%3A00%3A00.000Z';
    expect(await read(/^Openings in/)).toEqual([
      'Openings in 7 days15050% more than in the 7 days before',
      entries,
    ]);
    expect(await read(/^Readers/)).toEqual([
      'Readers in 7 days1,200as in the 7 days before',
      entries,
    ]);
    expect(await read(/^Refused requests in/)).toEqual([
      'Refused requests in 7 days5050% fewer than in the 7 days before',
      '/activity-log?refused=true',
    ]);
    expect(await read(/^Ending/)).toEqual([
      'Ending within 30 days1Keys: 0 · Users: 1',
      '/users?expiry=soon',
    ]);
  });

  it('readers that were not all counted are a minimum', async () => {
    await openOverview({
      readOverview: { ...overview, readers: { count: 9, before: null, isMinimum: true } },
    });
    const link = await screen.findByRole('link', { name: /^Readers/ });
    expect(link.textContent).toBe('Readers in 7 daysat least 9');
  });

  it('slow and failing reports and late data are linked, with what is wrong', async () => {
    const { home } = await openOverview({
      readOverview: {
        ...overview,
        reports: {
          ...overview.reports,
          slow: [{ id: 'r1', name: 'Sales', medianMs: 4_321 }],
          failing: [{ id: 'r2', name: 'Costs', failures: 3, computations: 40 }],
        },
        lateData: [
          { id: 'd1', name: 'Orders', updatedAt: '2026-03-01T12:00:00Z', usualHours: 25 },
          { id: 'd2', name: 'Stock', updatedAt: '2026-03-07T12:00:00Z', usualHours: 2 },
        ],
      },
    });
    const read = async (name: string) => {
      const list = within(await screen.findByRole('region', { name }));
      return list
        .getAllByRole('listitem')
        .map((item) => [item.textContent, item.querySelector('a')!.getAttribute('href')]);
    };
    expect(await read('Slowest reports')).toEqual([
      ['Salesusually 4.3 s', `${home}/reports/r1/edit`],
    ]);
    expect(await read('Failing reports')).toEqual([
      ['Costs3 of 40 times', `${home}/reports/r2/edit`],
    ]);
    expect(await read('Late data')).toEqual([
      ['Orderslast on Mar 1, 2026, usually every day', `${home}/datasets/d1`],
      ['Stocklast on Mar 7, 2026, usually every 2 hours', `${home}/datasets/d2`],
    ]);
  });

  it('the sums of the charts link to the logs with the counted entries', async () => {
    const { home } = await openOverview();
    const links = await screen.findAllByRole('link', { name: /: 0 in 0 days$/ });
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      `${home}/access-log`,
      `${home}/activity-log?refused=true`,
    ]);
  });

  it('the administration opens the organization of its user, with its name and id', async () => {
    const { home } = await openAdmin('/admin', {
      readOrganization: organization,
      readOverview: overview,
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'Acme' })).toBeVisible();
    expect(location.pathname).toBe(home);
    expect(document.title).toBe('Acme · Portal administration');
    expect(screen.getByText(organization.id)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Account of Ada' })).toHaveAttribute(
      'href',
      '/admin/account',
    );
  });

  it('a browser whose languages have no texts shows those of the organization', async () => {
    const languages = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['ja']);
    onTestFinished(() => {
      languages.mockRestore();
      document.documentElement.lang = '';
    });
    await openOverview({
      readIdentity: { ...administrator, organization: { ...organization, language: 'pt-BR' } },
    });
    expect(
      await screen.findByRole('link', { name: 'Relatórios', hidden: true }),
    ).toBeInTheDocument();
    expect(document.documentElement.lang).toBe('pt');
  });

  it('keys and users that end soon are linked', async () => {
    const expiresAt = '2026-03-01T12:00:00Z';
    const { home } = await openOverview({
      readOverview: {
        ...overview,
        keys: [{ id: 'k1', name: 'Shop', expiresAt }],
        users: [{ id: 'u1', email: 'west@acme.example', expiresAt }],
      },
    });
    const list = within(await screen.findByRole('region', { name: 'Ends within 30 days' }));
    const items = list.getAllByRole('listitem');
    expect(
      items.map((item) => [item.textContent, item.querySelector('a')!.getAttribute('href')]),
    ).toEqual([
      ['ShopKey until Mar 1, 2026', `${home}/settings/api-keys`],
      ['west@acme.exampleUser until Mar 1, 2026', `${home}/users/u1`],
    ]);
  });

  it('a contributor sees workspaces instead, and gets no other page', async () => {
    const { home, sent } = await openOverview({
      readIdentity: contributor,
      listWorkspaces: { workspaces: [{ id: 'w1', name: 'Retail', reports: 1, contributors: [] }] },
    });
    const list = within(await screen.findByRole('region', { name: 'Workspaces' }));
    expect(list.getByRole('heading', { level: 2 })).toBeVisible();
    expect((await list.findByRole('listitem')).textContent).toBe('Retail1 report');
    expect(list.getByRole('link', { name: 'Open the reports' })).toHaveAttribute(
      'href',
      `${home}/reports`,
    );
    expect(sent('readOverview')).toEqual([]);
    expect(screen.getByRole('button', { name: 'Menu' })).toBeVisible();
    const entries = within(
      screen.getByRole('navigation', { name: 'Administration', hidden: true }),
    );
    expect(entries.getAllByRole('link', { hidden: true }).map((link) => link.textContent)).toEqual([
      'Overview',
      'Reports',
      'Datasets',
      'Archive',
    ]);
  });

  it('a contributor without workspaces is told whom to ask', async () => {
    await openOverview({ readIdentity: contributor, listWorkspaces: { workspaces: [] } });
    expect(await screen.findByText(/^You have no workspaces yet/)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Open the reports' })).toBeNull();
  });

  it('a page for administrators only is refused to a contributor without a request', async () => {
    const { sent } = await openAdmin('/users/u1', { readIdentity: contributor });
    expect(await screen.findByText('You have no access to this page')).toBeVisible();
    expect(sent('readUser')).toEqual([]);
  });

  it('the current page is marked in the navigation', async () => {
    await openAdmin('/settings/sign-in', {
      readSignInSettings: { passwords: true, provider: null },
    });
    await screen.findByText('Users sign in with a password.');
    const current = document.querySelectorAll('[aria-current=page]');
    expect([...current].map((link) => link.textContent)).toEqual(['Sign-in']);
  });

  it('an operator chooses an organization first, and the header says which one is open', async () => {
    const { sent } = await openAdmin('/admin', {
      readIdentity: operator,
      listOrganizations: { organizations: [organization] },
      readOrganization: organization,
      readOverview: overview,
    });
    const link = await screen.findByRole('link', { name: 'Acme' });
    expect(link).toHaveAttribute('href', `/admin/organizations/${organization.id}`);
    expect(link.closest('tr')).toHaveTextContent(/^Acmeacme$/);
    const header = within(screen.getByRole('banner'));
    expect(header.getByText('Portal administration')).toBeVisible();
    expect(header.queryByRole('link', { name: 'Organizations' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Menu' })).toBeNull();
    expect(sent('readOrganization')).toEqual([]);
    fireEvent.click(link);
    expect(await header.findByText('Acme')).toBeVisible();
    expect(header.getByRole('link', { name: 'Organizations' })).toHaveAttribute('href', '/admin/');
    expect(await screen.findAllByRole('link', { name: /: 0 in 0 days$/ })).toHaveLength(2);
    expect(screen.queryByRole('region', { name: 'Workspaces' })).toBeNull();
  });

  it('an address without a page says so', async () => {
    await openAdmin('/nothing', {});
    expect(await screen.findByText('There is no such page')).toBeVisible();
  });
});
