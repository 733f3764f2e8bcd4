import { isDeepStrictEqual } from 'node:util';

import { emailKey } from '@portal-embed/contract';
import type { RlsRole, User } from '@portal-embed/contract';

/** What a user shall be and may see. What is absent is left as it is. */
export interface UserState {
  email: string;
  /** Given to a new user; the API cannot rename one. */
  name: string;
  /** 1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor; given to a new user. */
  role: number;
  /** Ids of exactly the reports the user is linked to directly. */
  reports?: readonly string[] | undefined;
  /** Exactly the row-level-security roles the user is linked to directly. */
  rlsRoles?: readonly RoleName[] | undefined;
}

/** Reads each field of a state once: they may be getters, or change while calls are under way. */
export function readState({ email, name, role, reports, rlsRoles }: UserState): UserState {
  return {
    email,
    name,
    role,
    reports: reports && [...reports],
    rlsRoles: rlsRoles?.map((each) => ({ datasetId: each.datasetId, role: each.role })),
  };
}

/** Names a row-level-security role. */
export interface RoleName {
  datasetId: string;
  role: string;
}

/** One call that a synchronization makes. */
export type SyncStep =
  | { kind: 'create-user'; email: string; name: string; role: number }
  | ({ kind: 'link-role' | 'unlink-role'; emails: string[] } & RoleName)
  | { kind: 'link-reports' | 'unlink-reports'; email: string; reports: string[] };

/** What the API cannot change, for a person to see to. */
export interface Difference {
  email: string;
  field: 'name' | 'role';
  wanted: string | number;
  found: string | number;
}

export interface Plan {
  /** In the order to take them: users, then what limits their rows, then what they may open. */
  steps: SyncStep[];
  differences: Difference[];
}

// Well below the contract's limit of members in one call.
const mostMembers = 1_000;

/** The fewest calls that lead from what is there to what is wanted. */
export function planSync(
  declared: readonly UserState[],
  found: { users: readonly User[]; roles: readonly RlsRole[] },
): Plan {
  const wanted = mergeSpellings(declared);
  const usersByEmail = new Map(found.users.map((user) => [emailKey(user.email), user]));
  const missing = wanted.filter(({ email }) => !usersByEmail.has(emailKey(email)));
  const differences = wanted.flatMap((state) =>
    compare(state, usersByEmail.get(emailKey(state.email))),
  );
  const creations = missing.map(
    ({ email, name, role }) => ({ kind: 'create-user', email, name, role }) as const,
  );
  const reports = wanted.flatMap((state) =>
    planReports(state, usersByEmail.get(emailKey(state.email))?.reports ?? []),
  );
  return { steps: [...creations, ...planRoles(wanted, found.roles), ...reports], differences };
}

/** One state for each user, however their e-mail is spelt. */
function mergeSpellings(declared: readonly UserState[]): UserState[] {
  const byEmail = new Map<string, UserState>();
  for (const state of declared) {
    const known = byEmail.get(emailKey(state.email));
    if (known && !isDeepStrictEqual({ ...known, email: '' }, { ...state, email: '' }))
      throw new TypeError(
        `syncUsers: ${known.email} and ${state.email} are one user, and declared differently. Declare each user once.`,
      );
    if (!known) byEmail.set(emailKey(state.email), state);
  }
  return [...byEmail.values()];
}

function compare(state: UserState, user: User | undefined): Difference[] {
  if (!user) return [];
  return (['name', 'role'] as const)
    .filter((field) => user[field] !== state[field])
    .map((field) => ({ email: state.email, field, wanted: state[field], found: user[field] }));
}

function planReports({ email, reports }: UserState, linked: readonly string[]): SyncStep[] {
  if (!reports) return [];
  const [want, have] = [new Set(reports.map(fold)), new Set(linked.map(fold))];
  return [
    { kind: 'unlink-reports' as const, email, reports: [...have].filter((id) => !want.has(id)) },
    { kind: 'link-reports' as const, email, reports: [...want].filter((id) => !have.has(id)) },
  ].filter((step) => step.reports.length > 0);
}

function planRoles(wanted: readonly UserState[], roles: readonly RlsRole[]): SyncStep[] {
  const declared = wanted.filter(({ rlsRoles }) => rlsRoles !== undefined);
  const names = new Map<string, RoleName>();
  const members = new Map<string, Set<string>>();
  for (const { datasetId, name, userEmails } of roles) {
    names.set(keyOf({ datasetId, role: name }), { datasetId, role: name });
    members.set(keyOf({ datasetId, role: name }), new Set(userEmails.map(emailKey)));
  }
  for (const name of declared.flatMap(({ rlsRoles }) => rlsRoles!))
    if (!names.has(keyOf(name))) names.set(keyOf(name), name);

  return [...names].flatMap(([key, name]) => {
    const has = ({ email }: UserState) => members.get(key)?.has(emailKey(email)) ?? false;
    const wants = ({ rlsRoles }: UserState) => rlsRoles!.some((each) => keyOf(each) === key);
    const leaving = declared.filter((state) => has(state) && !wants(state));
    const joining = declared.filter((state) => !has(state) && wants(state));
    return roleSteps('unlink-role', name, leaving).concat(roleSteps('link-role', name, joining));
  });
}

function roleSteps(
  kind: 'link-role' | 'unlink-role',
  { datasetId, role }: RoleName,
  states: readonly UserState[],
): SyncStep[] {
  const emails = states.map(({ email }) => email);
  const calls = Math.ceil(emails.length / mostMembers);
  return Array.from({ length: calls }, (_, call) => ({
    kind,
    datasetId,
    role,
    emails: emails.slice(call * mostMembers, (call + 1) * mostMembers),
  }));
}

// The portal ignores the letter case of ids.
const fold = (text: string) => text.toLowerCase();
const keyOf = ({ datasetId, role }: RoleName) => `${fold(datasetId)} ${role}`;
