import { describeAnswer, isSuccess } from '../../http/send.ts';
import { fail, skip } from '../../rules/rule.ts';
import { includesId, isSameId, textsOf } from '../api.ts';
import type { Item } from '../api.ts';
import type { CreatedUser, RoleKey } from '../fixtures.ts';
import type { PortalRule, PortalSubject } from '../subject.ts';
import { eventually } from '../undo.ts';

type Kind = 'link' | 'unlink';

async function linkUsers(
  { api, fixtures, undo }: PortalSubject,
  kind: Kind,
  role: RoleKey,
  users: readonly CreatedUser[],
): Promise<void> {
  const { datasetId, name } = role;
  const emails = users.map(({ email }) => email);
  const send = (each: Kind) =>
    api.call('PUT', `/api/datasets/rls/${each}-users`, {
      json: { usersEmails: emails, datasetId, role: name },
    });
  if (kind === 'link')
    undo.push(`links of the role ${name} to ${emails.join(', ')}. Unlink them`, async () => {
      const linked = textsOf(await fixtures.readRole(role), 'users');
      return !users.some(({ id }) => includesId(linked, id)) || isSuccess(await send('unlink'));
    });
  const answer = await send(kind);
  if (!isSuccess(answer))
    fail(`PUT /api/datasets/rls/${kind}-users answers ${describeAnswer(answer)}`);
}

/** Links or unlinks those of the users that are not so yet: a portal may refuse to repeat it. */
async function ensureUsers(
  subject: PortalSubject,
  kind: Kind,
  role: RoleKey,
  users: readonly CreatedUser[],
): Promise<void> {
  const linked = textsOf(await subject.fixtures.readRole(role), 'users');
  const changed = users.filter(({ id }) => includesId(linked, id) !== (kind === 'link'));
  if (changed.length > 0) await linkUsers(subject, kind, role, changed);
}

/** Waits until a role has these users and lacks others, and fails the rule if that does not come. */
async function requireUsers(
  { fixtures }: PortalSubject,
  role: RoleKey,
  has: readonly CreatedUser[],
  lacks: readonly CreatedUser[],
): Promise<void> {
  const find = (state: Item) => {
    const [ids, emails] = [textsOf(state, 'users'), textsOf(state, 'userEmails')];
    const hasId = ({ id }: CreatedUser) => includesId(ids, id);
    const hasEmail = ({ email }: CreatedUser) => includesId(emails, email);
    return [
      ...has.filter((user) => !hasId(user)).map(({ email }) => `users lacks the id of ${email}`),
      ...has.filter((user) => !hasEmail(user)).map(({ email }) => `userEmails lacks ${email}`),
      ...lacks.filter(hasId).map(({ email }) => `users has the id of ${email}`),
      ...lacks.filter(hasEmail).map(({ email }) => `userEmails has ${email}`),
    ];
  };
  const state = await eventually(
    () => fixtures.readRole(role),
    (each) => find(each).length === 0,
  );
  const problems = find(state);
  if (problems.length > 0) fail(`role ${role.name}: ${problems.join('; ')}`);
}

/** Fails the rule if the role has lost members that others linked. */
async function requireMembers(
  { fixtures }: PortalSubject,
  role: RoleKey,
  field: 'users' | 'groups',
  before: readonly string[],
): Promise<void> {
  const after = textsOf(await fixtures.readRole(role), field);
  const lost = before.filter((id) => !includesId(after, id));
  if (lost.length > 0) fail(`role ${role.name}: ${field} lost ${lost.join(', ')}`);
}

/** A role of the same name comes first, because a portal may mix them up. */
async function otherRoles({ fixtures }: PortalSubject, role: RoleKey): Promise<RoleKey[]> {
  const others = (await fixtures.roles()).filter(({ id }) => !isSameId(id, role.id));
  const isNamesake = ({ name }: RoleKey) => Number(name === role.name);
  return others.toSorted((a, b) => isNamesake(b) - isNamesake(a)).slice(0, 3);
}

/** Possible names of the field with the groups, which the specification does not show. */
const groupFields = ['groups', 'groupIds', 'groupsIds', 'groupsNames', 'groupNames'];

async function sendGroup(
  { api }: PortalSubject,
  kind: Kind,
  { datasetId, name }: RoleKey,
  group: string,
): Promise<string | undefined> {
  for (const field of groupFields) {
    const json = { [field]: [group], datasetId, role: name };
    const answer = await api.call('PUT', `/api/datasets/rls/${kind}-groups`, { json });
    if (isSuccess(answer)) {
      api.groupField = field;
      return field;
    }
  }
  return undefined;
}

