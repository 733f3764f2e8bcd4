import { json, Refusal, type Answer } from '../answer.ts';
import { sameText, type PortalState, type Role } from '../state.ts';
import { listAnswer, matches } from './list.ts';
import { fields, stringField, stringList, type ApiRequest } from './request.ts';
import { userOr404 } from './users.ts';

const presentRole = (state: PortalState, role: Role): object => ({
  id: role.id,
  name: role.name,
  users: [...role.users],
  groups: [...role.groups],
  datasetId: role.datasetId,
  userEmails: state.users.filter(({ id }) => role.users.has(id)).map(({ email }) => email),
  rule: `[${role.column}] in {${role.values.join(', ')}}`,
});

export function listRoles({ state, query }: ApiRequest): Answer {
  const roles = state.roles.filter(({ datasetId }) => matches(query, 'datasetId', datasetId));
  return listAnswer(
    roles.map((role) => presentRole(state, role)),
    query,
    'pageIndex',
  );
}

function readRole(state: PortalState, body: Record<string, unknown>): Role {
  const datasetId = stringField(body, 'datasetId');
  const name = stringField(body, 'role');
  const role = state.roles.find(
    (candidate) => sameText(candidate.datasetId, datasetId) && candidate.name === name,
  );
  if (!role) throw new Refusal(404, 'Role not found');
  return role;
}

function readUsers(state: PortalState, body: Record<string, unknown>): string[] {
  return stringList(body, 'usersEmails').map((email) => userOr404(state, email).id);
}

/** Groups have no e-mail address: the counterpart of `usersEmails` is `groupsIds`. */
function readGroups(state: PortalState, body: Record<string, unknown>): string[] {
  return stringList(body, 'groupsIds').map((id) => {
    const group = state.groups.find((candidate) => sameText(candidate.id, id));
    if (!group) throw new Refusal(404, 'Group not found');
    return group.id;
  });
}

const change =
  (members: 'users' | 'groups', action: 'add' | 'delete') =>
  ({ state, body }: ApiRequest): Answer => {
    const given = fields(body);
    const role = readRole(state, given);
    const ids = (members === 'users' ? readUsers : readGroups)(state, given);
    for (const id of ids) role[members][action](id);
    return json({ success: true, affected: ids.length });
  };

export const linkUsers = change('users', 'add');
export const unlinkUsers = change('users', 'delete');
export const linkGroups = change('groups', 'add');
export const unlinkGroups = change('groups', 'delete');
