/** What a portal must do, in a few sets: the oracle that the model-based test asks. */

export interface OracleUser {
  id: string;
  email: string;
  name: string;
  role: number;
  reports: Set<string>;
}

export interface OracleGroup {
  id: string;
  members: Set<OracleUser>;
  reports: Set<string>;
}

export interface OracleRole {
  datasetId: string;
  users: Set<OracleUser>;
  groups: Set<OracleGroup>;
}

export interface OracleUrl {
  token: string;
  user: OracleUser;
  email: string;
  reportId: string | null;
  used: boolean;
}

export interface OracleSession {
  bearer: string;
  url: OracleUrl;
}

const key = (email: string) => email.toLowerCase();

/** One organization. What is refused is told by the error's code; it then changes nothing. */
export class OracleOrganization {
  readonly users = new Map<string, OracleUser>();
  readonly groups = new Map<string, OracleGroup>();
  readonly roles: Map<string, OracleRole>;
  readonly urls: OracleUrl[] = [];
  readonly sessions: OracleSession[] = [];
  /** Grants of access, oldest first. */
  readonly audit: { userId: string; userEmail: string; reportId: string }[] = [];

  constructor(roles: readonly { name: string; datasetId: string }[]) {
    this.roles = new Map(
      roles.map(({ name, datasetId }) => [
        name,
        { datasetId, users: new Set(), groups: new Set() },
      ]),
    );
  }

  find(email: string): OracleUser | undefined {
    return this.users.get(key(email));
  }

  isUser(user: OracleUser): boolean {
    return this.users.get(key(user.email)) === user;
  }

  add(user: OracleUser): void {
    this.users.set(key(user.email), user);
  }

  remove(user: OracleUser): void {
    this.users.delete(key(user.email));
    for (const group of this.groups.values()) group.members.delete(user);
    for (const role of this.roles.values()) role.users.delete(user);
  }

  groupsOf(user: OracleUser): OracleGroup[] {
    return [...this.groups.values()].filter((group) => group.members.has(user));
  }

  readable(user: OracleUser): Set<string> {
    const sources = [user, ...this.groupsOf(user)];
    return new Set(sources.flatMap(({ reports }) => Array.from(reports)));
  }

  /** Names of the dataset's roles that the user has; `undefined` where the dataset has none. */
  held(user: OracleUser, datasetId: string): string[] | undefined {
    const roles = [...this.roles].filter(([, role]) => role.datasetId === datasetId);
    if (roles.length === 0) return undefined;
    const groups = this.groupsOf(user);
    return roles
      .filter(([, role]) => role.users.has(user) || groups.some((group) => role.groups.has(group)))
      .map(([name]) => name)
      .toSorted();
  }

  /** What a session shows: its one report if the user may open it still, or all that they may. */
  shown({ url }: OracleSession): string[] {
    const readable = [...this.readable(url.user)];
    return readable.filter((id) => url.reportId === null || url.reportId === id).toSorted();
  }
}
