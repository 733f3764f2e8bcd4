import assert from 'node:assert/strict';

import fc from 'fast-check';

import type { Reading, ReportPlatform } from '#platform';
import { builtin } from '#report-engine';

import * as newGroups from '../../src/access/create-group.ts';
import { linkReports, unlinkReports } from '../../src/access/report-links.ts';
import * as reportLinks from '../../src/access/report-links.ts';
import { linkGroups, linkUsers, unlinkGroups, unlinkUsers } from '../../src/access/role-links.ts';
import * as groups from '../../src/groups/service.ts';
import { mintIdentityUrl, redeemIdentityUrl } from '../../src/identity-urls/service.ts';
import { Platforms } from '../../src/platforms/registry.ts';
import { createUser, deleteUser } from '../../src/users/service.ts';
import { requireSession } from '../../src/viewer-sessions/service.ts';
import { viewReport } from '../../src/viewing/report.ts';
import { emptyReport } from '../support/reports.ts';
import { visibleRegions } from './compare.ts';
import { Grants, nextTimestamp, type OracleGroup, type OracleUser } from './oracle.ts';
import { publicUrl, type Outcome, type Side, type World } from './world.ts';

const missingId = '00000000-0000-4000-8000-000000000000';

// Few values of each, so that commands meet the same objects, and a few that do not exist.
const side = fc.constantFrom(0, 0, 0, 1);
const email = fc.constantFrom('ann@x.example', 'ANN@x.example', 'Bob@x.example', 'dee_%@x.example');
const report = fc.oneof(
  { arbitrary: fc.constantFrom(0, 1, 2, 3), weight: 12 },
  fc.constantFrom(-1, -2),
);
const reports = fc.array(report, { minLength: 1, maxLength: 3 });
const emails = fc.array(email, { maxLength: 2 });
const role = fc.oneof(
  { arbitrary: fc.constantFrom('West', 'East', 'North'), weight: 8 },
  fc.constant('west'),
);
const group = fc.constantFrom('Leads', 'Leads', 'leads');
const nth = fc.nat({ max: 5 });

export interface Command {
  name: string;
  run: (world: World) => Promise<void>;
}

/** The ID of the nth report, of another organization's report (-1) or of no report (-2). */
function reportId(world: World, at: Side, index: number): string {
  if (index >= 0) return at.stage.reports[index]!;
  const other = world.sides.find((each) => each !== at)!;
  return index === -1 ? other.stage.reports[0]! : missingId;
}

const known = (at: Side, ids: string[]) => ids.every((id) => at.stage.reports.includes(id));

/** Asserts that portal and oracle have the same outcome, and returns the result. */
function assertOutcome<Result>(
  outcome: Outcome<Result>,
  expected: string | undefined,
): Result | undefined {
  assert.equal('refused' in outcome ? outcome.refused : undefined, expected);
  return 'done' in outcome ? outcome.done : undefined;
}

const command = <Values extends unknown[]>(
  name: string,
  inputs: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
  run: (world: World, at: Side, ...values: Values) => Promise<void>,
): fc.Arbitrary<Command> =>
  fc.tuple(side, fc.tuple(...inputs)).map(([index, values]) => ({
    name: `${name}(${[index, ...values].map((value) => JSON.stringify(value)).join(', ')})`,
    run: (world) => run(world, world.sides[index]!, ...(values as Values)),
  }));

const create = command(
  'createUser',
  [email, fc.integer({ min: 1, max: 4 })],
  async (world, at, address, level) => {
    const input = { email: address, name: `Name of ${address}`, role: level };
    const outcome = await world.attempt(() => createUser(world.context(at), input));
    const created = assertOutcome(outcome, at.oracle.find(address) && 'user_exists');
    if (created) at.oracle.add({ id: created.id, ...input, reports: new Grants() });
  },
);

const remove = command('deleteUser', [email], async (world, at, userEmail) => {
  const user = at.oracle.find(userEmail);
  const outcome = await world.attempt(() => deleteUser(world.context(at), { userEmail }));
  assertOutcome(outcome, user ? undefined : 'user_not_found');
  if (user) at.oracle.remove(user);
});

