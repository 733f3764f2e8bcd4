import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { openAdmin, organization, refuse, type Answers } from '../test/open-admin.tsx';

const settings = {
  addresses: ['https://acme.reports.example'],
  embedOrigins: ['https://shop.acme.test:8080', 'https://second.acme.test'],
  publicUrl: 'https://reports.example',
};
const west = { kind: 'user', id: 'u1', name: 'West', email: 'west@acme.example' } as const;
const east = { kind: 'user', id: 'u2', name: 'East', email: 'east@acme.example' } as const;
const sales = {
  id: 'r1',
  name: 'Sales',
  workspaceName: 'Retail',
  readers: 1,
  lastOpenedAt: null,
  product: null,
};

async function openEmbedding(answers: Answers = {}) {
  const page = await openAdmin('/settings/embedding', {
    readEmbedding: settings,
    findHolders: { holders: [west, east] },
    findReports: { items: [sales], totalCount: 1, totalPages: 1, canCreate: true, canEdit: true },
    ...answers,
  });
  await screen.findByRole('heading', { name: 'Test' });
  return page;
}

/** Opens a field, and chooses an item of its list. */
async function choose(label: string, name: string | RegExp) {
  const field = screen.getByRole('combobox', { name: label });
  fireEvent.focus(field);
  fireEvent.click(field);
  fireEvent.click(await screen.findByRole('option', { name, hidden: true }));
}

it('each section of the page has the name of its heading', async () => {
  await openEmbedding();
  const headings = screen.getAllByRole('heading', { level: 2 });
  expect(headings.length).toBeGreaterThan(2);
  for (const { textContent } of headings)
    expect(screen.getByRole('region', { name: textContent })).toBeVisible();
});

describe('the code for an application', () => {
  const readCode = () =>
    [...document.querySelectorAll('section[aria-label] pre')].map((each) => each.textContent);

  it.each(['Express', 'Next.js', 'Hono', 'Fastify', 'Fetch handler'])(
    'the code for %s has the values of the organization, and none of the guide',
    async (server) => {
      await openEmbedding();
      const label = 'Your server';
      if (server !== 'Express') await choose(label, server);
      expect(screen.getByRole('combobox', { name: label })).toHaveValue(server);
      expect(screen.queryAllByRole('combobox', { name: 'Your page' })).toHaveLength(
        server === 'Next.js' ? 0 : 1,
      );
      const code = readCode().join('\n');
      for (const value of [
        organization.id,
        settings.addresses[0],
        settings.publicUrl,
        'shop.acme.test',
      ])
        expect(code).toContain(`'${value}'`);
      expect(code).not.toMatch(/portal\.example|app\.acme\.example|user@acme\.example/);
    },
  );

  it('each server has code of its own', async () => {
    const { home } = await openEmbedding();
    expect(screen.getByRole('link', { name: 'Create an API key' })).toHaveAttribute(
      'href',
      `${home}/settings/api-keys`,
    );
    const codes = new Set([readCode().join('\n')]);
    for (const server of ['Next.js', 'Hono', 'Fastify', 'Fetch handler']) {
      await choose('Your server', server);
      codes.add(readCode().join('\n'));
    }
    expect(codes.size).toBe(5);
  });

  it('the code of the chosen page is shown, except for Next.js, which serves its own', async () => {
    await openEmbedding();
    expect(readCode().join('\n')).toContain('<portal-embed');
    await choose('Your page', 'React');
    expect(readCode().join('\n')).toContain('<PortalEmbed');
    expect(readCode().join('\n')).not.toContain('<portal-embed');
    await choose('Your page', 'Plain HTML');
    await choose('Your server', 'Next.js');
    expect(readCode().join('\n')).not.toContain('<portal-embed');
  });

  it('the code has the chosen origin, and an origin that may not frame the portal is named', async () => {
    await openEmbedding();
    const unlisted = /^Add http:\/\/localhost:3000 to the embed origins above/;
    await choose('Origin of your application', 'https://second.acme.test');
    expect(readCode().join('\n')).toContain(`'second.acme.test'`);
    expect(screen.queryByText(unlisted)).toBeNull();
    await choose('Origin of your application', 'http://localhost:3000');
    expect(screen.getByText(unlisted)).toBeVisible();
    expect(readCode().join('\n')).not.toContain('second.acme.test');
  });

  it('without an address of its own, the organization’s code has that of the portal', async () => {
    await openEmbedding({ readEmbedding: { ...settings, addresses: [] } });
    expect(readCode().join('\n')).toContain(`'${settings.publicUrl}'`);
    expect(readCode().join('\n')).not.toContain('acme.reports.example');
  });
});

