import { isDeepStrictEqual } from 'node:util';

import { emailKey, endpoints } from '@portal-embed/contract';
import type { EndpointInput, RlsRole, User } from '@portal-embed/contract';

type NewUser = EndpointInput<'createUser'>;
type NewUserField = Exclude<keyof NewUser, 'email'>;

/** The declared state of a user. Absent fields are not changed. */
export interface UserState extends NewUser {
  /** Only for new users: the API cannot change it. */
  name: string;
  /** 1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor. Only for new users. */
  role: number;
  /** Ids of all reports that are linked directly to the user. */
  reports?: readonly string[] | undefined;
  /** All row-level-security roles that are linked directly to the user. */
  rlsRoles?: readonly RoleName[] | undefined;
}

const newUserFields = Object.keys(endpoints.createUser.body.shape) as (keyof NewUser)[];

/** Returns the declared fields of the request that creates a user. */
export const pickNewUser = (state: NewUser): NewUser =>
  Object.fromEntries(
    newUserFields
      .filter((field) => state[field] !== undefined)
      .map((field) => [field, state[field]]),
  ) as object as NewUser;

/** Copies a state, because the caller may change it while calls are running. */
export const copyState = (state: UserState): UserState => ({
  ...pickNewUser(state),
  reports: state.reports && [...state.reports],
  rlsRoles: state.rlsRoles?.map(({ datasetId, role }) => ({ datasetId, role })),
});

/** Identifies a row-level-security role. */
export interface RoleName {
  datasetId: string;
  role: string;
}

/** One call of a synchronization. */
export type SyncStep =
  | ({ kind: 'create-user' } & NewUser)
  | ({ kind: 'link-role' | 'unlink-role'; emails: string[] } & RoleName)
  | { kind: 'link-reports' | 'unlink-reports'; email: string; reports: string[] };

/** A difference that the API cannot change. */
export interface Difference {
  email: string;
  field: NewUserField;
  wanted: NewUser[NewUserField];
  found: User[NewUserField];
}

export interface Plan {
  /** In order: users, roles, reports. Roles come first, so no report is open without its row limits. */
  steps: SyncStep[];
  differences: Difference[];
}

// Smaller than the contract's limit, so that one call stays short.
const maxMembersPerCall = 1_000;

/** Plans the fewest calls from the found state to the declared one. */
export function planSync(
  declared: readonly UserState[],
  found: { users: readonly User[]; roles: readonly RlsRole[] },
): Plan {
  const wanted = mergeSpellings(declared);
  const usersByEmail = new Map(found.users.map((user) => [emailKey(user.email), user]));
  const missing = wanted.filter(({ email }) => !usersByEmail.has(emailKey(email)));
  const differences = wanted.flatMap((state) =>
    findDifferences(state, usersByEmail.get(emailKey(state.email))),
  );
  const creations = missing.map(planCreation);
  const reports = wanted.flatMap((state) =>
    planReports(state, usersByEmail.get(emailKey(state.email))?.reports ?? []),
  );
  return { steps: [...creations, ...planRoles(wanted, found.roles), ...reports], differences };
}

/** Merges equal states of one user whose e-mail has several spellings. */
function mergeSpellings(declared: readonly UserState[]): UserState[] {
  const byEmail = new Map<string, UserState>();
  for (const state of declared) {
    const known = byEmail.get(emailKey(state.email));
    if (known && !isDeepStrictEqual({ ...known, email: '' }, { ...state, email: '' }))
      throw new TypeError(
        `syncUsers: ${known.email} and ${state.email} are the same user with different states. Declare each user once.`,
      );
    if (!known) byEmail.set(emailKey(state.email), state);
  }
  return [...byEmail.values()];
}

const planCreation = (state: UserState): SyncStep => ({
  kind: 'create-user',
  ...pickNewUser(state),
});

function findDifferences(state: UserState, user: User | undefined): Difference[] {
  if (!user) return [];
  const { email: _email, ...fields } = pickNewUser(state);
  return (Object.keys(fields) as (keyof typeof fields)[])
    .filter((field) => user[field] !== state[field])
    .map((field) => ({ email: state.email, field, wanted: state[field], found: user[field] }));
}

function planReports({ email, reports }: UserState, linked: readonly string[]): SyncStep[] {
  if (!reports) return [];
  const [wanted, found] = [new Set(reports.map(foldId)), new Set(linked.map(foldId))];
  return [
    { kind: 'unlink-reports' as const, email, reports: [...found].filter((id) => !wanted.has(id)) },
    { kind: 'link-reports' as const, email, reports: [...wanted].filter((id) => !found.has(id)) },
  ].filter((step) => step.reports.length > 0);
}

function planRoles(wanted: readonly UserState[], roles: readonly RlsRole[]): SyncStep[] {
  const declared = wanted.filter(({ rlsRoles }) => rlsRoles !== undefined);
  const names = new Map<string, RoleName>();
  const members = new Map<string, Set<string>>();
  for (const { datasetId, name, userEmails } of roles) {
    names.set(createRoleKey({ datasetId, role: name }), { datasetId, role: name });
    members.set(createRoleKey({ datasetId, role: name }), new Set(userEmails.map(emailKey)));
  }
  for (const name of declared.flatMap(({ rlsRoles }) => rlsRoles!))
    if (!names.has(createRoleKey(name))) names.set(createRoleKey(name), name);

  return [...names].flatMap(([key, name]) => {
    const has = ({ email }: UserState) => members.get(key)?.has(emailKey(email)) ?? false;
    const declares = ({ rlsRoles }: UserState) =>
      rlsRoles!.some((each) => createRoleKey(each) === key);
    const leaving = declared.filter((state) => has(state) && !declares(state));
    const joining = declared.filter((state) => !has(state) && declares(state));
    const unlinkSteps = planRoleSteps('unlink-role', name, leaving);
    return unlinkSteps.concat(planRoleSteps('link-role', name, joining));
  });
}

function planRoleSteps(
  kind: 'link-role' | 'unlink-role',
  { datasetId, role }: RoleName,
  states: readonly UserState[],
): SyncStep[] {
  const emails = states.map(({ email }) => email);
  const calls = Math.ceil(emails.length / maxMembersPerCall);
  return Array.from({ length: calls }, (_, call) => ({
    kind,
    datasetId,
    role,
    emails: emails.slice(call * maxMembersPerCall, (call + 1) * maxMembersPerCall),
  }));
}

// The portal ignores the letter case of ids.
const foldId = (text: string) => text.toLowerCase();
const createRoleKey = ({ datasetId, role }: RoleName) => `${foldId(datasetId)} ${role}`;
