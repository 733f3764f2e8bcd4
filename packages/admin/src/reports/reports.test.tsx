import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { AdminReport } from '../requests/reports.ts';
import { administrator, openAdmin, refuse, type Answers } from '../test/open-admin.tsx';

const retail = { id: 'w1', name: 'Retail', reports: 1, contributors: [] };
const listed = {
  id: 'r1',
  name: 'Sales',
  workspaceName: 'Retail',
  readers: 1_001,
  lastOpenedAt: null,
  product: null,
};
const list = { items: [listed], totalCount: 1, totalPages: 1, canCreate: true, canEdit: true };
const report: AdminReport = {
  ...listed,
  description: null,
  workspaceId: 'w1',
  dataset: { id: 'd1', name: 'Orders' },
  productUrl: null,
  file: 'reports/sales.yaml',
  version: 3,
  savedBy: 'ada@acme.example',
  savedFrom: 'files',
  savedAt: '2026-03-01T12:00:00Z',
  isEdited: false,
  canEdit: true,
  canCopy: true,
};
const as = (role: 1 | 2 | null) => ({ readIdentity: { ...administrator, role } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe('the list of reports', () => {
  const openReports = (answers: Answers = {}) =>
    openAdmin('/reports', {
      findReports: list,
      listWorkspaces: { workspaces: [retail] },
      ...answers,
    });
  const none = { items: [], totalCount: 0, totalPages: 0 };

  it.each([
    [1_000, '1,000', null, /^Never$/],
    [1_001, '1,000+', '2026-03-01T12:00:00Z', /^Mar 1, 2026, 12:00\sPM$/],
  ])('a report with %d readers shows %s and its last opening', async (...of) => {
    const [readers, text, lastOpenedAt, opened] = of;
    const { home } = await openReports({
      findReports: { ...list, items: [{ ...listed, readers, lastOpenedAt }] },
    });
    const link = await screen.findByRole('link', { name: 'Sales' });
    expect(link).toHaveAttribute('href', `${home}/reports/r1/edit`);
    const row = link.closest('tr')!;
    expect([...row.cells].map((cell) => cell.textContent)).toEqual([
      '',
      'Sales',
      'Retail',
      text,
      expect.stringMatching(opened),
    ]);
    expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    [1, true, /^Create a report from a dataset, upload a file/],
    [null, true, /^Create a report from a dataset, upload a file/],
    [2, true, /^Create a report from a dataset or a definition file/],
    [2, false, /^Ask an administrator for a workspace/],
  ] as const)(
    'without reports, the role %s with the right to create them %s is told what to do',
    async (role, canCreate, text) => {
      await openReports({ ...as(role), findReports: { ...none, canCreate, canEdit: true } });
      expect(await screen.findByText(text)).toBeVisible();
      expect(screen.queryAllByRole('button', { name: 'New report' })).toHaveLength(
        canCreate ? 2 : 0,
      );
    },
  );

  it.each([
    ['Search reports', 'x'],
    ['Workspace', 'w1'],
  ])('a filter by %s that finds nothing says so, on its first page', async (label, value) => {
    const { sent } = await openReports({
      findReports: ({ search, workspaceId }) =>
        search || workspaceId
          ? { ...none, canCreate: true, canEdit: true }
          : { ...list, totalPages: 2 },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(sent('findReports').at(-1)).toMatchObject({ page: '2' }));
    await screen.findByRole('option', { name: 'Retail' });
    type(label, value);
    expect(await screen.findByText(/^No report matches/)).toBeVisible();
    expect(sent('findReports').at(-1)).toMatchObject({ page: '1' });
    expect(screen.getAllByRole('button', { name: 'New report' })).toHaveLength(1);
  });

  it('a list that fails shows the reason, and is loaded again on request', async () => {
    const { answers } = await openReports({
      findReports: refuse(500, 'internal_error', 'An error happened.'),
    });
    expect(
      await screen.findByText('Reference for the operator of the portal: request-1'),
    ).toBeVisible();
    answers.findReports = list;
    press('Try again');
    expect(await screen.findByRole('link', { name: 'Sales' })).toBeVisible();
    expect(screen.queryByText('This did not work')).toBeNull();
  });

  it('a page that the role may not see says so without an alarm', async () => {
    await openReports({ findReports: refuse(403, 'missing_permission') });
    expect(await screen.findByText('You have no access to this page')).toBeVisible();
    expect(screen.queryByText('This did not work')).toBeNull();
  });

  it('the pages of a list end at its first and its last one', async () => {
    const { sent } = await openReports({ findReports: { ...list, totalPages: 2, totalCount: 30 } });
    const [next, previous] = await Promise.all(
      ['Next page', 'Previous page'].map((name) => screen.findByRole('button', { name })),
    );
    expect(previous).toBeDisabled();
    fireEvent.click(next!);
    await waitFor(() => expect(next).toBeDisabled());
    expect(screen.getByText('Page 2 of 2')).toBeVisible();
    expect(screen.getByText('30 entries')).toBeVisible();
    fireEvent.click(previous!);
    await waitFor(() => expect(previous).toBeDisabled());
    expect(sent('findReports').map(({ page }) => page)).toEqual(['1', '2']);
  });
});

describe('a new report', () => {
  const orders = { id: 'd2', name: 'Orders', reports: 0, roles: 0, source: 'x', product: null };
  const openNew = async (answers: Answers = {}) => {
    const page = await openAdmin('/reports', {
      findReports: list,
      listWorkspaces: { workspaces: [retail] },
      findDatasets: { datasets: [orders] },
      readReport: report,
      ...answers,
    });
    fireEvent.click(await screen.findByRole('button', { name: 'New report' }));
    await screen.findByRole('dialog');
    return page;
  };

  it('uses the first dataset by default, and opens', async () => {
    const { home, sent } = await openNew({ createReport: { id: 'r1' } });
    expect(await screen.findByRole('option', { name: 'Orders' })).toBeInTheDocument();
    const dialog = within(screen.getByRole('dialog'));
    fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value: 'Sales' } });
    fireEvent.change(dialog.getByLabelText(/^Workspace/), { target: { value: 'Elsewhere' } });
    expect(await dialog.findByText(/^No workspace has this name yet/)).toBeVisible();
    fireEvent.change(dialog.getByLabelText(/^Workspace/), { target: { value: 'Retail' } });
    expect(dialog.queryByText(/^No workspace has this name yet/)).toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(location.pathname).toBe(`${home}/reports/r1/edit`));
    expect(sent('createReport')).toEqual([{ name: 'Sales', workspace: 'Retail', datasetId: 'd2' }]);
  });

  it('without a dataset, a new report says what is missing', async () => {
    await openNew({ findDatasets: { datasets: [] } });
    expect(await screen.findByText(/^There are no datasets yet/)).toBeVisible();
    press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('a definition file that is refused shows the reason', async () => {
    await openNew({ importReportFile: refuse(400, 'invalid_content', 'Line 3 has a mistake.') });
    fireEvent.click(screen.getByRole('tab', { name: 'From a definition file' }));
    fireEvent.change(document.querySelector('input[type=file]')!, {
      target: { files: [new File(['name: Sales'], 'sales.yaml')] },
    });
    press('Create');
    expect(await screen.findByText('Line 3 has a mistake.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Replace' })).toBeNull();
  });

  it('a file replaces a report only after a question', async () => {
    const { answers, sent } = await openNew({
      importReportFile: refuse(409, 'content_conflict', 'It exists.'),
    });
    const tab = (name: string) => fireEvent.click(screen.getByRole('tab', { name }));
    tab('From a definition file');
    tab('From a dataset');
    expect(await screen.findByLabelText(/^Dataset/)).toBeVisible();
    tab('From a definition file');
    const choose = (name: string) =>
      fireEvent.change(document.querySelector('input[type=file]')!, {
        target: { files: [new File(['name: Sales'], name)] },
      });
    const submit = () => fireEvent.submit(screen.getByRole('dialog').querySelector('form')!);
    submit();
    expect(sent('createReport')).toEqual([]);
    choose('sales.yaml');
    submit();
    expect(
      await screen.findByText(/^A report from the file sales.yaml exists already/),
    ).toBeVisible();
    expect(screen.queryByText('It exists.')).toBeNull();
    choose('other.yaml');
    expect(await screen.findByRole('button', { name: 'Create' })).toBeVisible();
    submit();
    await screen.findByText(/^A report from the file other.yaml exists already/);
    answers.importReportFile = { id: 'r1' };
    press('Replace');
    await waitFor(() => expect(location.hash).toBe('#/definition'));
    expect(sent('importReportFile')).toEqual(
      [
        ['sales.yaml', false],
        ['other.yaml', false],
        ['other.yaml', true],
      ].map(([fileName, replaces]) => ({ fileName, text: 'name: Sales', replaces })),
    );
  });
});

