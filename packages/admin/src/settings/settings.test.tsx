import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { AdminApiKey } from '../requests/api-keys.ts';
import type { EmbeddingSettings } from '../requests/organizations.ts';
import { openAdmin, organization, refuse, type Answers } from '../test/open-admin.tsx';

// jsdom has no fonts.
vi.mock('page-kit/fonts', () => ({ addFonts: () => {} }));

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('embedding', () => {
  const none = 'No address is registered.';
  const settings: EmbeddingSettings = {
    addresses: [],
    embedOrigins: ['https://app.acme.example'],
    publicUrl: 'https://portal.example',
  };
  const openEmbedding = (part: Partial<EmbeddingSettings>, answers: Answers = {}) =>
    openAdmin('/settings/embedding', {
      readEmbedding: { ...settings, ...part },
      findHolders: { holders: [] },
      findReports: { items: [], totalCount: 0, totalPages: 0, canCreate: true, canEdit: true },
      ...answers,
    });

  it('the addresses of the portal are listed, or said to be missing', async () => {
    await openEmbedding({ addresses: ['https://acme.portal.example'] });
    expect(await screen.findByText('https://acme.portal.example')).toBeVisible();
    expect(screen.queryByText(none, { exact: false })).toBeNull();
  });

  it('without origins, the page says what to do, and offers code for a developer’s machine', async () => {
    await openEmbedding({ embedOrigins: [] });
    expect(await screen.findByText(none, { exact: false })).toBeVisible();
    expect(screen.getByText(/^There are no embed origins yet/)).toBeVisible();
    expect(
      screen.getByText(/^Add http:\/\/localhost:3000 to the embed origins above/),
    ).toBeVisible();
  });

  it('an origin is added to the others and removed from them', async () => {
    const { answers, sent } = await openEmbedding(
      {},
      { changeEmbedOrigins: refuse(400, 'invalid_request', 'This is no origin.') },
    );
    const field = await screen.findByLabelText(/^Origin of an application/);
    expect(field.closest('[dir]')).toHaveAttribute('dir', 'ltr');
    fireEvent.change(field, { target: { value: ' https://b.example ' } });
    expect(screen.queryByText(/to the embed origins above/)).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    press('Add origin');
    expect(await screen.findByText('This is no origin.')).toBeVisible();
    answers.changeEmbedOrigins = settings;
    press('Add origin');
    expect(await screen.findByText('The embed origins are saved.')).toBeVisible();
    expect(screen.getByLabelText(/^Origin of an application/)).toHaveValue('');
    press('Remove https://app.acme.example');
    await waitFor(() => expect(sent('changeEmbedOrigins')).toHaveLength(3));
    expect(sent('changeEmbedOrigins').map(({ embedOrigins }) => embedOrigins)).toEqual([
      ['https://app.acme.example', 'https://b.example'],
      ['https://app.acme.example', 'https://b.example'],
      [],
    ]);
  });
});