/** Links a role to a group or unlinks it, waits for the change, and restores what was. */
async function checkGroup(subject: PortalSubject, kind: Kind): Promise<string> {
  const { fixtures, undo } = subject;
  const [role] = await fixtures.roles();
  const group = await fixtures.group();
  const isLinked = (state: Item) => includesId(textsOf(state, 'groups'), group);
  const stateBefore = await fixtures.readRole(role!);
  const before = textsOf(stateBefore, 'groups');
  const wasLinked = isLinked(stateBefore);
  const back = wasLinked ? 'link' : 'unlink';
  const remains = `a change of the role ${role!.name} and the group ${group}. Check that they are ${back}ed`;
  undo.push(remains, async () => {
    const isAsBefore = isLinked(await fixtures.readRole(role!)) === wasLinked;
    return isAsBefore || (await sendGroup(subject, back, role!, group)) !== undefined;
  });
  const opposite = kind === 'link' ? 'unlink' : 'link';
  if (wasLinked === (kind === 'link')) await sendGroup(subject, opposite, role!, group);
  const field = await sendGroup(subject, kind, role!, group);
  if (field === undefined)
    fail(`PUT /api/datasets/rls/${kind}-groups is refused with each of ${groupFields.join(', ')}`);
  const state = await eventually(
    () => fixtures.readRole(role!),
    (each) => isLinked(each) === (kind === 'link'),
  );
  if (isLinked(state) !== (kind === 'link'))
    fail(`groups of the role ${role!.name} ${kind === 'link' ? 'lacks' : 'still has'} ${group}`);
  const others = before.filter((id) => !isSameId(id, group));
  await requireMembers(subject, role!, 'groups', others);
  return `with the field ${field}`;
}

export const roleRules: PortalRule[] = [
  {
    id: 'roles.link-users',
    covers: ['roles.linkUsers', 'roles.users', 'roles.userEmails'],
    expected: 'link-users links the role to all listed users, and changes no other role',
    writes: true,
    check: async (subject) => {
      const { fixtures } = subject;
      const users = [await fixtures.first(), await fixtures.second()];
      const [role] = await fixtures.roles();
      const before = textsOf(await fixtures.readRole(role!), 'users');
      await linkUsers(subject, 'link', role!, users);
      await requireUsers(subject, role!, users, []);
      await requireMembers(subject, role!, 'users', before);
      for (const other of await otherRoles(subject, role!))
        await requireUsers(subject, other, [], users);
      return `the role ${role!.name}`;
    },
  },
  {
    id: 'roles.link-users.adds',
    covers: ['roles.linkUsers'],
    expected: 'A second link-users keeps the users that are already linked',
    writes: true,
    check: async (subject) => {
      const { fixtures } = subject;
      const users = [await fixtures.first(), await fixtures.second()];
      const [role] = await fixtures.roles();
      await ensureUsers(subject, 'unlink', role!, users);
      for (const user of users) await linkUsers(subject, 'link', role!, [user]);
      await requireUsers(subject, role!, users, []);
      return 'both users';
    },
  },
  {
    id: 'roles.unlink-users',
    covers: ['roles.unlinkUsers', 'roles.users', 'roles.userEmails'],
    expected: 'unlink-users unlinks only the listed users, and only from this role',
    writes: true,
    check: async (subject) => {
      const { fixtures } = subject;
      const [user, kept] = [await fixtures.first(), await fixtures.second()];
      const [role] = await fixtures.roles();
      const others = (await otherRoles(subject, role!)).slice(0, 1);
      const before = textsOf(await fixtures.readRole(role!), 'users');
      for (const each of [role!, ...others]) await ensureUsers(subject, 'link', each, [user, kept]);
      await linkUsers(subject, 'unlink', role!, [user]);
      await requireUsers(subject, role!, [kept], [user]);
      const strangers = before.filter((id) => !isSameId(id, user.id));
      await requireMembers(subject, role!, 'users', strangers);
      for (const other of others) await requireUsers(subject, other, [user, kept], []);
      return 'the other users and roles are unchanged';
    },
  },
  {
    id: 'roles.unlink-users.all',
    covers: ['roles.unlinkUsers'],
    expected: 'unlink-users unlinks several users at once',
    writes: true,
    check: async (subject) => {
      const { fixtures } = subject;
      const users = [await fixtures.first(), await fixtures.second()];
      const [role] = await fixtures.roles();
      await ensureUsers(subject, 'link', role!, users);
      await linkUsers(subject, 'unlink', role!, users);
      await requireUsers(subject, role!, [], users);
      return 'both users';
    },
  },
  {
    id: 'roles.link-groups',
    covers: ['roles.linkGroups', 'roles.groups'],
    expected: 'link-groups links the role to the group',
    writes: true,
    check: (subject) => checkGroup(subject, 'link'),
  },
  {
    id: 'roles.unlink-groups',
    covers: ['roles.unlinkGroups', 'roles.groups'],
    expected: 'unlink-groups unlinks the role from the group',
    writes: true,
    check: (subject) => checkGroup(subject, 'unlink'),
  },
  {
    id: 'roles.members',
    covers: ['roles.userEmails', 'roles.users'],
    expected: 'users and userEmails of a role name the same users',
    check: async ({ api }) => {
      const { items: roles } = await api.readAll('roles');
      const { items: users, isComplete } = await api.readAll('users');
      if (!isComplete) skip('the list of users has too many pages');
      if (roles.length === 0) skip('the portal has no row-level-security role');
      for (const role of roles) {
        const [ids, emails] = [textsOf(role, 'users'), textsOf(role, 'userEmails')];
        if (ids.length !== emails.length)
          fail(`role ${String(role['name'])} has ${ids.length} users and ${emails.length} e-mails`);
        for (const id of ids) {
          const user = users.find((each) => isSameId(String(each['id']), id));
          if (user && !includesId(emails, String(user['email'])))
            fail(`role ${String(role['name'])}: userEmails lacks ${String(user['email'])}`);
        }
      }
      return `${roles.length} roles`;
    },
  },
];
