import { randomBytes } from 'node:crypto';

import { emailKey } from '@portal-embed/contract';

import { describeAnswer, isSuccess, NoAnswer } from '../http/send.ts';
import type { Answer } from '../http/send.ts';
import { fail, skip, skipAfter, Verdict } from '../rules/rule.ts';
import { includesId, isSameId, textOf, textsOf } from './api.ts';
import type { Api, Item } from './api.ts';
import type { PortalOptions } from './options.ts';
import { eventually } from './undo.ts';
import type { UndoStack } from './undo.ts';

/** A user that the run created. */
export interface CreatedUser {
  id: string;
  email: string;
  name: string;
}

/** Names a role in the bodies of the API. */
export interface RoleKey {
  id: string;
  datasetId: string;
  name: string;
}

const isGone = (user: Item | undefined): boolean => user === undefined;

const uuids = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;

/** Creates a value once. Rules that need it are skipped if that failed; `orFail` fails the rule. */
function createOnce<Value>(create: () => Promise<Value>) {
  let created: Promise<Value> | undefined;
  const orFail = () => (created ??= create());
  const orSkip = async () => {
    try {
      return await orFail();
    } catch (error) {
      if (error instanceof NoAnswer) skip(error.message);
      return skipAfter(error);
    }
  };
  return Object.assign(orSkip, { orFail });
}

/** What rules need of a portal: found by reading, or created and removed again. */
export class Fixtures {
  /** Marks everything that this run creates. */
  readonly mark = randomBytes(4).toString('hex');
  /** Two users with role 3. */
  readonly first = createOnce(() => this.createUser('first'));
  readonly second = createOnce(() => this.createUser('second'));
  /** A report that the first user may open, through a link of this run. */
  readonly openable = createOnce(async () => {
    const { email } = await this.first();
    const report = await this.report();
    await this.ensureReports('link', email, [textOf(report, 'id')]);
    return { email, report, reportId: textOf(report, 'id') };
  });

  readonly #api: Api;
  readonly #options: PortalOptions;
  readonly #undo: UndoStack;
  #doesFilterWork = false;

  constructor(api: Api, options: PortalOptions, undo: UndoStack) {
    this.#api = api;
    this.#options = options;
    this.#undo = undo;
  }

  emailOf = (name: string): string =>
    `portal-conformance-${this.mark}-${name}@${this.#options.emailDomain ?? 'example.com'}`;

  nameOf = (name: string): string => `Conformance Zoë 名 ${name} ${this.mark}`;