describe('settings', () => {
  it.each([
    [true, null, 'Users sign in with a password.'],
    [true, 'x', 'Users sign in with the identity provider below, or with a password.'],
    [
      false,
      'x',
      'Users sign in only with the identity provider below. Passwords and invitations do not work.',
    ],
  ])(
    'with passwords %s and the provider %s, the page says how users sign in',
    async (passwords, issuer, text) => {
      const rest = { clientId: 'c', redirectUri: 'r', trustEmails: !passwords };
      const provider = issuer === null ? null : { issuer, ...rest };
      await openAdmin('/settings/sign-in', { readSignInSettings: { passwords, provider } });
      expect(await screen.findByText(text)).toBeVisible();
      expect(screen.queryAllByRole('heading', { name: 'Issuer', level: 2 })).toHaveLength(
        issuer ? 1 : 0,
      );
      for (const [name, value] of provider
        ? [
            ['Issuer', 'x'],
            ['Client id', 'c'],
            ['Redirect URI', 'r'],
          ]
        : [])
        expect(screen.getByRole('heading', { name: name! }).parentElement).toHaveTextContent(
          `${name}${value}Copy`,
        );
      expect(screen.queryAllByText(/^The e-mails of this provider are trusted/)).toHaveLength(
        passwords ? 0 : 1,
      );
      expect(screen.getByRole('link', { name: 'Your open sessions' })).toHaveAttribute(
        'href',
        '/admin/account',
      );
    },
  );

  it.each([
    ['', '', null, null],
    ['de', ' https://app.example ', 'de', 'https://app.example'],
  ])(
    'the language "%s" and the address "%s" are saved as %s and %s',
    async (typed, url, language, homeUrl) => {
      const settings = {
        ...organization,
        language: 'es',
        homeUrl: 'https://old.example',
        unappliedFilters: 'note' as const,
        accessLogDays: null,
        activityLogDays: null,
        languages: ['de', 'en', 'es'],
      };
      const { sent } = await openAdmin('/settings', {
        readSettings: settings,
        changeSettings: settings,
      });
      const field = await screen.findByLabelText('Language');
      expect([...field.children].map((option) => option.textContent)).toEqual([
        'English',
        'German',
        'Spanish',
      ]);
      fireEvent.change(field, { target: { value: typed } });
      fireEvent.change(screen.getByLabelText('Address of your application'), {
        target: { value: url },
      });
      fireEvent.click(screen.getByLabelText('Do not show the report'));
      press('Save');
      expect(await screen.findByText('The settings are saved.')).toBeVisible();
      expect(sent('changeSettings')).toEqual([
        {
          ...organization,
          id: undefined,
          slug: undefined,
          unappliedFilters: 'refuse',
          language,
          homeUrl,
        },
      ]);
    },
  );

  const unset = {
    ...organization,
    language: null,
    homeUrl: null,
    unappliedFilters: 'note' as const,
    accessLogDays: null,
    activityLogDays: 730,
    languages: ['de', 'en'],
  };

  it('without a language, the language field shows English; without an address, its field is empty', async () => {
    const { sent } = await openAdmin('/settings', { readSettings: unset, changeSettings: unset });
    expect(await screen.findByLabelText('Language')).toHaveDisplayValue('English');
    expect(screen.getByLabelText('Address of your application')).toHaveValue('');
    expect(screen.getByLabelText('Show the report with a note')).toBeChecked();
    expect(screen.queryByRole('alert')).toBeNull();
    press('Save');
    expect(await screen.findByText('The settings are saved.')).toBeVisible();
    expect(sent('changeSettings')).toMatchObject([{ language: null, homeUrl: null }]);
  });

  it('the fields show the settings of the organization, and an unchanged form saves them', async () => {
    const settings = {
      ...unset,
      timeZone: 'America/Sao_Paulo',
      language: 'de',
      homeUrl: 'https://app.example',
      unappliedFilters: 'refuse' as const,
    };
    const { sent } = await openAdmin('/settings', {
      readSettings: settings,
      changeSettings: settings,
    });
    expect(await screen.findByLabelText('Language')).toHaveDisplayValue('German');
    expect(screen.getByLabelText('Time zone')).toHaveValue('America/Sao_Paulo');
    expect(screen.getByLabelText('Address of your application')).toHaveValue('https://app.example');
    expect(screen.getByLabelText('Do not show the report')).toBeChecked();
    expect(screen.getByText(organization.id)).toBeVisible();
    expect(screen.getByText('The access log keeps all entries.')).toBeVisible();
    expect(screen.getByText('The activity log keeps entries for 730 days.')).toBeVisible();
    press('Save');
    expect(await screen.findByText('The settings are saved.')).toBeVisible();
    expect(sent('changeSettings')).toEqual([
      {
        name: 'Acme',
        timeZone: 'America/Sao_Paulo',
        language: 'de',
        homeUrl: 'https://app.example',
        unappliedFilters: 'refuse',
      },
    ]);
  });

  it('that are loaded again replace only the fields that nobody has changed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const { answers } = await openAdmin('/settings', { readSettings: unset });
    fireEvent.click(await screen.findByLabelText('Do not show the report'));
    fireEvent.change(screen.getByLabelText('Language'), { target: { value: 'de' } });
    answers.readSettings = { ...unset, name: 'Acme International' };
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    fireEvent(window, new Event('visibilitychange'));
    await waitFor(() => expect(screen.getByLabelText(/^Name/)).toHaveValue('Acme International'));
    expect(screen.getByLabelText('Do not show the report')).toBeChecked();
    expect(screen.getByLabelText('Language')).toHaveDisplayValue('German');
  });

  it('after a save, the fields show the settings as the portal saved them', async () => {
    await openAdmin('/settings', {
      readSettings: unset,
      changeSettings: { ...unset, name: 'Acme International' },
    });
    const name = await screen.findByLabelText(/^Name/);
    fireEvent.change(name, { target: { value: ' Acme International ' } });
    press('Save');
    expect(await screen.findByText('The settings are saved.')).toBeVisible();
    expect(name).toHaveValue('Acme International');
  });

  it('a refused save of the settings shows the reason', async () => {
    await openAdmin('/settings', {
      readSettings: unset,
      changeSettings: refuse(400, 'invalid_request', 'The name is too long.'),
    });
    await screen.findByLabelText('Language');
    press('Save');
    expect(await screen.findByText('The name is too long.')).toBeVisible();
  });

  it('a chosen logo and color are saved, and a refusal shows the reason', async () => {
    const appearance = { accentColor: '#0f6e56', look: {}, logo: '/logo.png' };
    const { answers, sent } = await openAdmin('/settings/appearance', {
      readAppearance: appearance,
      changeAppearance: refuse(400, 'invalid_request', 'The logo is no PNG file.'),
    });
    fireEvent.change(await screen.findByLabelText('Pick a color'), {
      target: { value: '#123456' },
    });
    fireEvent.change(document.querySelector('input[type=file]')!, {
      target: { files: [new File([new Uint8Array([0, 255, 62])], 'logo.png')] },
    });
    expect(screen.queryByRole('img', { name: 'The current logo' })).toBeNull();
    expect(screen.queryByText('This did not work')).toBeNull();
    press('Save');
    expect(await screen.findByText('The logo is no PNG file.')).toBeVisible();
    answers.changeAppearance = appearance;
    press('Save');
    expect(await screen.findByText('The settings are saved.')).toBeVisible();
    const request = { accentColor: '#123456', look: {}, logo: 'AP8+' };
    expect(sent('changeAppearance')).toEqual([request, request]);
  });

  it.each([
    ['#ffee00', 'This color is hard to read on white', 1],
    ['#0f6e56', 'This color is hard to read on a dark background', 1],
    ['banana', 'Write # and six digits', 0],
  ])(
    'the accent color %s has the remark "%s", and is saved %d times',
    async (color, text, times) => {
      const appearance = { accentColor: '#767676', look: {}, logo: null };
      const { sent } = await openAdmin('/settings/appearance', {
        readAppearance: appearance,
        changeAppearance: appearance,
      });
      fireEvent.change(await screen.findByLabelText(/^Accent color/), {
        target: { value: ` ${color} ` },
      });
      expect(screen.getByText(text, { exact: false })).toBeVisible();
      // A form that the browser submits loads the page again.
      const isLeftToBrowser = fireEvent.submit(document.querySelector('form')!);
      expect(isLeftToBrowser).toBe(false);
      if (times > 0) await screen.findByText('The settings are saved.');
      expect(sent('changeAppearance')).toEqual(times > 0 ? [{ accentColor: color, look: {} }] : []);
    },
  );

  it.each([
    ['#ffee00', ['white']],
    ['#0f6e56', ['a dark background']],
    ['#767676', ['a dark background']],
    ['#808080', ['white', 'a dark background']],
  ])('the accent color %s is called hard to read on %s', async (accentColor, surfaces) => {
    await openAdmin('/settings/appearance', {
      readAppearance: { accentColor, look: {}, logo: null },
    });
    await screen.findByRole('heading', { name: 'Preview' });
    const remarks = screen.queryAllByText(/^This color is hard to read on /);
    expect(remarks.map(({ textContent }) => textContent.split(/ on |,/)[1])).toEqual(surfaces);
  });

  it('without colors of its own, the preview has a number and a chart in the ten usual colors', async () => {
    await openAdmin('/settings/appearance', {
      readAppearance: { accentColor: '#0f6e56', look: {}, logo: null },
    });
    const look = within(await screen.findByRole('region', { name: 'Dark mode' }));
    expect(look.getByText('128,460')).toBeVisible();
    expect(look.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Region ${index + 1}`),
    );
  });

  it('the look of reports is previewed at once, and saved with what differs from the usual one', async () => {
    const appearance = { accentColor: '#0f6e56', look: { density: 'compact' }, logo: null };
    const { sent } = await openAdmin('/settings/appearance', {
      readAppearance: appearance,
      changeAppearance: appearance,
    });
    const choose = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    expect(await screen.findByLabelText('Density')).toHaveValue('compact');
    choose('Font', 'inter');
    choose('Corners', 'large');
    choose('Density', 'normal');
    choose('Colors of series', '#1a7f37, #0969da #bc4c00');
    const { style } = screen.getByRole('region', { name: 'Light mode' });
    expect(style.getPropertyValue('--radius')).toBe('14px');
    expect(style.getPropertyValue('--font')).toMatch(/^Inter/);
    expect(style.getPropertyValue('--series-2')).toContain('#0969da');
    press('Save');
    await waitFor(() => expect(sent('changeAppearance')).toHaveLength(1));
    expect(sent('changeAppearance')[0]).toEqual({
      accentColor: '#0f6e56',
      look: { font: 'inter', radius: 'large', palette: ['#1a7f37', '#0969da', '#bc4c00'] },
    });
  });

  it('colors are written from left to right on pages of each direction', async () => {
    await openAdmin('/settings/appearance', {
      readAppearance: { accentColor: '#0f6e56', look: {}, logo: null },
    });
    expect((await screen.findByLabelText(/^Accent color/)).closest('[dir]')).toHaveAttribute(
      'dir',
      'ltr',
    );
    expect(screen.getByLabelText('Colors of series').closest('[dir]')).toHaveAttribute(
      'dir',
      'ltr',
    );
  });

  it.each([
    ['#1a7f37 #0969da', 'Write 3 to 10 colors'],
    ['#1a7f37 #0969da blue', 'Write 3 to 10 colors'],
    ['#1a7f37 #0969da #0a6adb', 'tell #0969da – #0a6adb apart'],
    ['#b5651d #6b8e23 #0969da #b06a1e', 'tell '],
  ])('the palette %s is not saved: "%s"', async (palette, reason) => {
    const appearance = { accentColor: '#0f6e56', look: {}, logo: null };
    const { sent } = await openAdmin('/settings/appearance', { readAppearance: appearance });
    fireEvent.change(await screen.findByLabelText('Colors of series'), {
      target: { value: palette },
    });
    expect(screen.getByText(reason, { exact: false })).toBeVisible();
    press('Save');
    expect(sent('changeAppearance')).toEqual([]);
  });

  it('a logo is kept until it is removed', async () => {
    const appearance = { accentColor: '#0f6e56', look: {}, logo: '/logo.png' };
    const { sent } = await openAdmin('/settings/appearance', {
      readAppearance: appearance,
      changeAppearance: appearance,
    });
    await screen.findByRole('img', { name: 'The current logo' });
    press('Save');
    await screen.findByText('The settings are saved.');
    press('Remove logo');
    expect(screen.queryByRole('img', { name: 'The current logo' })).toBeNull();
    press('Save');
    await waitFor(() => expect(sent('changeAppearance')).toHaveLength(2));
    expect(sent('changeAppearance')).toEqual([
      { accentColor: '#0f6e56', look: {} },
      { accentColor: '#0f6e56', look: {}, logo: null },
    ]);
  });

  it('a saved logo becomes the current one, and is not sent again', async () => {
    const appearance = { accentColor: '#0f6e56', look: {}, logo: null };
    const { answers, sent } = await openAdmin('/settings/appearance', {
      readAppearance: appearance,
      changeAppearance: appearance,
    });
    await screen.findByRole('heading', { name: 'Preview' });
    fireEvent.change(document.querySelector('input[type=file]')!, {
      target: { files: [new File(['x'], 'logo.png')] },
    });
    answers.readAppearance = { ...appearance, logo: '/logo.png' };
    press('Save');
    expect(await screen.findByRole('img', { name: 'The current logo' })).toBeVisible();
    press('Save');
    await waitFor(() => expect(sent('changeAppearance')).toHaveLength(2));
    expect(sent('changeAppearance')[1]).toEqual({ accentColor: '#0f6e56', look: {} });
  });

  it('a key can be rotated and revoked while it works and has no successor', async () => {
    const key: AdminApiKey = {
      id: 'k1',
      name: 'Shop',
      permissions: ['identity:mint'],
      state: 'live',
      createdAt: '2026-03-01T12:00:00Z',
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      lastRefusedAt: null,
      replacedBy: null,
    };
    const keys: AdminApiKey[] = [
      key,
      {
        ...key,
        id: 'k2',
        name: 'Old',
        replacedBy: 'k1',
        expiresAt: '2026-12-31T12:00:00Z',
        lastUsedAt: '2026-03-01T12:00:00Z',
      },
      { ...key, id: 'k3', name: 'Gone', state: 'revoked' },
    ];
    const { sent } = await openAdmin('/settings/api-keys', {
      listApiKeys: { keys },
      rotateApiKey: { id: 'k4', key: 'the-new-key' },
      revokeApiKey: {},
    });
    await screen.findByText('Gone');
    expect(
      screen
        .getAllByRole('button', { name: / the key / })
        .map((button) => button.getAttribute('aria-label')),
    ).toEqual(['Rotate the key Shop', 'Revoke the key Shop', 'Revoke the key Old']);
    expect(screen.getByText('Gone').closest('tr')).toHaveTextContent(
      'Goneidentity:mintRevokedNeverNot yet',
    );
    const old = screen.getByText('Old').closest('tr')!;
    expect(old).toHaveTextContent(/^Oldidentity:mintActiveDec 31, 2026Mar 1, 2026/);
    expect(old.cells[3]).toHaveAttribute('title', expect.stringMatching(/12:00\sPM$/));
    press('Rotate the key Shop');
    await screen.findByRole('dialog');
    fireEvent.change(screen.getByLabelText('The old key works for another'), {
      target: { value: '168' },
    });
    press('Rotate');
    expect(await screen.findByText('the-new-key')).toBeVisible();
    const { keyId, oldWorksUntil } = sent('rotateApiKey')[0] as Record<string, string>;
    expect(keyId).toBe('k1');
    expect((Date.parse(oldWorksUntil!) - Date.now()) / 3_600_000).toBeCloseTo(168, 1);
    press('Revoke the key Old');
    fireEvent.click(await screen.findByLabelText('Keep the reports open that were opened with it'));
    press('Revoke');
    expect(await screen.findByText('The key Old is revoked.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('revokeApiKey')).toEqual([{ keyId: 'k2', keepSessions: true }]);
  });
});
