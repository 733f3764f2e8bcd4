import { json, Refusal, text, type Answer } from '../answer.ts';
import {
  addUser,
  deleteUser,
  findReport,
  findUser,
  type PortalState,
  type Report,
  type User,
} from '../state.ts';
import { listAnswer, matches, timestamp } from './list.ts';
import { fields, stringField, stringList, type ApiRequest } from './request.ts';

function presentUser(state: PortalState, user: User): object {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    reports: [...user.reports],
    companies: [{ id: state.organizationId, name: 'Meridian' }],
    groups: [...user.groups],
    reportLandingPage: [...user.reports][0] ?? null,
    department: user.department,
    expirationDate: user.expirationDate && timestamp(user.expirationDate),
    directoryAdUser: null,
    canEditReport: user.role <= 2,
    canCreateReport: user.role <= 2,
    canOverwriteReport: user.role === 1,
    locale: 'pt-BR',
    twoFactor: { enabled: false },
  };
}

export function userOr404(state: PortalState, email: string): User {
  const user = findUser(state, email);
  if (!user) throw new Refusal(404, 'User not found');
  return user;
}

export function listUsers({ state, query }: ApiRequest): Answer {
  const users = state.users.filter(
    ({ name, email }) => matches(query, 'name', name) && matches(query, 'email', email),
  );
  return listAnswer(
    users.map((user) => presentUser(state, user)),
    query,
    'pageIndex',
  );
}

export function createUser({ state, body }: ApiRequest): Answer {
  const given = fields(body);
  const email = stringField(given, 'email');
  const name = stringField(given, 'name');
  const { role } = given;
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Refusal(400, 'email is not an e-mail address.');
  if (role !== 1 && role !== 2 && role !== 3 && role !== 4)
    throw new Refusal(400, 'role must be 1, 2, 3 or 4.');
  if (findUser(state, email)) throw new Refusal(409, 'A user has this e-mail address already.');
  return json(presentUser(state, addUser(state, { email, name, role })));
}

export function removeUser({ state, parameter }: ApiRequest): Answer {
  deleteUser(state, userOr404(state, parameter));
  return text('OK');
}

function readLink({ state, body }: ApiRequest): { user: User; reports: Report[] } {
  const given = fields(body);
  const user = userOr404(state, stringField(given, 'userEmail'));
  const reports = stringList(given, 'reports').map((id) => {
    const report = findReport(state, id);
    if (!report) throw new Refusal(404, 'Report not found');
    return report;
  });
  return { user, reports };
}

export function linkReports(request: ApiRequest): Answer {
  const { user, reports } = readLink(request);
  for (const { id } of reports) user.reports.add(id);
  return json(presentUser(request.state, user));
}

export function unlinkReports(request: ApiRequest): Answer {
  const { user, reports } = readLink(request);
  for (const { id } of reports) user.reports.delete(id);
  return json(presentUser(request.state, user));
}
