import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { UserDetails } from '../requests/users.ts';
import { openAdmin, refuse, type Answers } from '../test/open-admin.tsx';
import { userDetails } from '../test/user-details.ts';

const none = { items: [], totalCount: 0, totalPages: 0 };
const user: UserDetails = {
  ...userDetails,
  email: 'cora@acme.example',
  name: 'Cora',
  role: 1,
  expirationDate: null,
  canEditReport: true,
  canCreateReport: true,
  canOverwriteReport: true,
};
const answersOfUser: Answers = {
  readUser: user,
  listUsers: none,
  listCompanies: {
    companies: [
      { id: 'c1', name: 'Globex', users: 0 },
      { id: 'c2', name: 'Initech', users: 0 },
    ],
  },
  searchReports: { items: [] },
  listGroups: none,
  searchRoles: { items: [] },
};
const button = (name: string) => screen.getByRole('button', { name });
const press = (name: string) => fireEvent.click(button(name));
const enter = (element: Element) => fireEvent.keyDown(element, { key: 'Enter', code: 'Enter' });

/** The open list of a field. The page has other lists with the same options. */
const findList = (field: HTMLElement) =>
  waitFor(() => {
    const list = document.getElementById(field.getAttribute('aria-controls') ?? 'none');
    expect(list).not.toBeNull();
    return list!;
  });

async function openUser(answers: Answers = {}) {
  const page = await openAdmin('/users/u1', { ...answersOfUser, ...answers });
  await screen.findByLabelText('Department');
  return page;
}

describe('a new user', () => {
  /** Opens the dialog with the e-mail and the name of a user. */
  const openNew = async (answers: Answers = {}) => {
    const page = await openAdmin('/users', {
      ...answersOfUser,
      createUser: { id: 'u1' },
      ...answers,
    });
    const opener = await screen.findByRole('button', { name: 'New user' });
    opener.focus();
    fireEvent.click(opener);
    const dialog = within(await screen.findByRole('dialog'));
    const type = (label: string | RegExp, value: string) =>
      fireEvent.change(dialog.getByLabelText(label), { target: { value } });
    type(/^E-mail/, 'cora@acme.example');
    type(/^Name/, 'Cora');
    return { ...page, opener, dialog, type };
  };

  it('a user is created with the reports that Enter chose, without those that were removed', async () => {
    const reports = ['Orders', 'Costs', 'Sales'].map((name) => ({
      id: name.toLowerCase(),
      name,
      workspaceName: 'Retail',
    }));
    const { dialog, type, sent } = await openNew({
      searchReports: ({ search }) => ({
        items: reports.filter(({ name }) => name.toLowerCase().includes(search ?? '')),
      }),
    });
    const field = dialog.getByRole('combobox', { name: 'Reports' });
    fireEvent.focus(field);
    for (const name of ['Orders', 'Costs', 'Sales']) {
      type('Reports', name.toLowerCase());
      await waitFor(() => expect(field).toHaveAttribute('aria-activedescendant'));
      enter(field);
      expect(await dialog.findByRole('button', { name: `Remove ${name}` })).toBeVisible();
    }
    fireEvent.click(dialog.getByRole('button', { name: 'Remove Costs' }));
    expect(field).toHaveFocus();
    expect(sent('createUser')).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Create user' }));
    expect(await screen.findByText('Cora was created.')).toBeVisible();
    expect(sent('createUser')).toEqual([
      {
        email: 'cora@acme.example',
        name: 'Cora',
        role: 3,
        reports: ['orders', 'sales'],
        roles: [],
      },
    ]);
  });

  it.each([
    ['Viewer', '/users'],
    ['Administrator', '/users/u1'],
  ])('after a new user with the role %s, the page %s is open', async (role, path) => {
    const { dialog, home } = await openNew();
    const field = dialog.getByRole('combobox', { name: 'Role' });
    fireEvent.click(field);
    fireEvent.click(
      within(await findList(field)).getByRole('option', { name: role, hidden: true }),
    );
    fireEvent.click(dialog.getByRole('button', { name: 'Create user' }));
    await screen.findByText('Cora was created.');
    await waitFor(() => expect(location.pathname).toBe(home + path));
    if (path === '/users') return;
    expect(await screen.findByRole('heading', { level: 1, name: 'Cora' })).toBeVisible();
    expect(button('Invite to the administration')).toBeVisible();
  });

  it.each(['Escape', 'Enter'])(
    '%s closes the dialog and returns the focus to its button',
    async (key) => {
      const { dialog, opener, sent } = await openNew();
      const field = dialog.getByLabelText(/^Name/);
      field.focus();
      // jsdom does not submit a form on Enter.
      if (key === 'Enter') fireEvent.submit(field.closest('form')!);
      else fireEvent.keyDown(field, { key });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(opener).toHaveFocus();
      expect(sent('createUser')).toHaveLength(key === 'Enter' ? 1 : 0);
    },
  );
});

