/** The expected behaviour of a portal in a few sets: the oracle of the model-based test. */

let timestamp = 0;

/** A logical timestamp, later than all earlier ones. */
export const nextTimestamp = (): number => ++timestamp;

/** A set that records when each item was added. */
export class Grants<Item> extends Set<Item> {
  readonly #since = new Map<Item, number>();

  constructor(items: Iterable<Item> = []) {
    super();
    for (const item of items) this.add(item);
  }

  override add(item: Item): this {
    if (!this.has(item)) this.#since.set(item, nextTimestamp());
    return super.add(item);
  }

  since(item: Item): number {
    return this.has(item) ? this.#since.get(item)! : Infinity;
  }
}

export interface OracleUser {
  id: string;
  email: string;
  name: string;
  role: number;
  reports: Grants<string>;
}

export interface OracleGroup {
  id: string;
  members: Grants<OracleUser>;
  reports: Grants<string>;
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
  mintedAt: number;
}

export interface OracleSession {
  bearer: string;
  url: OracleUrl;
  /** When the access log got its latest entry for each report in this session. */
  opened: Map<string, number>;
}

const key = (email: string) => email.toLowerCase();

/** One organization. A rejected operation has an error code and changes nothing. */
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

  /** When the user's access to the report began; `Infinity` without access. */
  accessSince(user: OracleUser, reportId: string): number {
    const throughGroups = [...this.groups.values()].map((group) =>
      Math.max(group.members.since(user), group.reports.since(reportId)),
    );
    return Math.min(user.reports.since(reportId), ...throughGroups);
  }

  /** Names of the dataset's roles that the user has; `undefined` if the dataset has no roles. */
  rolesOf(user: OracleUser, datasetId: string): string[] | undefined {
    const roles = [...this.roles].filter(([, role]) => role.datasetId === datasetId);
    if (roles.length === 0) return undefined;
    const groups = this.groupsOf(user);
    return roles
      .filter(([, role]) => role.users.has(user) || groups.some((group) => role.groups.has(group)))
      .map(([name]) => name)
      .toSorted();
  }

  /** The reports of a session: its single report if still accessible, or all accessible ones. */
  reportsOf({ url }: OracleSession): string[] {
    const readable = [...this.readable(url.user)];
    return readable.filter((id) => url.reportId === null || url.reportId === id).toSorted();
  }
}
