import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import type { ListedUser } from '../requests/users.ts';
import { openAdmin, refuse } from '../test/open-admin.tsx';

const users = ['Will', 'Wanda'].map((name) => ({
  id: name,
  name,
  email: `${name.toLowerCase()}@acme.example`,
})) as ListedUser[];
const [will] = users as [ListedUser];
const leads = { id: 'w1', name: 'Leads', reports: 1, contributors: [] };
const list = (items: ListedUser[]) => ({ items, totalCount: items.length, totalPages: 1 });

it('a workspace picker offers the contributors who are not in the workspace yet, and adds one', async () => {
  const { answers, sent } = await openAdmin('/workspaces', {
    listWorkspaces: { workspaces: [leads] },
    listUsers: ({ search }) => list(users.filter(({ email }) => email.includes(search ?? ''))),
    changeContributor: {},
  });
  const field = await screen.findByLabelText('Add a contributor to Leads');
  fireEvent.focus(field);
  const options = await screen.findAllByRole('option', { hidden: true });
  expect(options.map((option) => option.textContent)).toEqual([
    'Will (will@acme.example)',
    'Wanda (wanda@acme.example)',
  ]);
  answers.listWorkspaces = {
    workspaces: [{ ...leads, contributors: [{ ...will, isActive: true }] }],
  };
  fireEvent.click(options[0]!);
  expect(await screen.findByRole('button', { name: 'Remove Will' })).toBeVisible();
  expect(sent('changeContributor')).toEqual([
    { workspaceId: 'w1', userId: 'Will', isLinked: true },
  ]);
  fireEvent.change(field, { target: { value: 'will@' } });
  expect(await screen.findByText(/^No other workspace contributor matches/)).toBeInTheDocument();
  expect(screen.queryByRole('option', { hidden: true })).toBeNull();
});

it('a workspace is created, and a taken name is refused in the dialog', async () => {
  const { answers, sent } = await openAdmin('/workspaces', {
    listWorkspaces: { workspaces: [] },
    listUsers: list([]),
    createWorkspace: refuse(409, 'conflict', 'Another workspace has this name.'),
  });
  await screen.findByText('No workspaces');
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(screen.getAllByRole('button', { name: 'New workspace' })[0]!);
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value: 'Leads' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await dialog.findByText('Another workspace has this name.')).toBeVisible();
  answers.createWorkspace = { id: 'w1' };
  answers.listWorkspaces = { workspaces: [leads] };
  fireEvent.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await screen.findByRole('heading', { name: 'Leads' })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent('createWorkspace')).toEqual([{ name: 'Leads' }, { name: 'Leads' }]);
});

it('a workspace without reports can be deleted, and one that got a report meanwhile says why not', async () => {
  const { answers, sent } = await openAdmin('/workspaces', {
    listWorkspaces: { workspaces: [leads, { ...leads, id: 'w2', name: 'Retail', reports: 0 }] },
    listUsers: list([]),
    deleteWorkspace: refuse(409, 'conflict', 'The workspace has reports.'),
  });
  const button = await screen.findByRole('button', { name: 'Delete Retail' });
  expect(screen.queryByRole('button', { name: 'Delete Leads' })).toBeNull();
  fireEvent.click(button);
  expect(await screen.findByText('The workspace has reports.')).toBeVisible();
  answers.deleteWorkspace = {};
  answers.listWorkspaces = { workspaces: [leads] };
  fireEvent.click(button);
  expect(await screen.findByText('The workspace Retail is deleted.')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Retail' })).toBeNull();
  expect(sent('deleteWorkspace')).toEqual([{ workspaceId: 'w2' }, { workspaceId: 'w2' }]);
});