describe('the fields of a user', () => {
  const type = (value: string) =>
    fireEvent.change(screen.getByLabelText('Department'), { target: { value } });
  const save = async () => {
    await waitFor(() => expect(button('Save')).toBeEnabled());
    press('Save');
  };

  it('typed values stay when someone else has saved the user, until they are discarded', async () => {
    const { answers, sent } = await openUser({ updateUser: refuse(409, 'stale_version') });
    type('Mine');
    answers.readUser = { ...user, version: 'v2', department: 'Theirs' };
    await save();
    expect(await screen.findByText(/^Someone else has changed this/)).toBeVisible();
    await waitFor(() => expect(sent('readUser')).toHaveLength(2));
    expect(screen.getByLabelText('Department')).toHaveValue('Mine');
    answers.updateUser = {};
    press('Discard and load the current version');
    await waitFor(() => expect(screen.getByLabelText('Department')).toHaveValue('Theirs'));
    expect(screen.queryByText(/^Someone else has changed this/)).toBeNull();
    type('Mine');
    await save();
    expect(await screen.findByText('Saved.')).toBeVisible();
    expect(sent('updateUser').map(({ version, department }) => [version, department])).toEqual([
      ['v1', 'Mine'],
      ['v2', 'Mine'],
    ]);
  });

  it('are disabled while they are saved', async () => {
    let answer!: (response: Response) => void;
    const answered = new Promise<Response>((resolve) => (answer = resolve));
    await openUser({ updateUser: () => answered });
    type('Purchase');
    await save();
    await waitFor(() => expect(screen.getByLabelText('Department')).toBeDisabled());
    answer(Response.json({}));
    expect(await screen.findByText('Saved.')).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('Department')).toBeEnabled());
    expect(screen.getByLabelText('Department')).toHaveValue('Purchase');
  });

  it('the companies of a user are searched, chosen with Enter, and saved with those before', async () => {
    const { sent } = await openUser({ readUser: { ...user, companies: ['c1'] }, updateUser: {} });
    const field = screen.getByRole('combobox', { name: 'Companies' });
    await screen.findAllByText('Globex');
    fireEvent.click(field);
    fireEvent.change(field, { target: { value: 'ini' } });
    const list = within(await findList(field));
    await waitFor(() => expect(list.getAllByRole('option', { hidden: true })).toHaveLength(1));
    enter(field);
    await save();
    expect(await screen.findByText('Saved.')).toBeVisible();
    expect(sent('updateUser')).toMatchObject([{ companies: ['c1', 'c2'] }]);
  });
});

describe('the actions for a user', () => {
  it('a refused invitation shows the reason, and a created one its link until the dialog closes', async () => {
    const url = 'https://admin.acme.example/admin/invitation#once';
    const { answers, sent } = await openUser({
      inviteToAdministration: refuse(409, 'conflict', 'The user has a password.'),
    });
    press('Invite to the administration');
    expect(await screen.findByText('The user has a password.')).toBeVisible();
    expect(screen.queryByText(/^Send this link/)).toBeNull();
    press('Close');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    answers.inviteToAdministration = { url };
    press('Invite to the administration');
    await waitFor(() => expect(screen.getByText(url)).toBeVisible());
    expect(screen.queryByText('This did not work')).toBeNull();
    expect(screen.getByText(/^Send this link to cora@acme.example/)).toBeVisible();
    expect(sent('inviteToAdministration')).toEqual([{ userId: 'u1' }, { userId: 'u1' }]);
    press('Close');
    await waitFor(() => expect(screen.queryByText(url)).toBeNull());
  });

  it('a user is deleted after a question', async () => {
    const { sent, home } = await openUser({ deleteUser: {} });
    press('Delete');
    const question = within(await screen.findByRole('dialog', { name: 'Delete Cora?' }));
    expect(question.getByText(/^Access, roles and open sessions end at once/)).toBeVisible();
    expect(sent('deleteUser')).toEqual([]);
    fireEvent.click(question.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Cora was deleted.')).toBeVisible();
    await waitFor(() => expect(location.pathname).toBe(`${home}/users`));
    expect(sent('deleteUser')).toEqual([{ userId: 'u1' }]);
  });

  it('a user who cannot be deleted stays, and the question shows the reason', async () => {
    const { home } = await openUser({
      deleteUser: refuse(409, 'conflict', 'This is the last administrator.'),
    });
    press('Delete');
    const question = within(await screen.findByRole('dialog', { name: 'Delete Cora?' }));
    fireEvent.click(question.getByRole('button', { name: 'Delete' }));
    expect(await question.findByText('This is the last administrator.')).toBeVisible();
    expect(location.pathname).toBe(`${home}/users/u1`);
  });

  it('a user has a link that views the portal as them', async () => {
    const { home } = await openUser();
    expect(screen.getByRole('link', { name: 'View as' })).toHaveAttribute(
      'href',
      `${home}/users/u1/view`,
    );
  });

  it('a view as a user that is refused is tried again on request', async () => {
    const url = 'https://acme.portal.example/identity/once';
    const { answers, home, sent } = await openAdmin('/users/u1/view', {
      ...answersOfUser,
      viewAs: refuse(429, 'rate_limited', 'Too many requests.'),
    });
    expect(await screen.findByText('Too many requests.')).toBeVisible();
    answers.viewAs = { url, isFrameable: true };
    press('Try again');
    expect(await screen.findByTitle('The portal as Cora')).toHaveAttribute('src', url);
    expect(screen.getByRole('heading', { level: 1, name: 'The portal as Cora' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to the user' })).toHaveAttribute(
      'href',
      `${home}/users/u1`,
    );
    expect(screen.queryByText('Too many requests.')).toBeNull();
    expect(sent('viewAs')).toEqual([{ userId: 'u1' }, { userId: 'u1' }]);
  });
});
