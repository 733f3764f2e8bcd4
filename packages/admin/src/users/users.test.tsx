import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { ListedUser, UserDetails } from '../requests/users.ts';
import {
  administrator,
  openAdmin,
  organization,
  refuse,
  type Answers,
} from '../test/open-admin.tsx';
import { userChange, userDetails as user } from '../test/user-details.ts';

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

async function openUser(part: Partial<UserDetails> = {}, answers: Answers = {}) {
  const none = { items: [], totalCount: 0, totalPages: 0 };
  const page = await openAdmin('/users/u1', {
    readUser: { ...user, ...part },
    listCompanies: { companies: [] },
    searchReports: { items: [] },
    listGroups: none,
    searchRoles: { items: [] },
    ...answers,
  });
  await screen.findByLabelText('Department');
  return page;
}

describe('the fields of a user', () => {
  it('a user is saved only after a change, and an expiry keeps its seconds', async () => {
    const { sent } = await openUser({}, { updateUser: {} });
    const save = screen.getByRole('button', { name: 'Save' });
    expect(save).toBeDisabled();
    expect(screen.getByLabelText('Access ends')).toHaveValue('2026-12-31T23:59');
    type('Department', 'Purchase');
    await waitFor(() => expect(save).toBeEnabled());
    fireEvent.click(save);
    expect(await screen.findByText('Saved.')).toBeVisible();
    await waitFor(() => expect(save).toBeDisabled());
    expect(screen.queryByText('This did not work')).toBeNull();
    expect(sent('updateUser')).toEqual([{ userId: 'u1', ...userChange, department: 'Purchase' }]);
  });

  it.each([
    ['2027-01-31T08:00', '2027-01-31T08:00:00.000Z'],
    ['', null],
  ])('the changed expiry "%s" is saved as %s', async (typed, expirationDate) => {
    const { sent } = await openUser({}, { updateUser: {} });
    type('Access ends', typed);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    press('Save');
    await waitFor(() => expect(sent('updateUser')).toMatchObject([{ expirationDate }]));
  });

  it('an expiry is removed, or set to a number of days, with a button', async () => {
    await openUser();
    const field = screen.getByLabelText<HTMLInputElement>('Access ends');
    const daysLeft = () => (Date.parse(`${field.value}Z`) - Date.now()) / 86_400_000;
    for (const days of [30, 90, 365]) {
      press(`In ${days} days`);
      await waitFor(() => expect(daysLeft()).toBeCloseTo(days, 1));
    }
    press('Never');
    await waitFor(() => expect(field).toHaveValue(''));
  });

  it('the end of access is shown, set and saved in the time zone of the organization', async () => {
    const timeZone = 'America/Sao_Paulo';
    const { sent } = await openUser(
      {},
      {
        readIdentity: { ...administrator, organization: { ...organization, timeZone } },
        updateUser: {},
      },
    );
    const field = screen.getByLabelText<HTMLInputElement>('Access ends');
    expect(field).toHaveValue('2026-12-31T20:59');
    expect(screen.getByText('Empty: never. In the time zone America/Sao Paulo.')).toBeVisible();
    press('In 30 days');
    const daysLeft = () => (Date.parse(`${field.value}-03:00`) - Date.now()) / 86_400_000;
    await waitFor(() => expect(daysLeft()).toBeCloseTo(30, 1));
    type('Access ends', '2027-01-31T08:00');
    await waitFor(() => expect(field).toHaveValue('2027-01-31T08:00'));
    press('Save');
    await waitFor(() =>
      expect(sent('updateUser')).toMatchObject([{ expirationDate: '2027-01-31T11:00:00.000Z' }]),
    );
  });

  it('each right of a contributor is shown and saved on its own', async () => {
    const { sent } = await openUser({ role: 4, canEditReport: true }, { updateUser: {} });
    expect(screen.getByRole('checkbox', { checked: true })).toHaveAccessibleName('Edit reports');
    fireEvent.click(screen.getByLabelText('Edit reports'));
    fireEvent.click(screen.getByLabelText('Create reports'));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    press('Save');
    await waitFor(() =>
      expect(sent('updateUser')).toMatchObject([
        { canCreateReport: true, canEditReport: false, canOverwriteReport: false },
      ]),
    );
  });

  it('a landing page is chosen among the reports of the user, and removed', async () => {
    const sales = { id: 'r1', name: 'Sales', workspaceName: 'Retail', isDirect: true, groups: [] };
    const { sent } = await openUser(
      {
        reportLandingPage: 'r1',
        reports: [sales, { ...sales, id: 'r2', name: 'Costs' }],
        totalReports: 2,
      },
      { updateUser: {} },
    );
    fireEvent.click(screen.getByRole('combobox', { name: 'Landing page' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Costs', hidden: true }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    press('Save');
    await waitFor(() => expect(sent('updateUser')).toMatchObject([{ reportLandingPage: 'r2' }]));
    await screen.findByText('Saved.');
    fireEvent.click(screen.getByLabelText('Clear'));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    press('Save');
    await waitFor(() =>
      expect(sent('updateUser').at(-1)).toMatchObject({ reportLandingPage: null }),
    );
  });

  it.each([
    ['Administrator', true, false],
    ['Workspace contributor', true, true],
  ])('the new role %s has the rights %s, which are shown: %s', async (role, value, areShown) => {
    const { sent } = await openUser({}, { updateUser: {} });
    expect(screen.queryByRole('group', { name: 'Rights' })).toBeNull();
    fireEvent.click(screen.getByRole('combobox', { name: 'Role' }));
    fireEvent.click(await screen.findByRole('option', { name: role, hidden: true }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    expect(screen.queryAllByRole('group', { name: 'Rights' })).toHaveLength(areShown ? 1 : 0);
    press('Save');
    await waitFor(() =>
      expect(sent('updateUser')).toMatchObject([
        { canEditReport: value, canCreateReport: value, canOverwriteReport: value },
      ]),
    );
  });

  it('a contributor who becomes a viewer loses the rights', async () => {
    const rights = { canEditReport: true, canCreateReport: true, canOverwriteReport: true };
    const { sent } = await openUser({ role: 2, ...rights }, { updateUser: {} });
    expect(screen.getByLabelText('Edit reports')).toBeChecked();
    fireEvent.click(screen.getByRole('combobox', { name: 'Role' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Viewer', hidden: true }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    press('Save');
    await waitFor(() =>
      expect(sent('updateUser')).toMatchObject([{ role: 3, canEditReport: false }]),
    );
  });

  it('a failure other than a stale version offers no other version', async () => {
    await openUser({}, { updateUser: refuse(400, 'invalid_request', 'The name is too long.') });
    type('Department', 'x');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    press('Save');
    expect(await screen.findByText('The name is too long.')).toBeVisible();
    expect(
      screen.queryByRole('button', { name: 'Discard and load the current version' }),
    ).toBeNull();
  });

  it.each([
    ['gone', 'A report that the user cannot open'],
    ['r1', 'Sales'],
  ])('for the report %s, the landing page field shows "%s"', async (reportLandingPage, name) => {
    const sales = { id: 'r1', name: 'Sales', workspaceName: 'Retail', isDirect: true, groups: [] };
    await openUser({
      reportLandingPage,
      reports: [{ ...sales, id: 'r2', name: 'Costs' }, sales],
      totalReports: 2,
    });
    expect(screen.getByRole('combobox', { name: 'Landing page' })).toHaveValue(name);
  });

  it.each([
    ['none', 3, [false, false, false]],
    ['none', 4, [false, false, true]],
    ['invited', 2, [false, true, true]],
    ['active', 1, [true, false, true]],
  ] as const)(
    'a user whose sign-in is %s and whose role is %d says so, and can be invited',
    async (signIn, role, expected) => {
      await openUser({ signIn, role, directoryAdUser: role === 1 ? 'ACME/west' : null });
      expect(screen.getByText('west@acme.example')).toBeVisible();
      const has = [
        screen.queryByText('Can sign in to the administration'),
        screen.queryByText('Invited to the administration'),
        screen.queryByRole('button', { name: 'Invite to the administration' }),
      ].map((element) => element !== null);
      expect(has).toEqual(expected);
      const directory = screen.queryAllByText(/^Directory account/);
      expect(directory.map((element) => element.textContent)).toEqual(
        role === 1 ? ['Directory account: ACME/west'] : [],
      );
    },
  );
});

describe('the access of a user', () => {
  const sales = { id: 'r1', name: 'Sales', workspaceName: 'Retail', isDirect: true, groups: [] };
  const leads = { id: 'g1', name: 'Leads' };
  const east = { id: 'o1', name: 'East', datasetName: 'Orders' };

  it('only a direct link of a user is removed, and a list says how many more there are', async () => {
    const { home, sent } = await openUser(
      {
        reports: [sales, { ...sales, id: 'r2', name: 'Orders', isDirect: false, groups: [leads] }],
        totalReports: 7,
        roles: [
          { ...east, isDirect: false, groups: [leads] },
          { ...east, id: 'o2', name: 'West', isDirect: true, groups: [] },
        ],
        groups: [leads],
      },
      { unlinkUserReport: {}, removeGroupMember: {}, unlinkUserRole: {} },
    );
    const rows = (name: string) =>
      within(screen.getByRole('table', { name }))
        .getAllByRole('row')
        .map((row) => row.textContent);
    expect(rows('Reports')).toEqual(['SalesRetailDirectRemove', 'OrdersRetailGroup Leads']);
    expect(rows('Groups')).toEqual(['LeadsRemove']);
    expect(rows('Roles of datasets')).toEqual(['EastOrdersGroup Leads', 'WestOrdersDirectRemove']);
    const sources = screen.getAllByRole('link', { name: 'Group Leads' });
    expect(sources.map((link) => link.getAttribute('href'))).toEqual(
      Array(2).fill(`${home}/groups/g1`),
    );
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText(/^2 of 7 are shown/)).toBeVisible();
    press('Remove Sales');
    press('Remove Leads');
    press('Remove West');
    await waitFor(() => expect(sent('unlinkUserRole')).toEqual([{ userId: 'u1', roleId: 'o2' }]));
    expect(sent('unlinkUserReport')).toEqual([{ userId: 'u1', reportId: 'r1' }]);
    expect(sent('removeGroupMember')).toEqual([{ userId: 'u1', groupId: 'g1' }]);
  });

  it('reports, groups and roles can be added, and the lists to add them omit those that the user has directly', async () => {
    const offered = (items: object[]) => ({ items, totalCount: 0, totalPages: 1 }) as never;
    const { sent } = await openUser(
      {
        reports: [sales, { ...sales, id: 'r2', name: 'Costs', isDirect: false, groups: [leads] }],
        totalReports: 2,
        roles: [
          { ...east, isDirect: true, groups: [] },
          { ...east, id: 'o2', name: 'West', isDirect: false, groups: [leads] },
        ],
        groups: [leads],
      },
      {
        searchReports: offered([sales, { ...sales, id: 'r2', name: 'Costs' }]),
        listGroups: offered([leads, { ...leads, id: 'g2', name: 'Chiefs' }]),
        searchRoles: offered([east, { ...east, id: 'o2', name: 'West' }]),
        linkUserReport: {},
        addGroupMember: {},
        linkUserRole: {},
      },
    );
    for (const [label, name] of [
      ['Add a report', 'Costs · Retail'],
      ['Add a group', 'Chiefs'],
      ['Add a role', 'West · Orders'],
    ] as const) {
      const field = screen.getByRole('combobox', { name: label });
      fireEvent.focus(field);
      const list = await waitFor(() =>
        document.getElementById(field.getAttribute('aria-controls')!)!,
      );
      const options = within(list).getAllByRole('option', { hidden: true });
      expect(options.map((option) => option.textContent)).toEqual([name]);
      fireEvent.click(options[0]!);
    }
    await waitFor(() => expect(sent('linkUserRole')).toEqual([{ userId: 'u1', roleId: 'o2' }]));
    expect(sent('linkUserReport')).toEqual([{ userId: 'u1', reportId: 'r2' }]);
    expect(sent('addGroupMember')).toEqual([{ userId: 'u1', groupId: 'g2' }]);
  });

  it('a user without links is told so, and a complete list has no remark', async () => {
    await openUser({ reports: [sales], totalReports: 1 });
    expect(screen.getByText('The user is in no group.')).toBeVisible();
    expect(screen.queryByText(/are shown/)).toBeNull();
  });

  it('the page of a user without reports and roles says so', async () => {
    await openUser();
    expect(screen.getByText(/^The user cannot open any report/)).toBeVisible();
    expect(screen.getByText(/^The user has no role/)).toBeVisible();
  });

  it('the fields show changes by others, except while something is typed', async () => {
    const links = { reports: [sales], totalReports: 1 };
    const { answers, sent } = await openUser(links, { unlinkUserReport: {} });
    const field = screen.getByLabelText('Department');
    const change = async (part: Partial<UserDetails>) => {
      answers.readUser = { ...user, ...links, ...part };
      press('Remove Sales');
      expect(await screen.findByRole('heading', { level: 1, name: part.name! })).toBeVisible();
    };
    await change({ version: 'v2', name: 'Western', department: 'Theirs' });
    await waitFor(() => expect(field).toHaveValue('Theirs'));
    type('Department', 'Mine');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    await change({ version: 'v3', name: 'Northern', department: 'Later' });
    expect(field).toHaveValue('Mine');
    // The service refuses the save, because it is based on the older version.
    press('Save');
    await waitFor(() => expect(sent('updateUser')).toMatchObject([{ version: 'v2' }]));
  });

  it('a link that is not removed shows the reason', async () => {
    await openUser(
      { reports: [sales], totalReports: 1 },
      { unlinkUserReport: refuse(404, 'not_found', 'There is no such link.') },
    );
    press('Remove Sales');
    expect(await screen.findByText('There is no such link.')).toBeVisible();
  });

  it('each link that is not added or removed shows the reason', async () => {
    const { answers } = await openUser(
      {
        reports: [sales],
        totalReports: 1,
        roles: [{ ...east, isDirect: true, groups: [] }],
        groups: [leads],
      },
      {
        searchReports: { items: [{ ...sales, id: 'r2', name: 'Costs' }] },
        listGroups: {
          items: [{ id: 'g2', name: 'Chiefs', members: 0, reports: 0 }],
          totalCount: 1,
          totalPages: 1,
        },
        searchRoles: { items: [{ ...east, id: 'o2', name: 'West' }] },
      },
    );
    const add = async (label: string) => {
      const field = screen.getByRole('combobox', { name: label });
      fireEvent.focus(field);
      const list = await waitFor(() =>
        document.getElementById(field.getAttribute('aria-controls')!)!,
      );
      fireEvent.click(within(list).getByRole('option', { hidden: true }));
    };
    for (const [endpoint, change] of [
      ['linkUserReport', () => add('Add a report')],
      ['linkUserRole', () => add('Add a role')],
      ['unlinkUserRole', () => press('Remove East')],
      ['addGroupMember', () => add('Add a group')],
      ['removeGroupMember', () => press('Remove Leads')],
    ] as const) {
      answers[endpoint] = refuse(404, 'not_found', `Refused: ${endpoint}`);
      await change();
      expect(await screen.findByText(`Refused: ${endpoint}`)).toBeVisible();
    }
  });

  it('the field that adds a group searches the typed text', async () => {
    const { sent } = await openUser();
    fireEvent.change(screen.getByRole('combobox', { name: 'Add a group' }), {
      target: { value: 'lea' },
    });
    await waitFor(() => expect(sent('listGroups')).toContainEqual({ search: 'lea' }));
  });
});

describe('the list of users', () => {
  const listed: ListedUser = { ...user, isExpired: false, companies: [] };
  const openUsers = (query: string, users: Partial<ListedUser>[], totalPages = 1) =>
    openAdmin(`/users${query}`, {
      listUsers: {
        items: users.map((part) => ({ ...listed, ...part })),
        totalCount: users.length,
        totalPages,
      },
      listCompanies: { companies: [{ id: 'c1', name: 'Initech', users: 1 }] },
    });

  it('a user is listed with role, end of access and companies', async () => {
    const { home } = await openUsers('', [
      { department: 'Sales', companies: [organization, { id: 'c1', name: 'Initech' }] },
      { id: 'u2', name: 'East', role: 4, isExpired: true },
      { id: 'u3', name: 'North', role: 1, expirationDate: null },
    ]);
    expect(await screen.findByRole('link', { name: 'West' })).toHaveAttribute(
      'href',
      `${home}/users/u1`,
    );
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => (row as HTMLTableRowElement).cells[2]!.textContent)).toEqual([
      'Viewer',
      'Workspace contributor',
      'Administrator',
    ]);
    expect(rows.map((row) => (row as HTMLTableRowElement).cells[3]!.textContent)).toEqual([
      'Dec 31, 2026',
      'Ended Dec 31, 2026',
      'Never',
    ]);
    expect(rows[0]).toHaveTextContent('Acme and Initech');
    expect(rows[0]).toHaveTextContent(/^Westwest@acme.example/);
    expect((rows[0] as HTMLTableRowElement).cells[4]).toHaveTextContent('Sales');
  });

  it('the filters of the address are in their fields, and the filter for ended access can be chosen', async () => {
    const { sent } = await openUsers('?search=west&expiry=soon&role=4', [{}]);
    await screen.findByRole('link', { name: 'West' });
    expect(screen.getByLabelText('Name or e-mail')).toHaveValue('west');
    expect(screen.getByRole('combobox', { name: 'Role' })).toHaveValue('Workspace contributor');
    const ends = screen.getByRole('combobox', { name: 'Access ends' });
    expect(ends).toHaveValue('Within 30 days');
    fireEvent.click(ends);
    fireEvent.click(await screen.findByRole('option', { name: 'Has ended', hidden: true }));
    await waitFor(() => expect(sent('listUsers').at(-1)).toMatchObject({ expiry: 'expired' }));
  });

  it('an address with a page after the last shows the last page', async () => {
    const { sent } = await openUsers('?expiry=soon&page=9', [{}], 3);
    await screen.findByText('Page 3 of 3');
    expect(location.search).toBe('?expiry=soon&page=3');
    expect(sent('listUsers').at(-1)).toEqual({ expiry: 'soon', page: '3' });
  });

  it.each(['0', '-1', '1.5', 'abc', ''])(
    'an address with the page "%s" shows the first page',
    async (page) => {
      const { sent } = await openUsers(`?page=${page}`, [{}], 3);
      await screen.findByText('Page 1 of 3');
      expect(sent('listUsers')).toEqual([{ page: '1' }]);
    },
  );

  it('the filters of the address are sent, and a changed one returns to the first page', async () => {
    const { sent } = await openUsers('?expiry=soon&page=2', [{}], 3);
    await screen.findByText('Page 2 of 3');
    expect(sent('listUsers')).toEqual([{ expiry: 'soon', page: '2' }]);
    const visited = history.length;
    fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(location.search).toBe('?expiry=soon&page=3'));
    fireEvent.click(screen.getByRole('button', { name: 'Previous page' }));
    await waitFor(() => expect(location.search).toBe('?expiry=soon&page=2'));
    fireEvent.click(screen.getByRole('button', { name: 'Previous page' }));
    await waitFor(() => expect(location.search).toBe('?expiry=soon'));
    fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(location.search).toBe('?expiry=soon&page=2'));
    type('Name or e-mail', 'west');
    await waitFor(() => expect(location.search).toBe('?expiry=soon&search=west'));
    type('Name or e-mail', '');
    await waitFor(() => expect(location.search).toBe('?expiry=soon'));
    fireEvent.click(screen.getByRole('combobox', { name: 'Role' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Viewer', hidden: true }));
    await waitFor(() => expect(location.search).toBe('?expiry=soon&role=3'));
    await waitFor(() =>
      expect(sent('listUsers').at(-1)).toEqual({ expiry: 'soon', role: '3', page: '1' }),
    );
    fireEvent.click(screen.getAllByLabelText('Clear')[0]!);
    await waitFor(() => expect(location.search).toBe('?expiry=soon'));
    // One press of the Back button leaves the list.
    expect(history.length).toBe(visited);
  });
});

describe('a new user', () => {
  it.each([
    [['email'], [true, false]],
    [
      ['email', 'name'],
      [true, true],
    ],
  ])('whose %j are refused is marked at these fields', async (paths, marked) => {
    const { sent } = await openAdmin('/users', {
      listUsers: { items: [], totalCount: 0, totalPages: 0 },
      listCompanies: { companies: [] },
      searchReports: { items: [] },
      createUser: () =>
        Response.json(
          {
            code: 'invalid_request',
            detail: 'Refused.',
            errors: paths.map((path) => ({ path, message: 'x' })),
          },
          { status: 400 },
        ),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'New user' }));
    const dialog = within(await screen.findByRole('dialog'));
    const [email, name] = [/^E-mail/, /^Name/].map((label) => dialog.getByLabelText(label));
    fireEvent.change(email!, { target: { value: 'west@acme.example' } });
    fireEvent.change(name!, { target: { value: 'West' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create user' }));
    expect(await dialog.findAllByText('Check this value.')).toHaveLength(paths.length);
    const isMarked = (field?: Element) => field!.getAttribute('aria-invalid') === 'true';
    expect([isMarked(email), isMarked(name)]).toEqual(marked);
    expect(sent('createUser')).toEqual([
      { email: 'west@acme.example', name: 'West', role: 3, reports: [], roles: [] },
    ]);
  });
});
