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

function readUsers({ state, body }: ApiRequest): { role: Role; ids: string[] } {
  const given = fields(body);
  const role = readRole(state, given);
  return {
    role,
    ids: stringList(given, 'usersEmails').map((email) => userOr404(state, email).id),
  };
}

/** Groups have no e-mail address: the counterpart of `usersEmails` is `groupsIds`. */
function readGroups({ state, body }: ApiRequest): { role: Role; ids: string[] } {
  const given = fields(body);
  const role = readRole(state, given);
  const ids = stringList(given, 'groupsIds').map((id) => {
    const group = state.groups.find((candidate) => sameText(candidate.id, id));
    if (!group) throw new Refusal(404, 'Group not found');
    return group.id;
  });
  return { role, ids };
}

const done = (count: number): Answer => json({ success: true, affected: count });

export function linkUsers(request: ApiRequest): Answer {
  const { role, ids } = readUsers(request);
  for (const id of ids) role.users.add(id);
  return done(ids.length);
}

export function unlinkUsers(request: ApiRequest): Answer {
  const { role, ids } = readUsers(request);
  for (const id of ids) role.users.delete(id);
  return done(ids.length);
}

export function linkGroups(request: ApiRequest): Answer {
  const { role, ids } = readGroups(request);
  for (const id of ids) role.groups.add(id);
  return done(ids.length);
}

export function unlinkGroups(request: ApiRequest): Answer {
  const { role, ids } = readGroups(request);
  for (const id of ids) role.groups.delete(id);
  return done(ids.length);
}