  /** Sends a request that creates a user, and removes the user at the end. */
  async postUser(body: { email: string; name: string; role: unknown }, key?: string | null) {
    const drop = this.#undo.push(`the user ${body.email}. Delete it`, () =>
      this.removeUser(body.email),
    );
    const options = { json: body, ...(key === undefined ? {} : { key }) };
    return this.#api.call('POST', '/api/user', options).catch((error: unknown) => {
      // The key may create no user, and perhaps it may neither delete one nor read the list.
      if (error instanceof Verdict) drop();
      throw error;
    });
  }

  /** Creates a user, and fails the rule if the user does not appear in the list. */
  async createUser(label: string, role = 3): Promise<CreatedUser> {
    const [email, name] = [this.emailOf(label), this.nameOf(label)];
    const answer = await this.postUser({ email, name, role });
    if (!isSuccess(answer)) fail(`POST /api/user answers ${describeAnswer(answer)}`);
    const user = await this.waitForUser(email, (found) => found !== undefined);
    if (!user) fail(`POST /api/user answers ${answer.status}, but the list lacks the user`);
    return { id: textOf(user, 'id'), email, name };
  }

  /** Deletes a user if there is one. Returns whether the user is gone. */
  async removeUser(email: string): Promise<boolean> {
    // First, because a list that cannot be read must not keep the user.
    const answer = await this.deleteUser(email);
    return this.waitForUser(email, isGone).then(
      isGone,
      () => isSuccess(answer) || answer.status === 404,
    );
  }

  deleteUser = (email: string, key?: string | null): Promise<Answer> =>
    this.#api.call(
      'DELETE',
      `/api/user/${encodeURIComponent(email)}`,
      key === undefined ? {} : { key },
    );

  /** Finds a user by e-mail: with the filter, and in the whole list if the filter does not work. */
  async findUser(email: string): Promise<Item | undefined> {
    const isWanted = (user: Item) => emailKey(textOf(user, 'email')) === emailKey(email);
    const filtered = await this.#api.readPage('users', { email }).catch((error: unknown) => {
      if (error instanceof Verdict) return undefined;
      throw error;
    });
    const found = filtered?.data.find(isWanted);
    if (found) this.#doesFilterWork = true;
    if (found || this.#doesFilterWork) return found;
    return (await this.#api.readAll('users')).items.find(isWanted);
  }

  waitForUser = (
    email: string,
    isDone: (user: Item | undefined) => boolean,
  ): Promise<Item | undefined> => eventually(() => this.findUser(email), isDone);

  /**
   * Links or unlinks those of the reports that are not so yet: a portal may refuse to repeat it.
   * Fails the rule if the portal refuses.
   */
  async ensureReports(kind: 'link' | 'unlink', email: string, reports: readonly string[]) {
    const user = await this.findUser(email);
    const linked = user ? textsOf(user, 'reports') : [];
    const changed = reports.filter((id) => includesId(linked, id) !== (kind === 'link'));
    if (changed.length > 0) await this.linkReports(kind, email, changed);
  }

  /** Links or unlinks reports of a user, and fails the rule if the portal refuses. */
  async linkReports(kind: 'link' | 'unlink', userEmail: string, reports: readonly string[]) {
    const path = `/api/user/${kind}-reports`;
    const answer = await this.#api.call('PUT', path, { json: { userEmail, reports } });
    if (!isSuccess(answer)) fail(`PUT ${path} answers ${describeAnswer(answer)}`);
  }

  /** The report of the options, or the first of the list. */
  report = createOnce(async () => (await this.reports())[0]!);

  /** All reports, the one of the options first. Skips the rule if there is none. */
  reports = createOnce(async () => {
    const { items } = await this.#api.readAll('reports');
    const { reportId } = this.#options;
    if (items.length === 0) skip('the portal has no report');
    if (reportId === undefined) return items;
    const wanted = items.find((report) => isSameId(textOf(report, 'id'), reportId));
    if (!wanted) skip(`the portal has no report ${reportId}; check --report`);
    return [wanted, ...items.filter((report) => report !== wanted)];
  });

  /** All roles, the one of the options first. Skips the rule if there is none. */
  roles = createOnce(async (): Promise<RoleKey[]> => {
    const { items } = await this.#api.readAll('roles');
    const roles = items.map((role) => ({
      id: textOf(role, 'id'),
      datasetId: textOf(role, 'datasetId'),
      name: textOf(role, 'name'),
    }));
    if (roles.length === 0) skip('the portal has no row-level-security role');
    const wanted = this.#options.role;
    if (!wanted) return roles;
    const found = roles.find(
      ({ datasetId, name }) => isSameId(datasetId, wanted.datasetId) && name === wanted.name,
    );
    if (!found) skip('the portal has no such role; check --dataset and --role');
    return [found, ...roles.filter((role) => role !== found)];
  });

  /** The current state of a role. */
  async readRole({ id, datasetId }: RoleKey): Promise<Item> {
    const isWanted = (role: Item) => isSameId(textOf(role, 'id'), id);
    const filtered = await this.#api.readAll('roles', { datasetId });
    const role = filtered.items.find(isWanted);
    return (
      role ??
      (await this.#api.readAll('roles')).items.find(isWanted) ??
      skip('the role no longer exists')
    );
  }

  /** The organization of the key. Skips the rule if it is not known. */
  organizationId = createOnce(async () => {
    if (this.#options.organizationId !== undefined) return this.#options.organizationId;
    const { data } = await this.#api.readPage('audit').catch((error: unknown) => {
      if (error instanceof Verdict) return { data: [] };
      throw error;
    });
    return (
      data.map((entry) => textOf(entry, 'organizationId')).find((id) => id !== '') ??
      (await this.#guessOrganization()) ??
      skip('the access log shows no entry, so the organization is not known; pass --organization')
    );
  });

  /** Tries the ids in the addresses of reports: a portal may write its organization there. */
  async #guessOrganization(): Promise<string | undefined> {
    const { email, report, reportId } = await this.openable();
    const known = ['id', 'datasetId', 'workspaceId'].map((field) => textOf(report, field));
    const found = textOf(report, 'embedUrl').match(uuids) ?? [];
    const { baseUrl } = this.#options;
    for (const organizationId of found.filter((id) => !includesId(known, id)).slice(0, 3)) {
      const json = { userEmail: email, organizationId, reportId, ...(baseUrl && { baseUrl }) };
      if (isSuccess(await this.#api.call('POST', '/api/identity/url', { json })))
        return organizationId;
    }
    return undefined;
  }

  /** A group, if possible one that the role is not linked to. Skips the rule if none is known. */
  group = createOnce(async () => {
    if (this.#options.groupId !== undefined) return this.#options.groupId;
    const [role] = await this.roles();
    const linked = textsOf(await this.readRole(role!), 'groups');
    const groups = [...this.#api.itemsOf('roles'), ...(await this.#api.readAll('users')).items];
    const known = groups.flatMap((each) => textsOf(each, 'groups'));
    return (
      known.find((id) => !includesId(linked, id)) ??
      known[0] ??
      skip('no user and no role has a group; pass --group')
    );
  });
}
