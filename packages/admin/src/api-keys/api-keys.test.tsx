import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import { keyPermissions, type AdminApiKey } from '../requests/api-keys.ts';
import { openAdmin, refuse, type Answers } from '../test/open-admin.tsx';

/** Opens the dialog for a new key. */
async function openCreate(answers: Answers = {}) {
  const page = await openAdmin('/settings/api-keys', {
    listApiKeys: { keys: [] },
    createApiKey: { id: 'k1', key: 'the-new-key' },
    ...answers,
  });
  await screen.findByText('There are no keys yet');
  fireEvent.click(screen.getAllByRole('button', { name: 'Create a key' })[0]!);
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a key' }));
  return {
    ...page,
    dialog,
    name: (value: string) =>
      fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value } }),
    toggle: (permission: string) =>
      fireEvent.click(dialog.getByRole('checkbox', { name: permission })),
    create: () => fireEvent.click(dialog.getByRole('button', { name: 'Create key' })),
  };
}

it('a key is created with the chosen permissions, shown once, and copied', async () => {
  const writeText = vi.fn(async () => {});
  // Another test may have left a getter.
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'clipboard'));
  const { dialog, name, toggle, create, sent } = await openCreate();
  expect(dialog.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).value)).toEqual(
    keyPermissions,
  );
  expect(dialog.getByRole('checkbox', { checked: true })).toHaveAccessibleName('identity:mint');
  name('Nightly import');
  toggle('users:read');
  toggle('identity:mint');
  create();
  expect(await screen.findByText('the-new-key')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent('createApiKey')).toMatchObject([
    { name: 'Nightly import', permissions: ['users:read'] },
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Copy API key' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible();
  expect(writeText).toHaveBeenCalledExactlyOnceWith('the-new-key');
  fireEvent.click(
    within(screen.getByText('The key is created').closest<HTMLElement>('[role=alert]')!).getByRole(
      'button',
      { name: 'Close' },
    ),
  );
  expect(screen.queryByText('the-new-key')).toBeNull();
});

it.each([
  ['In 365 days', 365],
  ['In 90 days', 90],
  ['In 30 days', 30],
  ['Never', null],
])('a key that expires "%s" is sent with that time', async (label, days) => {
  const { dialog, name, create, sent } = await openCreate();
  name('Shop');
  const field = dialog.getByLabelText<HTMLSelectElement>('Expires');
  expect(field.selectedOptions[0]).toHaveTextContent('In 365 days');
  const { value } = dialog.getByRole<HTMLOptionElement>('option', { name: label });
  fireEvent.change(field, { target: { value } });
  create();
  await screen.findByText('the-new-key');
  const { expiresAt } = sent('createApiKey')[0] as { expiresAt: string | null };
  const left = expiresAt && Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
  expect(left).toBe(days);
});

it('a key needs a permission', async () => {
  const { dialog, toggle } = await openCreate();
  toggle('identity:mint');
  expect(dialog.getByText('Choose at least one permission.')).toBeVisible();
  toggle('users:write');
  expect(dialog.queryByText('Choose at least one permission.')).toBeNull();
});

it.each([
  ['content:write', /^With content:write, a key can show any row/],
  ['administrators:write', /^With administrators:write, a key can create users who administer/],
])('a key with %s warns', async (permission, warning) => {
  const { dialog, toggle } = await openCreate();
  toggle('users:write');
  expect(dialog.queryByRole('alert')).toBeNull();
  toggle(permission);
  expect(dialog.getByRole('alert')).toHaveTextContent(warning);
  toggle(permission);
  expect(dialog.queryByRole('alert')).toBeNull();
});

it('a key that is refused says why in its dialog, and no key is shown', async () => {
  const { dialog, name, create } = await openCreate({
    createApiKey: refuse(409, 'conflict', 'There are too many keys.'),
  });
  name('Shop');
  create();
  expect(await dialog.findByText('There are too many keys.')).toBeVisible();
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Create key' })).toBeEnabled());
  expect(screen.queryByText('The key is created')).toBeNull();
});

it('a refused rotation or revocation shows the reason in its dialog; a rotated key works for 24 hours by default', async () => {
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
  const { sent } = await openAdmin('/settings/api-keys', {
    listApiKeys: { keys: [key] },
    rotateApiKey: refuse(409, 'conflict', 'The key has a successor.'),
    revokeApiKey: refuse(409, 'conflict', 'The key is revoked already.'),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Rotate the key Shop' }));
  const rotation = within(await screen.findByRole('dialog', { name: 'Rotate the key Shop' }));
  expect(rotation.getByLabelText('The old key works for another')).toHaveDisplayValue('24 hours');
  fireEvent.click(rotation.getByRole('button', { name: 'Rotate' }));
  expect(await rotation.findByText('The key has a successor.')).toBeVisible();
  const { oldWorksUntil } = sent('rotateApiKey')[0] as { oldWorksUntil: string };
  expect((Date.parse(oldWorksUntil) - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
  fireEvent.click(rotation.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Revoke the key Shop' }));
  const question = within(await screen.findByRole('dialog', { name: 'Revoke the key Shop' }));
  fireEvent.click(question.getByRole('button', { name: 'Revoke' }));
  expect(await question.findByText('The key is revoked already.')).toBeVisible();
});
