import type { AdminStage } from './admin-stage.ts';
import {
  answers,
  button,
  fill,
  opens,
  press,
  shows,
  steps,
  submit,
  type AdminState,
} from './admin-steps.ts';
import { datasetStates } from './dataset-states.ts';
import { itemStates } from './item-states.ts';

const report = (tab: string) => (stage: AdminStage) => `/reports/${stage.reportId}/edit#/${tab}`;
const openedReport = (tab: string) => (stage: AdminStage) =>
  `/reports/${stage.openedId}/edit#/${tab}`;
const empty = (path: string) => (stage: AdminStage) =>
  `/admin/organizations/${stage.emptyId}${path}`;

const run = {
  id: 1,
  requestedBy: null,
  requestedAt: '2026-03-01T12:00:00Z',
  startedAt: '2026-03-01T12:00:00Z',
  endedAt: '2026-03-01T12:01:04Z',
};

/** The connection to Power BI of a portal that has its secret. */
const platforms = {
  command: 'portal platforms add powerbi',
  variables: { secret: 'PORTAL_POWERBI_SECRET_ACME', certificate: 'PORTAL_POWERBI_CERTIFICATE' },
  connections: [
    {
      platform: 'powerbi',
      label: 'Power BI',
      connectedAt: run.requestedAt,
      tenant: '3f24aa50-c03b-408e-b25d-6371c1772248',
      clientId: '3f24aa50-c03b-408e-b25d-6371c1772249',
      cloud: 'commercial',
      username: 'email',
      customData: true,
      workspaces: [
        {
          id: '3f24aa50-c03b-408e-b25d-6371c1772250',
          name: 'Procurement, southern region',
          reports: 12,
        },
        { id: '3f24aa50-c03b-408e-b25d-6371c1772251', name: null, reports: 0 },
      ],
      datasets: [
        {
          id: '3f24aa50-c03b-408e-b25d-6371c1772252',
          name: 'Orders',
          rowAccess: 'by-role',
          roles: ['East', 'West'],
        },
        {
          id: '3f24aa50-c03b-408e-b25d-6371c1772253',
          name: 'Costs',
          rowAccess: 'by-role',
          roles: [],
        },
        {
          id: '3f24aa50-c03b-408e-b25d-6371c1772254',
          name: 'Dates',
          rowAccess: 'everyone',
          roles: [],
        },
      ],
      commands: {
        change: `portal platforms add powerbi --workspace ${'3f24aa50-c03b-408e-b25d-6371c1772250 '.repeat(5)}`,
        roles:
          'portal platforms set-roles 3f24aa50-c03b-408e-b25d-6371c1772253 -o acme --role East West',
      },
      check: {
        ...run,
        state: 'done',
        failure: null,
        requestedBy: 'maximiliane-alexandra@subsidiary.acme.example',
        findings: [
          { level: 'ok', text: 'sign-in works' },
          {
            level: 'warning',
            text: 'workspace "Procurement, southern region": it has no capacity',
          },
          {
            level: 'error',
            text: 'workspace "Costs": the application is not in it; add it as a member',
          },
        ],
      },
      syncs: [
        {
          ...run,
          id: 3,
          state: 'failed',
          failure:
            'The application does not see the workspace 3f24aa50-c03b-408e-b25d-6371c1772251. Add the application there as a member, or remove it from the connection. Until then, the portal archives no report.',
          changes: { renamed: { count: 1, names: ['Sales → Sales by region'] } },
          notes: [],
          noteCount: 0,
        },
        {
          ...run,
          id: 2,
          state: 'done',
          failure: null,
          changes: {
            added: {
              count: 120,
              names: Array.from({ length: 100 }, (_, index) => `Report ${index}`),
            },
            moved: { count: 1, names: ['Sales by region: Procurement, southern region → Shop'] },
          },
          notes: [
            'Report "Invoice" of workspace "Shop" is not listed: it is paginated, and has no model.',
          ],
          noteCount: 3,
        },
        { ...run, state: 'done', failure: null, changes: {}, notes: [], noteCount: 0 },
      ],
    },
  ],
};

