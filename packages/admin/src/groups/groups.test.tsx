import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { openAdmin, refuse, type Answers } from '../test/open-admin.tsx';

const list = <Item,>(items: Item[], totalPages = 1) => ({
  items,
  totalCount: items.length,
  totalPages,
});
const cora = { id: 'u1', name: 'Cora', email: 'cora@acme.example' };
const report = { id: 'r1', name: 'Sales', workspaceName: 'Leads' };
const role = { id: 'o1', name: 'East', datasetName: 'Orders' };

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const nameIt = (name: string) =>
  fireEvent.change(within(screen.getByRole('dialog')).getByLabelText(/^Name/), {
    target: { value: name },
  });

describe('the groups', () => {
  const leads = { id: 'g1', name: 'Leads', members: 1_234, reports: 2 };

  it('a group is listed with the numbers of its members and reports, and links to its page', async () => {
    const { home } = await openAdmin('/groups', { listGroups: list([leads]) });
    const link = await screen.findByRole('link', { name: 'Leads' });
    expect(link).toHaveAttribute('href', `${home}/groups/g1`);
    expect(link.closest('tr')).toHaveTextContent(/^Leads1,2342$/);
  });

  it('a search begins at the first page', async () => {
    const { sent } = await openAdmin('/groups', { listGroups: list([leads], 3) });
    fireEvent.click(await screen.findByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(sent('listGroups').at(-1)).toEqual({ page: '2' }));
    fireEvent.change(screen.getByRole('searchbox', { name: 'Name' }), {
      target: { value: 'lead' },
    });
    await waitFor(() => expect(sent('listGroups').at(-1)).toEqual({ search: 'lead', page: '1' }));
  });

  it('a new group opens, and a name that is taken is refused in the dialog', async () => {
    const answers: Answers = {
      listGroups: list([]),
      createGroup: refuse(409, 'conflict', 'Another group has this name.'),
    };
    const page = await openAdmin('/groups', answers);
    expect(await screen.findByText('No groups')).toBeVisible();
    // One in the heading, and one in the empty list.
    const [, inList] = screen.getAllByRole('button', { name: 'New group' });
    fireEvent.click(inList!);
    await screen.findByRole('dialog');
    nameIt(' Leads ');
    press('Save');
    expect(await screen.findByText('Another group has this name.')).toBeVisible();
    page.answers.createGroup = { id: 'g1' };
    page.answers.readGroup = { id: 'g1', name: 'Leads', reports: [], roles: [] };
    press('Save');
    expect(await screen.findByRole('heading', { name: 'Leads', level: 1 })).toBeVisible();
    expect(location.pathname).toBe(`${page.home}/groups/g1`);
    expect(page.sent('createGroup')).toEqual([{ name: 'Leads' }, { name: 'Leads' }]);
  });
});

