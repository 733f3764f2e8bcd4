import { randomUUID } from 'node:crypto';

export type Row = Record<string, string | number>;

export interface User {
  id: string;
  email: string;
  name: string;
  role: number;
  department: string;
  /** Ids of the reports the user can open. */
  reports: Set<string>;
  /** Ids of the user's groups. */
  groups: Set<string>;
  expirationDate: Date | null;
}

export interface Group {
  id: string;
  name: string;
}

export interface Dataset {
  id: string;
  rows: Row[];
}

export interface Report {
  id: string;
  name: string;
  description: string | null;
  datasetId: string;
  workspaceId: string;
  workspaceName: string;
}

/** A row-level-security role: members see the rows whose `column` is one of `values`. */
export interface Role {
  id: string;
  name: string;
  datasetId: string;
  column: string;
  values: string[];
  users: Set<string>;
  groups: Set<string>;
}

export interface AuditEntry {
  id: string;
  createdAt: Date;
  userId: string;
  userEmail: string;
  reportId: string;
  reportName: string;
  action: number;
  actionName: string;
}

/** What a minted URL opens, kept on the server: the URL carries only the token. */
export interface Grant {
  userId: string;
  reportId: string | null;
  hidden: { menu: boolean; navbar: boolean; sidebar: boolean };
  filters: { key: string; value: string }[];
}

export interface PortalState {
  organizationId: string;
  /** The portal's configured subdomain, which callers send as `baseUrl`. */
  subdomain: string;
  users: User[];
  groups: Group[];
  datasets: Dataset[];
  reports: Report[];
  roles: Role[];
  audit: AuditEntry[];
  /** Unused tokens. */
  tokens: Map<string, Grant & { expiresAt: Date }>;
  /** Opened URLs, by the session id in the addresses of the pages. */
  sessions: Map<string, Grant>;
}

/** This portal writes its ids in upper case and reads them in either case. */
export const newId = (): string => randomUUID().toUpperCase();

export const sameText = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase();

export function findUser(state: PortalState, email: string): User | undefined {
  return state.users.find((user) => sameText(user.email, email));
}

export function findReport(state: PortalState, id: string): Report | undefined {
  return state.reports.find((report) => sameText(report.id, id));
}

export function addUser(
  state: PortalState,
  fields: Pick<User, 'email' | 'name' | 'role'> & Partial<User>,
): User {
  const user: User = {
    id: newId(),
    department: '',
    reports: new Set(),
    groups: new Set(),
    expirationDate: null,
    ...fields,
  };
  state.users.push(user);
  return user;
}

export function deleteUser(state: PortalState, user: User): void {
  state.users.splice(state.users.indexOf(user), 1);
  for (const role of state.roles) role.users.delete(user.id);
  for (const [token, grant] of state.tokens)
    if (grant.userId === user.id) state.tokens.delete(token);
  for (const [id, grant] of state.sessions) if (grant.userId === user.id) state.sessions.delete(id);
}