/** The pages of an organization as they open. */
export const adminPages: Readonly<Record<string, AdminState>> = {
  overview: { bring: shows('overview.expiring') },
  reports: { path: '/reports' },
  'the fields of a report': { path: report('general') },
  'the access of a report': { path: report('access') },
  'the rows of a report': { path: report('rows') },
  'the definition of a report': {
    path: report('definition'),
    bring: async ({ page }) => page.locator('.preview .report').waitFor(),
  },
  'the usage of a report': { path: openedReport('usage') },
  datasets: { path: '/datasets' },
  'a dataset': { path: (stage) => `/datasets/${stage.datasetId}` },
  archive: { path: '/archive' },
  workspaces: { path: '/workspaces' },
  users: { path: '/users' },
  'a user': { path: (stage) => `/users/${stage.userId}` },
  groups: { path: '/groups' },
  'a group': { path: (stage) => `/groups/${stage.groupId}` },
  companies: { path: '/companies' },
  'the access log': { path: '/access-log' },
  'the activity log': { path: '/activity-log' },
  settings: { path: '/settings' },
  'API keys': { path: '/settings/api-keys' },
  embedding: { path: '/settings/embedding' },
  appearance: { path: '/settings/appearance' },
  'report platforms': {
    path: '/settings/platforms',
    prepare: answers('**/admin/api/**/platforms', 200, platforms),
    bring: shows('platforms.syncs'),
  },
  'the sign-in of the organization': { path: '/settings/sign-in' },
  account: { path: '/admin/account' },
  organizations: { who: 'operator', path: '/admin' },
  'sign-in': { who: 'nobody', path: '/admin' },
};