const changeReports = (link: boolean) =>
  command(
    link ? 'linkReports' : 'unlinkReports',
    [email, reports],
    async (world, at, userEmail, indexes) => {
      const ids = indexes.map((index) => reportId(world, at, index));
      const change = link ? linkReports : unlinkReports;
      const outcome = await world.attempt(() =>
        change(world.context(at), { userEmail, reports: ids }),
      );
      const user = at.oracle.find(userEmail);
      assertOutcome(
        outcome,
        user ? (known(at, ids) ? undefined : 'unknown_references') : 'user_not_found',
      );
      if ('done' in outcome) for (const id of ids) setMember(user!.reports, id, link);
    },
  );

/** Adds an item to a set or removes it. */
const setMember = <Item>(set: Set<Item>, item: Item, add: boolean) =>
  add ? set.add(item) : set.delete(item);

const changeRoleUsers = (link: boolean) =>
  command(
    link ? 'linkUsers' : 'unlinkUsers',
    [role, emails],
    async (world, at, name, usersEmails) => {
      const change = link ? linkUsers : unlinkUsers;
      const input = { datasetId: at.stage.datasets[0], role: name, usersEmails };
      const outcome = await world.attempt(() => change(world.context(at), input));
      const users = usersEmails.map((each) => at.oracle.find(each));
      assertOutcome(outcome, refusal(at.oracle.roles.has(name), 'role_not_found', users));
      if ('done' in outcome)
        for (const user of users) setMember(at.oracle.roles.get(name)!.users, user!, link);
    },
  );

const changeRoleGroups = (link: boolean) =>
  command(
    link ? 'linkGroups' : 'unlinkGroups',
    [role, fc.array(group, { maxLength: 2 })],
    async (world, at, name, names) => {
      const found: (OracleGroup | undefined)[] = names.map((each) => at.oracle.groups.get(each));
      const change = link ? linkGroups : unlinkGroups;
      const input = {
        datasetId: at.stage.datasets[0],
        role: name,
        groups: found.map((each) => each?.id ?? missingId),
      };
      const outcome = await world.attempt(() => change(world.context(at), input));
      assertOutcome(outcome, refusal(at.oracle.roles.has(name), 'role_not_found', found));
      if ('done' in outcome)
        for (const each of found) setMember(at.oracle.roles.get(name)!.groups, each!, link);
    },
  );

/** The subject is checked first, then the members of the list. */
function refusal(hasSubject: boolean, code: string, members: unknown[]): string | undefined {
  if (!hasSubject) return code;
  return members.includes(undefined) ? 'unknown_references' : undefined;
}

const createGroup = command(
  'createGroup',
  [group, emails, reports],
  async (world, at, name, memberEmails, indexes) => {
    const ids = indexes.map((index) => reportId(world, at, index));
    const members = memberEmails.map((each) => at.oracle.find(each));
    const outcome = await world.attempt(() =>
      newGroups.createGroup(world.context(at), { name, memberEmails, reports: ids }),
    );
    const references = known(at, ids) ? members : [undefined];
    const id = assertOutcome(
      outcome,
      refusal(!at.oracle.groups.has(name), 'group_exists', references),
    );
    if (id)
      at.oracle.groups.set(name, {
        id,
        members: new Grants(members as OracleUser[]),
        reports: new Grants(ids),
      });
  },
);

const changeMembers = (add: boolean) =>
  command(
    add ? 'addMembers' : 'removeMembers',
    [group, emails],
    async (world, at, name, memberEmails) => {
      const change = add ? groups.addMembers : groups.removeMembers;
      const outcome = await world.attempt(() =>
        change(world.context(at), { group: name, memberEmails }),
      );
      const members = memberEmails.map((each) => at.oracle.find(each));
      assertOutcome(outcome, refusal(at.oracle.groups.has(name), 'group_not_found', members));
      if ('done' in outcome)
        for (const member of members) setMember(at.oracle.groups.get(name)!.members, member!, add);
    },
  );

const changeGroupReports = (link: boolean) =>
  command(
    link ? 'linkGroupReports' : 'unlinkGroupReports',
    [group, reports],
    async (world, at, name, indexes) => {
      const ids = indexes.map((index) => reportId(world, at, index));
      const change = link ? reportLinks.linkGroupReports : reportLinks.unlinkGroupReports;
      const outcome = await world.attempt(() =>
        change(world.context(at), { group: name, reports: ids }),
      );
      assertOutcome(
        outcome,
        refusal(at.oracle.groups.has(name), 'group_not_found', known(at, ids) ? [] : [undefined]),
      );
      if ('done' in outcome)
        for (const id of ids) setMember(at.oracle.groups.get(name)!.reports, id, link);
    },
  );

