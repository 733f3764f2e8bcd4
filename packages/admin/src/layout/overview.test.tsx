import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { setupSteps } from '../requests/organizations.ts';
import { administrator, openAdmin, organization, type Answers } from '../test/open-admin.tsx';

const contributor = { ...administrator, role: 2 as const };
const operator = { ...administrator, kind: 'operator' as const, role: null, organization: null };
const counts = { opened: [], refused: [] };

describe('the overview', () => {
  const overview = { done: [...setupSteps], keys: [], users: [] };
  const openOverview = (answers: Answers = {}) =>
    openAdmin('', {
      readOrganization: organization,
      readOverview: overview,
      countAccess: counts,
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

  it('without open steps and expiring access, the overview has no lists', async () => {
    await openOverview();
    await screen.findByRole('img', { name: 'Refused requests by day: 0 in 0 days' });
    expect(screen.queryByRole('region', { name: 'To do' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Ends within 30 days' })).toBeNull();
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
      countAccess: counts,
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
    expect(
      list.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['Shop: Mar 1, 2026', `${home}/settings/api-keys`],
      ['west@acme.example: Mar 1, 2026', `${home}/users/u1`],
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
      countAccess: counts,
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
