import { describeAnswer, isSuccess } from '../../http/send.ts';
import { fail, info, skip } from '../../rules/rule.ts';
import { includesId, textOf, textsOf } from '../api.ts';
import type { Item } from '../api.ts';
import type { CreatedUser, Fixtures } from '../fixtures.ts';
import type { PortalRule } from '../subject.ts';
import { eventually } from '../undo.ts';
import { requireRefusal } from './requests.ts';

const isForbidden = ({ status }: { status: number }) => status === 401 || status === 403;

/** Creates a user with each role that the key may give. */
async function createEachRole(fixtures: Fixtures): Promise<string> {
  const created: number[] = [];
  for (const role of [1, 2, 4]) {
    const [email, name] = [fixtures.emailOf(`role-${role}`), fixtures.nameOf(`role ${role}`)];
    const answer = await fixtures.postUser({ email, name, role });
    if (isForbidden(answer)) continue;
    if (!isSuccess(answer)) fail(`role ${role}: ${describeAnswer(answer)}`);
    const user = await fixtures.waitForUser(email, (found) => found !== undefined);
    if (user?.['role'] !== role) fail(`role ${role} appears as ${JSON.stringify(user?.['role'])}`);
    created.push(role);
  }
  if (created.length === 0) skip('the key may not create users with role 1, 2 or 4');
  return `created with roles ${created.join(', ')}`;
}

/** Waits until a user has these reports, and fails the rule if that does not come. */
async function requireReports(
  fixtures: Fixtures,
  { email }: CreatedUser,
  has: readonly string[],
  lacks: readonly string[],
): Promise<Item> {
  const isSo = (user: Item | undefined) => {
    const reports = user ? textsOf(user, 'reports') : [];
    return (
      has.every((id) => includesId(reports, id)) && !lacks.some((id) => includesId(reports, id))
    );
  };
  const user = await fixtures.waitForUser(email, isSo);
  if (!user) fail(`the list no longer has the user ${email}`);
  const reports = textsOf(user, 'reports');
  const absent = has.filter((id) => !includesId(reports, id));
  const extra = lacks.filter((id) => includesId(reports, id));
  if (absent.length > 0) fail(`reports of ${email} lacks ${absent.join(', ')}`);
  if (extra.length > 0) fail(`reports of ${email} still or also has ${extra.join(', ')}`);
  return user;
}

async function firstTwoReports(fixtures: Fixtures): Promise<string[]> {
  const ids = (await fixtures.reports()).map((report) => textOf(report, 'id'));
  return ids.slice(0, 2);
}