describe('a test of the embedding', () => {
  const url = 'https://acme.reports.example/identity/once';
  const open = () => screen.getByRole('button', { name: 'Open as this user' });

  it('the portal is opened in a frame for the chosen user and report', async () => {
    const { sent } = await openEmbedding({ testMint: { url, isFrameable: true } });
    expect(open()).toBeDisabled();
    await choose('User', 'West (west@acme.example)');
    expect(screen.getByRole('combobox', { name: 'User: West' })).toBeVisible();
    await choose('All reports', 'Sales');
    expect(screen.getByRole('combobox', { name: 'Sales' })).toBeVisible();
    expect(sent('testMint')).toEqual([]);
    fireEvent.click(open());
    expect(await screen.findByTitle('The portal as West')).toHaveAttribute('src', url);
    expect(screen.queryByText('This did not work')).toBeNull();
    // Without these rights, the portal in the frame does not start or cannot read its session.
    const rights = screen.getByTitle('The portal as West').getAttribute('sandbox')!.split(' ');
    expect(rights).toEqual(expect.arrayContaining(['allow-scripts', 'allow-same-origin']));
    expect(sent('testMint')).toEqual([{ userId: 'u1', reportId: 'r1' }]);
  });

  it('an open portal keeps the name of its user while another user is chosen', async () => {
    await openEmbedding({ testMint: { url, isFrameable: true } });
    await choose('User', 'West (west@acme.example)');
    fireEvent.click(open());
    await screen.findByTitle('The portal as West');
    await choose('User: West', 'East (east@acme.example)');
    expect(screen.getByRole('combobox', { name: 'User: East' })).toBeVisible();
    expect(screen.getByTitle('The portal as West')).toBeVisible();
  });

  it('without a report, the whole portal is opened, behind a link if it cannot be framed', async () => {
    const { sent } = await openEmbedding({ testMint: { url, isFrameable: false } });
    await choose('User', 'West (west@acme.example)');
    fireEvent.click(open());
    const link = await screen.findByRole('link', { name: 'Open the portal' });
    expect(link).toHaveAttribute('href', url);
    expect(link).toHaveAttribute('target', '_blank');
    expect(screen.queryByTitle('The portal as West')).toBeNull();
    expect(sent('testMint')).toEqual([{ userId: 'u1' }]);
  });

  it('the field for the report searches the typed text', async () => {
    const { sent } = await openEmbedding();
    fireEvent.change(screen.getByRole('combobox', { name: 'All reports' }), {
      target: { value: 'sal' },
    });
    await waitFor(() => expect(sent('findReports')).toContainEqual({ search: 'sal' }));
  });

  it('a test that the portal refuses says why, and opens nothing', async () => {
    await openEmbedding({
      testMint: refuse(403, 'report_not_accessible', 'The user may not open this report.'),
    });
    await choose('User', 'West (west@acme.example)');
    fireEvent.click(open());
    expect(await screen.findByText('The user may not open this report.')).toBeVisible();
    await waitFor(() => expect(open()).toBeEnabled());
    expect(screen.queryByTitle('The portal as West')).toBeNull();
  });
});
