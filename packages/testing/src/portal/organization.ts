import { emailKey, endpointExamples, userRoles } from '@portal-embed/contract';
import type { AuditEntry, Report, RlsRole, User } from '@portal-embed/contract';

/** A user of the fake portal. Default of `reports`: all of them. */
export type FakeUser = Partial<User> & { email: string };

export interface OrganizationOptions {
  /** The users, as e-mails or with any of their fields. Default: none. */
  users?: readonly (string | FakeUser)[];
  /** The reports, as names or with any of their fields. Default: none. */
  reports?: readonly (string | (Partial<Report> & { name: string }))[];
  /** The roles for row-level security, as names or with any of their fields. Default: none. */
  roles?: readonly (string | (Partial<RlsRole> & { name: string }))[];
  /** Ids of groups. Default: none. */
  groups?: readonly string[];
}

const createId = (kind: number, count: number) =>
  `${kind}0000000-0000-4000-8000-${String(count).padStart(12, '0')}`;

const [exampleReport] = endpointExamples.listReports.response.data;
const [exampleRole] = endpointExamples.listRlsRoles.response.data;

/** The state of the fake portal. Tests may read and change it. */
export class Organization {
  readonly users: User[] = [];
  readonly reports: Report[] = [];
  readonly roles: RlsRole[] = [];
  readonly groups: string[] = [];
  /** The report access log, oldest first. */
  readonly auditEntries: AuditEntry[] = [];
  #count = 0;

  constructor({ users = [], reports = [], roles = [], groups = [] }: OrganizationOptions) {
    this.groups.push(...groups);
    for (const each of reports) {
      const report = typeof each === 'string' ? { name: each } : each;
      this.reports.push({ ...exampleReport!, description: null, id: this.newId(2), ...report });
    }
    for (const each of roles) {
      const role = typeof each === 'string' ? { name: each } : each;
      const links = { users: [], groups: [], userEmails: [] };
      this.roles.push({ ...exampleRole!, ...links, id: this.newId(3), ...role });
    }
    const allReports = this.reports.map(({ id }) => id);
    for (const each of users)
      this.addUser({ reports: allReports, ...(typeof each === 'string' ? { email: each } : each) });
  }

  newId(kind: number): string {
    return createId(kind, ++this.#count);
  }

  /** Adds a user, by default a viewer without reports. */
  addUser({ email, name = email, role = userRoles.viewer, ...fields }: FakeUser): User {
    const mayChange = role !== userRoles.viewer;
    const user: User = {
      ...endpointExamples.createUser.response,
      canEditReport: mayChange,
      canCreateReport: mayChange,
      canOverwriteReport: mayChange,
      ...fields,
      // The array of the caller must not change with the user.
      reports: [...(fields.reports ?? [])],
      id: fields.id ?? this.newId(1),
      email,
      name,
      role,
    };
    this.users.push(user);
    return user;
  }

  findUser(email: string): User | undefined {
    return this.users.find((user) => emailKey(user.email) === emailKey(email));
  }
}