export const userRules: PortalRule[] = [
  {
    id: 'users.create',
    covers: ['users.create'],
    expected: 'POST /api/user creates a user with this email, name and role',
    writes: true,
    check: async ({ fixtures }) => {
      const { email, name, id } = await fixtures.first.orFail();
      const user = await fixtures.findUser(email);
      if (!user) fail('the list no longer has the user');
      if (user['name'] !== name)
        fail(`the name ${name} appears as ${JSON.stringify(user['name'])}`);
      if (user['role'] !== 3) fail(`the role 3 appears as ${JSON.stringify(user['role'])}`);
      return `the user ${id}`;
    },
  },
  {
    id: 'users.create.listed',
    covers: ['users.create', 'users.list', 'lists.unfiltered'],
    expected: 'Without parameters, the list contains the new user',
    writes: true,
    check: async ({ api, fixtures }) => {
      const { email } = await fixtures.first();
      const { items, isComplete } = await eventually(
        () => api.readAll('users'),
        (all) => all.items.some((user) => textOf(user, 'email') === email),
      );
      if (items.some((user) => textOf(user, 'email').toLowerCase() === email))
        return 'it is in the list';
      return isComplete ? fail('the list lacks the user') : skip('the list has too many pages');
    },
  },
  {
    id: 'users.create.once',
    covers: ['users.email'],
    expected: 'An e-mail identifies one user',
    writes: true,
    check: async ({ api, fixtures }) => {
      const { email } = await fixtures.first();
      const again = await fixtures.postUser({ email, name: fixtures.nameOf('again'), role: 3 });
      const { data } = await api.readPage('users', { email });
      const same = data.filter((user) => textOf(user, 'email').toLowerCase() === email);
      if (same.length > 1) fail(`${same.length} users have the e-mail ${email}`);
      return info(`a second POST /api/user answers ${again.status}`);
    },
  },
  {
    id: 'users.create.roles',
    covers: ['users.create', 'users.role', 'users.roleRange'],
    expected: 'A user can have the roles 1, 2 and 4 as well',
    writes: true,
    check: ({ fixtures }) => createEachRole(fixtures),
  },
  ...[0, 5, -1, 2.5].map((role): PortalRule => ({
    id: `users.create.role-${role}`,
    covers: ['users.roleRange'],
    expected: `The role ${role} is refused, and no user is created`,
    writes: true,
    check: async ({ fixtures }) => {
      const email = fixtures.emailOf(`no-role${role}`.replace('.', '-'));
      const answer = await fixtures.postUser({ email, name: fixtures.nameOf('none'), role });
      requireRefusal('POST /api/user', answer);
      if (await fixtures.findUser(email)) fail(`answers ${answer.status} and creates the user`);
      return `refused with ${answer.status}`;
    },
  })),
  {
    id: 'users.link-reports',
    covers: ['users.linkReports', 'users.reports'],
    expected: 'link-reports grants all listed reports to the user, and to nobody else',
    writes: true,
    check: async ({ fixtures }) => {
      const [user, other] = [await fixtures.first(), await fixtures.second()];
      const ids = await firstTwoReports(fixtures);
      await fixtures.ensureReports('unlink', user.email, ids);
      await fixtures.linkReports('link', user.email, ids);
      await requireReports(fixtures, user, ids, []);
      await requireReports(fixtures, other, [], ids);
      return `${ids.length} reports`;
    },
  },
  {
    id: 'users.link-reports.adds',
    covers: ['users.linkReports'],
    expected: 'A second link-reports keeps the reports that are already linked',
    writes: true,
    check: async ({ fixtures }) => {
      const user = await fixtures.second();
      const ids = await firstTwoReports(fixtures);
      if (ids.length < 2) skip('needs two reports');
      await fixtures.ensureReports('unlink', user.email, ids);
      for (const id of ids) await fixtures.linkReports('link', user.email, [id]);
      await requireReports(fixtures, user, ids, []);
      return 'both reports';
    },
  },
  {
    id: 'users.unlink-reports',
    covers: ['users.unlinkReports', 'users.reports'],
    expected: 'unlink-reports removes only the listed reports, and only from this user',
    writes: true,
    check: async ({ fixtures }) => {
      const [user, other] = [await fixtures.first(), await fixtures.second()];
      const [gone, ...kept] = await firstTwoReports(fixtures);
      for (const { email } of [user, other])
        await fixtures.ensureReports('link', email, [gone!, ...kept]);
      await fixtures.linkReports('unlink', user.email, [gone!]);
      await requireReports(fixtures, user, kept, [gone!]);
      await requireReports(fixtures, other, [gone!, ...kept], []);
      return 'the other reports and users are unchanged';
    },
  },
  {
    id: 'users.unlink-reports.all',
    covers: ['users.unlinkReports'],
    expected: 'unlink-reports removes several reports at once',
    writes: true,
    check: async ({ fixtures }) => {
      const user = await fixtures.second();
      const ids = await firstTwoReports(fixtures);
      await fixtures.ensureReports('link', user.email, ids);
      await fixtures.linkReports('unlink', user.email, ids);
      await requireReports(fixtures, user, [], ids);
      return `${ids.length} reports`;
    },
  },
];

export const deletionRules: PortalRule[] = [
  {
    id: 'users.delete',
    covers: ['users.delete'],
    expected: 'DELETE deletes the user with the e-mail in the path, and no other user',
    writes: true,
    check: async ({ fixtures }) => {
      const kept = await fixtures.first();
      const { email } = await fixtures.createUser('deleted');
      const answer = await fixtures.deleteUser(email);
      if (!isSuccess(answer)) fail(`answers ${describeAnswer(answer)}`);
      const left = await fixtures.waitForUser(email, (user) => user === undefined);
      if (left) fail(`answers ${answer.status}, but the user is still in the list`);
      if (!(await fixtures.findUser(kept.email))) fail(`the user ${kept.email} was deleted, too`);
      return `answers ${answer.status}`;
    },
  },
  {
    id: 'users.delete.encoded',
    covers: ['users.delete'],
    expected: 'DELETE accepts a URL-encoded e-mail in the path',
    writes: true,
    check: async ({ fixtures }) => {
      const email = fixtures.emailOf('with+plus');
      const created = await fixtures.postUser({ email, name: fixtures.nameOf('plus'), role: 3 });
      if (!isSuccess(created)) skip(`the portal refuses the e-mail ${email}: ${created.status}`);
      const found = await fixtures.waitForUser(email, (user) => user !== undefined);
      if (!found) fail(`the list lacks the user ${email}`);
      const answer = await fixtures.deleteUser(email);
      if (!isSuccess(answer)) fail(`${encodeURIComponent(email)}: ${describeAnswer(answer)}`);
      if (await fixtures.waitForUser(email, (user) => user === undefined))
        fail(`answers ${answer.status}, but the user ${email} is still in the list`);
      return `${encodeURIComponent(email)} is deleted`;
    },
  },
];