describe('a group', () => {
  const openGroup = async (answers: Answers = {}) => {
    const page = await openAdmin('/groups/g1', {
      readGroup: { id: 'g1', name: 'Leads', reports: [report], roles: [role] },
      listUsers: list([cora] as never[]),
      searchReports: { items: [report, { id: 'r2', name: 'Costs', workspaceName: 'Leads' }] },
      searchRoles: { items: [role, { id: 'o2', name: 'West', datasetName: 'Orders' }] },
      listGroups: list([]),
      ...answers,
    });
    await screen.findByRole('region', { name: 'Members' });
    return page;
  };
  const section = (name: string) => within(screen.getByRole('region', { name }));

  /** Opens the field that adds a link, and returns the names that it offers. */
  const offer = async (label: string) => {
    fireEvent.focus(screen.getByRole('combobox', { name: label }));
    const options = await screen.findAllByRole('option', { hidden: true });
    return options.map((option) => option.textContent);
  };
  const choose = (name: string) =>
    fireEvent.click(screen.getByRole('option', { name, hidden: true }));

  it('without links says what to do', async () => {
    const { sent } = await openGroup({
      readGroup: { id: 'g1', name: 'Leads', reports: [], roles: [] },
      listUsers: list([]),
    });
    expect(sent('readGroup')).toEqual([{ groupId: 'g1' }]);
    expect(section('Members').getByText(/^The group has no members yet/)).toBeVisible();
    expect(section('Reports').getByText(/^The group gives its members no reports/)).toBeVisible();
    expect(
      section('Roles of datasets').getByText('The group gives its members no roles.'),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull();
  });

  it('a report that the group does not have is offered and added, and one is removed', async () => {
    const { sent } = await openGroup({ linkGroupReport: {}, unlinkGroupReport: {} });
    expect(section('Reports').getByText('Leads')).toBeVisible();
    expect(await offer('Add a report')).toEqual(['Costs · Leads']);
    choose('Costs · Leads');
    await waitFor(() =>
      expect(sent('linkGroupReport')).toEqual([{ groupId: 'g1', reportId: 'r2' }]),
    );
    press('Remove Sales');
    await waitFor(() =>
      expect(sent('unlinkGroupReport')).toEqual([{ groupId: 'g1', reportId: 'r1' }]),
    );
    await waitFor(() => expect(sent('readGroup').length).toBeGreaterThan(2));
  });

  it('a role that the group does not have is offered and added, and one is removed', async () => {
    const { sent } = await openGroup({ linkGroupRole: {}, unlinkGroupRole: {} });
    expect(await offer('Add a role')).toEqual(['West · Orders']);
    expect(section('Roles of datasets').getByText('Orders')).toBeVisible();
    choose('West · Orders');
    await waitFor(() => expect(sent('linkGroupRole')).toEqual([{ groupId: 'g1', roleId: 'o2' }]));
    press('Remove East');
    await waitFor(() => expect(sent('unlinkGroupRole')).toEqual([{ groupId: 'g1', roleId: 'o1' }]));
  });

  it('a user outside the group is offered and added, and a member is removed', async () => {
    const { sent } = await openGroup({
      listUsers: ({ groupId }) =>
        list(
          (groupId
            ? [cora]
            : [cora, { id: 'u2', name: 'Emil', email: 'emil@acme.example' }]) as never[],
        ),
      addGroupMember: {},
      removeGroupMember: {},
    });
    expect(section('Members').getByText('cora@acme.example')).toBeVisible();
    expect(await offer('Add a user')).toEqual(['Emil (emil@acme.example)']);
    choose('Emil (emil@acme.example)');
    await waitFor(() => expect(sent('addGroupMember')).toEqual([{ groupId: 'g1', userId: 'u2' }]));
    press('Remove Cora');
    await waitFor(() =>
      expect(sent('removeGroupMember')).toEqual([{ groupId: 'g1', userId: 'u1' }]),
    );
  });

  it('the members of a large group have pages', async () => {
    const { sent } = await openGroup({ listUsers: list([cora] as never[], 2) });
    fireEvent.click(section('Members').getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(sent('listUsers')).toContainEqual({ groupId: 'g1', page: '2' }));
  });

  it.each([
    ['Add a user', 'listUsers'],
    ['Add a report', 'searchReports'],
    ['Add a role', 'searchRoles'],
  ] as const)('the field "%s" of a group searches the typed text', async (label, endpoint) => {
    const { sent } = await openGroup();
    fireEvent.change(screen.getByRole('combobox', { name: label }), { target: { value: 'ea' } });
    await waitFor(() => expect(sent(endpoint)).toContainEqual({ search: 'ea' }));
  });

  it('after the last member on a page is removed, the page before it is shown', async () => {
    let left = 2;
    const { sent } = await openGroup({
      listUsers: ({ page }) => ({
        ...list((Number(page) > left ? [] : [cora]) as never[]),
        totalPages: left,
      }),
      removeGroupMember: () => {
        left = 1;
        return {};
      },
    });
    press('Next page');
    await screen.findByText('Page 2 of 2');
    press('Remove Cora');
    await waitFor(() => expect(sent('removeGroupMember')).toHaveLength(1));
    await waitFor(() => expect(screen.queryByText('Page 2 of 2')).toBeNull());
    expect(await section('Members').findByText('Cora')).toBeVisible();
  });

  it('a link that cannot be removed says why', async () => {
    await openGroup({
      unlinkGroupReport: refuse(404, 'not_found', 'The report was deleted.'),
      unlinkGroupRole: refuse(404, 'not_found', 'The role was deleted.'),
      removeGroupMember: refuse(404, 'not_found', 'The user was deleted.'),
    });
    press('Remove Sales');
    expect(await screen.findByText('The report was deleted.')).toBeVisible();
    press('Remove East');
    expect(await screen.findByText('The role was deleted.')).toBeVisible();
    press('Remove Cora');
    expect(await screen.findByText('The user was deleted.')).toBeVisible();
  });

  it('a link that cannot be added says why', async () => {
    await openGroup({
      listUsers: ({ groupId }) => list((groupId ? [] : [cora]) as never[]),
      addGroupMember: refuse(404, 'not_found', 'The user was deleted.'),
      linkGroupRole: refuse(404, 'not_found', 'The role was deleted.'),
      linkGroupReport: refuse(404, 'not_found', 'The report was deleted.'),
    });
    for (const [label, name, text] of [
      ['Add a user', 'Cora (cora@acme.example)', 'The user was deleted.'],
      ['Add a report', 'Costs · Leads', 'The report was deleted.'],
      ['Add a role', 'West · Orders', 'The role was deleted.'],
    ] as const) {
      await offer(label);
      choose(name);
      expect(await screen.findByText(text)).toBeVisible();
    }
  });

  it('that cannot be renamed or deleted says why in the dialog', async () => {
    const { home } = await openGroup({
      renameGroup: refuse(409, 'conflict', 'Another group has this name.'),
      deleteGroup: refuse(409, 'conflict', 'The group is in use.'),
    });
    press('Rename');
    const rename = await screen.findByRole('dialog', { name: 'Rename Leads' });
    nameIt('Chiefs');
    press('Save');
    expect(await within(rename).findByText('Another group has this name.')).toBeVisible();
    press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    press('Delete');
    const question = within(await screen.findByRole('dialog', { name: 'Delete Leads?' }));
    fireEvent.click(question.getByRole('button', { name: 'Delete' }));
    expect(await question.findByText('The group is in use.')).toBeVisible();
    expect(location.pathname).toBe(`${home}/groups/g1`);
  });

  it('is renamed, and the request has the old name, too', async () => {
    const { sent } = await openGroup({ renameGroup: {} });
    press('Rename');
    expect(await screen.findByRole('dialog', { name: 'Rename Leads' })).toBeVisible();
    nameIt('Chiefs');
    press('Save');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('renameGroup')).toEqual([{ groupId: 'g1', name: 'Chiefs', baseName: 'Leads' }]);
  });

  it('is deleted after a question, which says what its members lose', async () => {
    const { sent, home } = await openGroup({ deleteGroup: {} });
    press('Delete');
    const question = await screen.findByRole('dialog', { name: 'Delete Leads?' });
    expect(within(question).getByText(/^Its members lose the reports and roles/)).toBeVisible();
    expect(sent('deleteGroup')).toEqual([]);
    fireEvent.click(within(question).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(location.pathname).toBe(`${home}/groups`));
    expect(sent('deleteGroup')).toEqual([{ groupId: 'g1' }]);
  });
});