describe('a contributor', () => {
  const rights = { canCreate: true, canEdit: true, canOverwrite: true, isLimited: true };
  const open = (path: string, part: Partial<typeof rights>, answers: Answers = {}) =>
    openAdmin(path, {
      ...as(2),
      readRights: { ...rights, ...part },
      findReports: { ...list, canCreate: part.canCreate ?? true },
      listWorkspaces: { workspaces: [retail] },
      findDatasets: { datasets: [] },
      readReport: { ...report, canEdit: part.canEdit ?? true },
      ...answers,
    });

  it('without the right to create replaces reports by definition files only', async () => {
    const { sent } = await open(
      '/reports',
      { canCreate: false },
      { importReportFile: refuse(409, 'content_conflict') },
    );
    expect(await screen.findByText(/You may not create reports\. An administrator/)).toBeVisible();
    fireEvent.click(await screen.findByRole('button', { name: 'Replace a report' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByRole('tab', { name: 'From a dataset' })).toBeNull();
    fireEvent.change(document.querySelector('input[type=file]')!, {
      target: { files: [new File(['name: Sales'], 'sales.yaml')] },
    });
    fireEvent.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await dialog.findByRole('button', { name: 'Replace' })).toBeEnabled();
    expect(sent('importReportFile')).toMatchObject([{ replaces: false }]);
  });

  it('without the right to replace is told so before and after choosing a file', async () => {
    await open(
      '/reports',
      { canOverwrite: false },
      { importReportFile: refuse(409, 'content_conflict') },
    );
    expect(
      await screen.findByText(/You may not replace reports by definition files/),
    ).toBeVisible();
    fireEvent.click(await screen.findByRole('button', { name: 'New report' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText(/^No dataset is open to your workspaces yet/)).toBeVisible();
    fireEvent.click(dialog.getByRole('tab', { name: 'From a definition file' }));
    fireEvent.change(document.querySelector('input[type=file]')!, {
      target: { files: [new File(['name: Sales'], 'sales.yaml')] },
    });
    fireEvent.submit(screen.getByRole('dialog').querySelector('form')!);
    expect(await dialog.findByText(/you may not replace reports\. Give the file/)).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Replace' })).toBeDisabled();
  });

  it('without any of the rights reads reports, and is told what is missing', async () => {
    const part = { canCreate: false, canOverwrite: false, canEdit: false };
    await open('/reports', part);
    expect(await screen.findByRole('link', { name: 'Sales' })).toBeVisible();
    expect(
      await screen.findByText(/You may not create reports\. You may not replace/),
    ).toBeVisible();
    for (const name of ['New report', 'Replace a report'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it('without the right to edit is told so on the page of a report', async () => {
    await open('/reports/r1/edit', { canEdit: false });
    expect(await screen.findByText(/^You may not edit reports\. An administrator/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('of a workspace is told that a new name is not one of their workspaces', async () => {
    await open('/reports/r1/edit', {});
    await screen.findByRole('button', { name: 'Save' });
    const workspace = screen.getByLabelText(/^Workspace/, { selector: 'input' });
    fireEvent.change(workspace, { target: { value: 'Elsewhere' } });
    expect(await screen.findByText(/^This is not one of your workspaces/)).toBeVisible();
    expect(screen.queryByText(/^You may not/)).toBeNull();
  });
});

describe('the fields of a report', () => {
  const openReport = (answers: Answers = {}, tab = 'general') =>
    openAdmin(`/reports/r1/edit#/${tab}`, {
      readReport: report,
      listWorkspaces: { workspaces: [retail] },
      ...answers,
    });

  const usage = {
    data: [
      {
        id: '1',
        createdAt: '2026-03-01T12:00:00Z',
        organizationId: 'o1',
        userId: 'u1',
        userEmail: 'west@acme.example',
        userName: null,
        reportId: 'r1',
        reportName: 'Sales',
        action: 2,
        actionName: 'export',
      },
    ],
    totalPages: 2,
    pageIndex: 1,
    hasNextPage: true,
    hasPreviousPage: false,
  };

  it.each([
    [1, ['General', 'Access', 'Rows', 'Definition', 'Usage']],
    [null, ['General', 'Access', 'Rows', 'Definition', 'Usage']],
    [2, ['General', 'Definition']],
  ] as const)('a report has for the role %s its tabs', async (role, names) => {
    await openReport(
      {
        ...as(role),
        readOrganization: administrator.organization!,
        listAccess: { ...usage, data: [] },
      },
      'usage',
    );
    const tabs = await screen.findAllByRole('tab');
    expect(tabs.map((tab) => tab.textContent)).toEqual(names);
    expect(tabs[role === 2 ? 0 : 4]).toHaveAttribute('aria-selected', 'true');
    if (role === 2) return;
    expect(await screen.findByText('Nobody has opened this report')).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('the usage of a report lists who opened it, page by page', async () => {
    const { sent } = await openReport({ listAccess: usage }, 'usage');
    const table = within(await screen.findByRole('table'));
    expect(
      table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent)),
    ).toEqual([
      ['Time', 'User', 'Action'],
      [
        expect.stringMatching(/^Mar 1, 2026/),
        expect.stringMatching(/^west@acme.example/),
        'Exported',
      ],
    ]);
    press('Next page');
    await waitFor(() => expect(screen.getByText('Page 2 of 2')).toBeVisible());
    expect(sent('listAccess')).toEqual(
      ['1', '2'].map((number) => ({ reportId: 'r1', page: number })),
    );
  });

  it('values that somebody else has changed are saved only after their values are loaded', async () => {
    const { answers, sent } = await openReport({ updateReport: refuse(409, 'stale_version') });
    await screen.findByLabelText(/^Description/);
    type(/^Description/, 'Mine');
    press('Save');
    expect(await screen.findByText('Somebody else has saved in the meantime')).toBeVisible();
    answers.readReport = refuse(503, 'overloaded', 'Try again later.');
    press('Load the other version');
    expect(await screen.findByText('Try again later.')).toBeVisible();
    expect(screen.getByText('Somebody else has saved in the meantime')).toBeVisible();
    expect(screen.getByLabelText(/^Description/)).toHaveValue('Mine');
    answers.readReport = { ...report, version: 4, name: 'Theirs', description: 'Theirs' };
    answers.updateReport = { ...report, version: 5 };
    press('Load the other version');
    await waitFor(() => expect(screen.getByLabelText(/^Description/)).toHaveValue('Theirs'));
    expect(screen.queryByText('Somebody else has saved in the meantime')).toBeNull();
    expect(screen.queryByText('Try again later.')).toBeNull();
    press('Save');
    expect(await screen.findByText('The report is saved.')).toBeVisible();
    type(/^Name/, 'Renamed');
    fireEvent.change(screen.getByRole('combobox', { name: /^Workspace/ }), {
      target: { value: 'Elsewhere' },
    });
    type(/^Description/, '');
    press('Save');
    await waitFor(() => expect(sent('updateReport')).toHaveLength(3));
    expect(sent('updateReport')).toEqual(
      [
        [3, 'Sales', 'Retail', 'Mine'],
        [4, 'Theirs', 'Retail', 'Theirs'],
        [5, 'Renamed', 'Elsewhere', ''],
      ].map(([version, name, workspace, description]) => ({
        reportId: 'r1',
        version,
        name,
        workspace,
        description,
      })),
    );
  });

  it('another reason why a report is not saved is shown', async () => {
    await openReport({ updateReport: refuse(400, 'invalid_request', 'The name is too long.') });
    await screen.findByLabelText(/^Description/);
    expect(screen.queryByRole('alert')).toBeNull();
    press('Save');
    expect(await screen.findByText('The name is too long.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Load the other version' })).toBeNull();
  });

  it('a report shows its id, and links to its dataset', async () => {
    const { home } = await openReport();
    const link = await screen.findByRole('link', { name: 'Dataset: Orders' });
    expect(link).toHaveAttribute('href', `${home}/datasets/d1`);
    expect(screen.getByText('r1')).toBeVisible();
  });

  it('a report that the caller may not edit is read only', async () => {
    await openReport({ readReport: { ...report, canEdit: false, workspaceName: 'Elsewhere' } });
    expect(await screen.findByLabelText(/^Description/)).toHaveAttribute('readonly');
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(screen.queryByText(/^No workspace has this name yet/)).toBeNull();
  });

  it.each([
    [{ savedAt: null }, 'Definition file: reports/sales.yaml'],
    [{ savedBy: null }, 'Definition file: reports/sales.yaml'],
    [{}, /^Applied from reports\/sales.yaml by ada@acme.example, Mar 1, 2026, 12:00\sPM\.$/],
    [{ savedFrom: 'pages' }, /^Edited here by ada@acme.example, .* stops with a conflict\.$/],
    [{ isEdited: true }, /^Edited here by ada@acme.example, .* stops with a conflict\.$/],
  ] as [Partial<AdminReport>, string | RegExp][])(
    'a report with %j says where it comes from',
    async (part, text) => {
      await openReport({ readReport: { ...report, ...part } });
      expect(await screen.findByText(text)).toBeVisible();
    },
  );

  const west = { kind: 'user', id: 'u1', name: 'west', email: 'west@acme.example' } as const;
  const leads = { kind: 'group', id: 'g1', name: 'Leads', email: null, members: 1 } as const;
  const users = { items: [west], totalCount: 1, totalPages: 1 };
  const nobody = { items: [], totalCount: 0, totalPages: 0 };

  it('the access of a report lists groups and users, and each can be removed', async () => {
    const { answers, sent } = await openReport(
      {
        listReportAccess: { groups: [leads], users },
        findHolders: { holders: [] },
        changeReportAccess: refuse(404, 'not_found', 'The group was deleted.'),
      },
      'access',
    );
    expect(await screen.findByText('Group with 1 member')).toBeVisible();
    expect(screen.getByText('west@acme.example')).toBeVisible();
    expect(screen.queryByText('Nobody may open this report')).toBeNull();
    expect(screen.queryByText('No user matches.')).toBeNull();
    expect(screen.queryByLabelText('Search these users')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    press('Remove Leads');
    expect(await screen.findByText('The group was deleted.')).toBeVisible();
    answers.changeReportAccess = {};
    press('Remove Leads');
    expect(await screen.findByText('The access of Leads is removed.')).toBeVisible();
    expect(screen.queryByText('The group was deleted.')).toBeNull();
    press('Remove west');
    expect(await screen.findByText('The access of west is removed.')).toBeVisible();
    const request = { reportId: 'r1', isLinked: false };
    expect(sent('changeReportAccess')).toEqual([
      { ...request, kind: 'group', id: 'g1' },
      { ...request, kind: 'group', id: 'g1' },
      { ...request, kind: 'user', id: 'u1' },
    ]);
  });

  it.each([
    [[], nobody, true],
    [[leads], nobody, false],
    [[], users, false],
  ])(
    'with the groups %j and the users %j, the page says that nobody has access: %s',
    async (groups, found, isEmpty) => {
      await openReport(
        { listReportAccess: { groups, users: found }, findHolders: { holders: [] } },
        'access',
      );
      await screen.findByLabelText('Give access to a user or group');
      if (!isEmpty) await screen.findByRole('heading', { name: /^(Groups|Users)$/ });
      else await screen.findByText('Nobody may open this report');
      expect(screen.queryAllByText('Nobody may open this report')).toHaveLength(isEmpty ? 1 : 0);
      expect(screen.queryAllByRole('heading', { level: 2, name: 'Groups' })).toHaveLength(
        groups.length,
      );
      expect(screen.queryAllByRole('heading', { level: 2, name: 'Users' })).toHaveLength(
        found.totalCount,
      );
    },
  );

  it('many users with access can be searched', async () => {
    await openReport(
      {
        listReportAccess: ({ search }) => ({
          groups: [],
          users: search ? nobody : { ...users, totalPages: 2 },
        }),
        findHolders: { holders: [] },
      },
      'access',
    );
    await screen.findByLabelText('Search these users');
    type('Search these users', 'x');
    expect(await screen.findByText('No user matches.')).toBeVisible();
    expect(screen.getByLabelText('Search these users')).toHaveValue('x');
    expect(screen.queryByText('Nobody may open this report')).toBeNull();
  });

  it('after the last user on a page loses the access, the page before it is shown', async () => {
    let left = 2;
    const { sent } = await openReport(
      {
        listReportAccess: ({ page }) => ({
          groups: [],
          users: {
            items: Number(page) > left ? [] : [{ ...west, name: `User ${Number(page)}` }],
            totalCount: left,
            totalPages: left,
          },
        }),
        findHolders: { holders: [] },
        changeReportAccess: () => {
          left = 1;
          return {};
        },
      },
      'access',
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Next page' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove User 2' }));
    expect(await screen.findByRole('button', { name: 'Remove User 1' })).toBeVisible();
    expect(screen.queryByText('No user matches.')).toBeNull();
    expect(sent('listReportAccess').at(-1)).toMatchObject({ page: '1' });
  });

  const group = { kind: 'group', id: 'g1', name: 'Leads', email: null } as const;
  const role = {
    id: 'o1',
    name: 'West',
    users: [{ ...west, canOpen: true }],
    groups: [group],
    userCount: 2,
  };

  it.each([
    ['by-role', [], /^Readers see the rows of their roles/],
    ['everyone', [], /^Everyone who may open a report of this dataset sees all rows/],
    ['everyone', [role], /^Readers see the rows of their roles/],
  ] as const)(
    'rows of the access %s with the roles %j say who sees them',
    async (rowAccess, roles, text) => {
      const { home } = await openReport(
        {
          listReportRoles: { rowAccess, datasetId: 'd1', roles: [...roles] },
          findHolders: { holders: [] },
        },
        'rows',
      );
      expect(await screen.findByText(text)).toBeVisible();
      expect(screen.queryAllByText('No roles')).toHaveLength(roles.length === 0 ? 1 : 0);
      expect(screen.getByRole('link', { name: 'Open the dataset' })).toHaveAttribute(
        'href',
        `${home}/datasets/d1`,
      );
    },
  );

  it('a role lists its groups and first users, and can be given and removed', async () => {
    const { answers, sent } = await openReport(
      {
        listReportRoles: {
          rowAccess: 'by-role',
          datasetId: 'd1',
          roles: [role, { id: 'o2', name: 'East', users: [], groups: [], userCount: 0 }],
        },
        findHolders: { holders: [{ ...west, id: 'u2', name: 'Wanda', email: null }] },
        changeRoleHolder: {},
      },
      'rows',
    );
    const holders = within(await screen.findByRole('table', { name: 'Holders of the role West' }));
    expect(holders.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'LeadsGroupRemove',
      'westwest@acme.exampleView asRemove',
    ]);
    expect(screen.getByRole('link', { name: 'View as west' })).toHaveAttribute(
      'href',
      expect.stringMatching(/\/users\/u1\/view\?report=r1$/),
    );
    expect(screen.getByText('1 more user has this role.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'East' })).toBeVisible();
    expect(screen.getAllByRole('table')).toHaveLength(1);
    expect(screen.getAllByText(/ha(s|ve) this role/)).toHaveLength(1);
    press('Remove west');
    expect(await screen.findByText('west no longer has the role West.')).toBeVisible();
    expect(screen.queryByRole('alert', { name: 'This did not work' })).toBeNull();
    fireEvent.focus(screen.getByLabelText('Give the role West to a user or group'));
    const choose = async () =>
      fireEvent.click(await screen.findByRole('option', { name: 'Wanda', hidden: true }));
    await choose();
    expect(await screen.findByText('Wanda has the role West.')).toBeVisible();
    answers.changeRoleHolder = refuse(404, 'not_found', 'The role was deleted.');
    press('Remove Leads');
    expect(await screen.findByText('The role was deleted.')).toBeVisible();
    expect(sent('changeRoleHolder')).toEqual([
      { roleId: 'o1', kind: 'user', id: 'u1', isLinked: false },
      { roleId: 'o1', kind: 'user', id: 'u2', isLinked: true },
      { roleId: 'o1', kind: 'group', id: 'g1', isLinked: false },
    ]);
  });

  it('a holder who may not open the report is given access beside the role', async () => {
    const ofWest = {
      id: 'o1',
      name: 'West',
      users: [{ ...west, canOpen: false }],
      groups: [],
      userCount: 1,
    };
    const { answers, sent } = await openReport(
      {
        listReportRoles: { rowAccess: 'by-role', datasetId: 'd1', roles: [ofWest] },
        findHolders: { holders: [] },
        changeReportAccess: {},
      },
      'rows',
    );
    expect(await screen.findByText('May not open this report yet')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'View as west' })).toBeNull();
    answers.listReportRoles = {
      rowAccess: 'by-role',
      datasetId: 'd1',
      roles: [{ ...ofWest, users: [{ ...west, canOpen: true }] }],
    };
    press('Give access to this report to west');
    expect(await screen.findByText('west can open this report.')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'View as west' })).toBeVisible();
    expect(sent('changeReportAccess')).toEqual([
      { reportId: 'r1', kind: 'user', id: 'u1', isLinked: true },
    ]);
  });
});

it('a report of another product names it, and has no definition here', async () => {
  await openAdmin('/reports/r1/edit', {
    readReport: { ...report, product: 'Other BI', file: null, canEdit: false },
    listWorkspaces: { workspaces: [] },
  });
  expect(await screen.findByText('From Other BI. It is written there.')).toBeVisible();
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'General',
    'Access',
    'Rows',
    'Usage',
  ]);
  expect(screen.getByLabelText(/^Name/)).toHaveAttribute('readonly');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});