const mint = command('mint', [email, fc.option(report)], async (world, at, userEmail, index) => {
  const id = index === null ? null : reportId(world, at, index);
  const one = id === null ? {} : { organizationId: at.stage.organizationId, reportId: id };
  const outcome = await world.attempt(() =>
    mintIdentityUrl(world.context(at), { userEmail, ...one }),
  );
  const user = at.oracle.find(userEmail);
  const mayOpen = id === null || (user && at.oracle.readable(user).has(id));
  const minted = assertOutcome(
    outcome,
    user ? (mayOpen ? undefined : 'report_not_accessible') : 'user_not_found',
  );
  if (!minted) return;
  at.oracle.urls.push({
    token: minted.token,
    user: user!,
    email: userEmail,
    reportId: id,
    used: false,
    mintedAt: nextTimestamp(),
  });
  if (id) at.oracle.audit.push({ userId: user!.id, userEmail, reportId: id });
});

const redeem = command('redeem', [nth], async (world, at, index) => {
  const url = at.oracle.urls.at(-1 - index);
  if (!url) return;
  const { token } = url;
  const redemption = await redeemIdentityUrl(world.db, { token, address: publicUrl });
  const expected = at.oracle.isUser(url.user) ? (url.used ? 'used' : undefined) : 'unknown';
  assert.equal('refused' in redemption ? redemption.refused : undefined, expected);
  if ('refused' in redemption) return;
  url.used = true;
  const opened = new Map<string, number>();
  // The mint's entry counts unless access was granted again after it.
  if (url.reportId && at.oracle.accessSince(url.user, url.reportId) < url.mintedAt)
    opened.set(url.reportId, nextTimestamp());
  at.oracle.sessions.push({ bearer: redemption.bearer, url, opened });
});

const open = command('openReport', [nth, report], async (world, at, which, index) => {
  const session = at.oracle.sessions.at(-1 - which);
  if (!session) return;
  const { bearer, url } = session;
  const id = reportId(world, at, index);
  let regions: unknown;
  const outcome = await world.attempt(async () => {
    const live = await requireSession(world.db, { bearer, address: publicUrl });
    const platform: ReportPlatform = {
      ...builtin,
      open: async ({ rows }: Reading) => {
        regions = visibleRegions(rows);
        return { kind: 'tiles', page: async () => emptyReport };
      },
      close: async () => {},
    };
    const scope = {
      db: world.db,
      platforms: new Platforms([platform]),
      signal: new AbortController().signal,
      onFailure: (error: unknown) => {
        throw error;
      },
    };
    return viewReport(scope, live, id, { intent: 'open' });
  });
  const isLive = at.oracle.isUser(url.user);
  const mayOpen = at.oracle.reportsOf(session).includes(id);
  assertOutcome(
    outcome,
    isLive ? (mayOpen ? undefined : 'report_not_accessible') : 'session_required',
  );
  if (!('done' in outcome)) return;
  const dataset = at.stage.datasets[index === 3 ? 1 : 0];
  assert.deepEqual(regions, at.oracle.rolesOf(url.user, dataset));
  const openedAt = session.opened.get(id) ?? -Infinity;
  if (openedAt > at.oracle.accessSince(url.user, id)) return;
  session.opened.set(id, nextTimestamp());
  at.oracle.audit.push({ userId: url.user.id, userEmail: url.email, reportId: id });
});

/** Random sequences. Commands that create users and links are more frequent. */
export const commands = fc.array(
  fc.oneof(
    { arbitrary: create, weight: 5 },
    remove,
    { arbitrary: changeReports(true), weight: 3 },
    changeReports(false),
    changeRoleUsers(true),
    changeRoleUsers(false),
    { arbitrary: changeRoleGroups(true), weight: 2 },
    changeRoleGroups(false),
    { arbitrary: createGroup, weight: 2 },
    { arbitrary: changeMembers(true), weight: 2 },
    changeMembers(false),
    changeGroupReports(true),
    changeGroupReports(false),
    { arbitrary: mint, weight: 3 },
    { arbitrary: redeem, weight: 3 },
    { arbitrary: open, weight: 3 },
  ),
  { minLength: 1, maxLength: 30, size: 'max' },
);
