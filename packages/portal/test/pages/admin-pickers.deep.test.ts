import { beforeAll, expect, it } from 'vitest';

import { createUser } from '../../src/users/service.ts';
import { setUpAdminPages, type AdminPage } from '../support/admin-pages.ts';
import { fillAdministration, type AdminStage } from '../support/admin-stage.ts';

const admin = setUpAdminPages();
let stage: AdminStage;
let page: AdminPage;
let home: string;
let complaints: string[];

beforeAll(async () => {
  stage = await fillAdministration(admin.portal);
  const will = { email: 'will@acme.example', name: 'Will Workspace', role: 4 } as const;
  await createUser(admin.portal.acme.ctx, will);
  ({ page, home, complaints } = await admin.open(1, 'ada@acme.example'));
});

const picker = (name: string) => page.getByRole('combobox', { name, exact: true });

/** Name of the option that Enter would choose. */
const readActive = (field: ReturnType<typeof picker>) =>
  field.evaluate((element) => {
    const id = element.getAttribute('aria-activedescendant');
    return id === null ? null : element.ownerDocument.getElementById(id)!.textContent;
  });

/** Holds the answer to a search until it is released. */
async function holdSearch(text: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isSearch = (url: URL) => url.searchParams.get('search') === text;
  await page.route(isSearch, async (route) => {
    await released;
    await route.continue();
  });
  return { requested: page.waitForRequest((request) => isSearch(new URL(request.url()))), release };
}

interface Field {
  path: (of: AdminStage) => string;
  label: string;
  text: string;
  option: RegExp;
  /** The text or label that shows the choice. */
  chosen: string;
  before?: () => Promise<unknown>;
}

const fields: Record<string, Field> = {
  'the access of a report': {
    path: ({ reportId }) => `/reports/${reportId}/edit#/access`,
    label: 'Give access to a user or group',
    text: 'east',
    option: /^east/,
    chosen: 'east can open this report.',
  },
  'the rows of a report': {
    path: ({ reportId }) => `/reports/${reportId}/edit#/rows`,
    label: 'Give the role East to a user or group',
    text: 'east',
    option: /^east/,
    chosen: 'east has the role East.',
  },
  'the preview of a report': {
    path: ({ reportId }) => `/reports/${reportId}/edit#/definition`,
    label: 'Preview as another user',
    text: 'west',
    option: /^west/,
    chosen: 'Preview as west. Choose another user:',
  },
  'the contributors of a workspace': {
    path: () => '/workspaces',
    label: 'Add a contributor to Leads',
    text: 'will',
    option: /^Will/,
    chosen: 'Remove Will Workspace',
  },
  'the reports of a group': {
    path: ({ groupId }) => `/groups/${groupId}`,
    label: 'Add a report',
    text: 'overview',
    option: /^Order overview/,
    chosen: 'Remove Order overview',
  },
  'the roles of a group': {
    path: ({ groupId }) => `/groups/${groupId}`,
    label: 'Add a role',
    text: 'west',
    option: /^West/,
    chosen: 'Remove West',
  },
  'the members of a group': {
    path: ({ groupId }) => `/groups/${groupId}`,
    label: 'Add a user',
    text: 'cora',
    option: /^Cora/,
    chosen: 'Remove Cora Contributor',
  },
  'the groups of a user': {
    path: ({ userId }) => `/users/${userId}`,
    label: 'Add a group',
    text: 'lead',
    option: /^Leads/,
    chosen: 'Remove Leads',
  },
  'the reports of a new user': {
    path: () => '/users',
    label: 'Reports',
    text: 'overview',
    option: /^Order overview/,
    chosen: 'Remove Order overview',
    before: () => page.getByRole('button', { name: 'New user' }).click(),
  },
  'the report of a test of the embedding': {
    path: () => '/settings/embedding',
    label: 'All reports',
    text: 'overview',
    option: /^Order overview/,
    chosen: 'Order overview',
  },
  'the user of a test of the embedding': {
    path: () => '/settings/embedding',
    label: 'User',
    text: 'west',
    option: /^west/,
    chosen: 'User: west',
  },
};

it.each(Object.entries(fields))(
  'Enter in %s chooses the first item of the answer to the typed text, and nothing before that answer',
  async (_name, { path, label, text, option, chosen, before }) => {
    await page.goto('about:blank');
    await page.goto(home + path(stage));
    await before?.();
    const field = picker(label);
    await field.click();
    await page.getByRole('option').first().waitFor();
    expect(await readActive(field)).toBeNull();
    await page.keyboard.press('ArrowDown');
    expect(await readActive(field)).not.toBeNull();
    const { requested, release } = await holdSearch(text);
    await field.pressSequentially(text);
    await page.keyboard.press('Enter');
    await requested;
    await page.keyboard.press('Enter');
    expect(await page.getByRole('option').count()).toBe(0);
    expect(await field.inputValue()).toBe(text);
    release();
    await expect.poll(() => readActive(field)).toMatch(option);
    await page.keyboard.press('Enter');
    await page
      .getByText(chosen)
      .or(page.getByLabel(chosen, { exact: true }))
      .first()
      .waitFor();
    await page.unrouteAll();
    expect(complaints).toEqual([]);
  },
);