/** States of pages that take a step to reach. */
export const adminStates: Readonly<Record<string, AdminState>> = {
  'a search of reports without results': {
    path: '/reports',
    bring: steps(fill('reports.search', 'nothing'), shows('reports.empty.filtered')),
  },
  'a new report of a dataset': { path: '/reports', bring: opens('reports.new') },
  'a new report of a file': {
    path: '/reports',
    bring: steps(opens('reports.new'), async ({ page, text }) =>
      page.getByRole('tab', { name: text('reports.new.file') }).click(),
    ),
  },
  'a report that nobody has opened': { path: report('usage'), bring: shows('usage.empty') },
  'a report with readers': { path: openedReport('access') },
  'a definition with mistakes': {
    path: report('definition'),
    bring: async ({ page, text }) => {
      await page.getByText(text('editor.view.both'), { exact: true }).click();
      const editor = page.getByRole('textbox', { name: text('definition.editor') });
      await editor.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText('\npage: x');
      await page.locator('.mistakes').waitFor();
    },
  },
  'a comparison of versions': {
    path: report('definition'),
    bring: opens('versions.compare', { version: 1 }),
  },
  'the definition of a dataset': {
    path: (stage) => `/datasets/${stage.datasetId}`,
    bring: async ({ page, text }) => {
      await page.getByRole('tab', { name: text('reports.tab.definition') }).click();
      await page.locator('.cm-line').first().waitFor();
    },
  },
  'no other product': {
    who: 'operator',
    path: empty('/settings/platforms'),
    bring: shows('platforms.empty'),
  },
  ...datasetStates,
  ...itemStates,
  'a new workspace': { path: '/workspaces', bring: opens('workspaces.new') },
  'a search of users without results': {
    path: '/users?search=nothing',
    bring: shows('users.none.title'),
  },
  'a new user': { path: '/users', bring: opens('users.create') },
  'a new user who exists': {
    path: '/users',
    bring: steps(
      opens('users.create'),
      async ({ page, text }) => {
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel(text('users.email')).fill('west@acme.example');
        await dialog.getByLabel(text('users.name'), { exact: false }).last().fill('West');
      },
      press('users.create.submit'),
      async ({ page }) => page.getByRole('alert').waitFor(),
    ),
  },
  'the deletion of a user': {
    path: (stage) => `/users/${stage.userId}`,
    bring: opens('action.delete'),
  },
  'a button under the pointer': {
    path: (stage) => `/users/${stage.userId}`,
    bring: async (opened) => button(opened, 'action.delete').hover(),
  },
  'a contributor’s rights and invitation': {
    path: (stage) => `/users/${stage.contributorId}`,
    bring: opens('users.invite'),
  },
  'the portal as a user': {
    path: (stage) => `/users/${stage.userId}/view`,
    bring: async ({ page }) => page.frameLocator('iframe').getByRole('main').waitFor(),
  },
  'a new group': { path: '/groups', bring: opens('groups.create') },
  'a new company': { path: '/companies', bring: opens('companies.create') },
  'the deletion of a company': {
    path: '/companies',
    bring: opens('companies.delete', { name: 'Initech' }),
  },
  'a log without entries': {
    path: '/access-log?user=nobody',
    bring: shows('log.empty'),
  },
  'a new key with a warning': {
    path: '/settings/api-keys',
    bring: steps(opens('api_keys.create'), async ({ page }) =>
      page.getByRole('checkbox', { name: 'content:write' }).check(),
    ),
  },
  'a key that is shown once': {
    path: '/settings/api-keys',
    bring: steps(
      opens('api_keys.create'),
      async ({ page, text }) =>
        page.getByRole('dialog').getByLabel(text('api_keys.name')).fill('New'),
      press('api_keys.create.submit'),
      shows('api_keys.created'),
    ),
  },
  'the rotation of a key': {
    path: '/settings/api-keys',
    bring: opens('api_keys.rotate.named', { name: 'Shop' }),
  },
  'the end of a key': {
    path: '/settings/api-keys',
    bring: opens('api_keys.revoke.named', { name: 'Shop' }),
  },
  'a confirmation with the password': {
    path: '/settings/api-keys',
    prepare: answers('**/api-keys/*/revoke', 403, {
      code: 'fresh_sign_in_required',
      detail: 'Sign in again.',
    }),
    bring: steps(
      opens('api_keys.revoke.named', { name: 'Shop' }),
      press('api_keys.revoke'),
      shows('confirm.title'),
    ),
  },
  'an origin that is refused': {
    path: '/settings/embedding',
    bring: steps(fill('embedding.origins.add', 'app.acme'), submit, async ({ page }) =>
      page.getByRole('alert').waitFor(),
    ),
  },
  'an accent color with little contrast': {
    path: '/settings/appearance',
    bring: steps(fill('appearance.accent', '#ffee00'), shows('appearance.preview.light.changed')),
  },
  'a password that is too weak': {
    path: '/admin/account',
    bring: steps(fill('password.new', 'password1234'), submit, async ({ page, text }) =>
      page.getByText(text('password.weak')).waitFor(),
    ),
  },
  'a page that does not exist': { path: '/nothing' },
  'a report that does not exist': {
    path: '/reports/00000000-0000-4000-8000-000000000000/edit',
    bring: async ({ page }) => page.getByRole('alert').waitFor(),
  },
  'a page that is loading': {
    path: '/users',
    prepare: (page) => page.route('**/admin/api/**/users?*', () => {}),
    bring: async ({ page }) => page.locator('[aria-busy=true]').waitFor(),
  },
  'a failed request': {
    path: '/groups',
    prepare: answers('**/admin/api/**/groups*', 500, {
      code: 'internal_error',
      requestId: '01hf7yat00-0000-4000-8000-000000000000',
    }),
    bring: async ({ page }) => page.getByRole('alert').waitFor(),
  },
  'the overview of a new organization': {
    who: 'operator',
    path: empty(''),
    bring: shows('overview.checklist'),
  },
  'no reports': { who: 'operator', path: empty('/reports'), bring: shows('reports.empty') },
  'no datasets': { who: 'operator', path: empty('/datasets'), bring: shows('datasets.empty') },
  'no workspaces': { who: 'operator', path: empty('/workspaces') },
  'no users': { who: 'operator', path: empty('/users'), bring: shows('users.none.title') },
  'no groups': { who: 'operator', path: empty('/groups'), bring: shows('groups.none.title') },
  'no companies': { who: 'operator', path: empty('/companies') },
  'no keys': { who: 'operator', path: empty('/settings/api-keys') },
  'no origins': { who: 'operator', path: empty('/settings/embedding') },
  'no activity': { who: 'operator', path: empty('/activity-log') },
  'the overview of a contributor': { who: 'contributor' },
  'the reports of a contributor': { who: 'contributor', path: '/reports' },
  'a page that a contributor may not see': { who: 'contributor', path: '/users' },
  'a refused sign-in': {
    who: 'nobody',
    path: '/admin',
    bring: steps(
      fill('sign_in.organization', 'acme'),
      fill('sign_in.email', 'nobody@acme.example'),
      fill('sign_in.password', 'wrong'),
      submit,
      shows('sign_in.failed'),
    ),
  },
  'the sign-in of an operator': {
    who: 'nobody',
    path: '/admin',
    bring: steps(press('sign_in.as_operator'), shows('sign_in.as_user')),
  },
  'an invitation': {
    who: 'nobody',
    path: ({ invitation }) => `/admin/invitation#${invitation}`,
    bring: async ({ page, text }) => page.getByLabel(text('password.new')).first().waitFor(),
  },
  'an invitation that has ended': {
    who: 'nobody',
    path: '/admin/invitation#nothing',
    bring: shows('invitation.ended.title'),
  },
  'a refusal of the identity provider': {
    who: 'nobody',
    path: '/admin/oidc?error=access_denied',
    bring: shows('provider.refused'),
  },
};
