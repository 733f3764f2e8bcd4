import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import type { Frame } from '#platform';

import { createCertificate, hasOpenssl } from '../test/support/certificate.ts';
import { opening, readingOf } from '../test/support/readings.ts';
import { StandIn, type Answer, type Fault, type StandInModel } from '../test/support/stand-in.ts';
import type { Connection, Credential } from './connection.ts';
import { powerbiPlatform } from './platform.ts';

const plain: StandInModel = { id: randomUUID(), name: 'Stock' };
const live: StandInModel = { id: randomUUID(), name: 'Live', isLive: true };
const secured: StandInModel = { id: randomUUID(), name: 'Sales', roles: ['East', 'West'] };
const models = [plain, live, secured];
const reportOf = (model: StandInModel) => reports.find((report) => report.model === model.id)!;
const reports = models.map(({ id, name }) => ({ id: randomUUID(), name, model: id }));
const workspace = { id: randomUUID(), name: 'Shop', reports, models };

let standIn: StandIn;
let connection: Connection;
let credential: Credential;
let stale: string[];
beforeEach(async () => {
  standIn = await new StandIn().start();
  onTestFinished(() => standIn[Symbol.asyncDispose]());
  standIn.workspaces = [workspace];
  stale = [];
  credential = { kind: 'secret', secret: standIn.secret };
  connection = {
    tenant: standIn.tenant,
    clientId: standIn.clientId,
    cloud: 'commercial',
    workspaces: [workspace.id],
    username: 'email',
    customData: false,
  };
});

function createPlatform({ now = () => new Date() } = {}) {
  const { addresses, fetch } = standIn;
  return powerbiPlatform({
    findSetUp: async (organizationId) =>
      organizationId === 'acme' ? { connection, credential } : undefined,
    frames: { script: '/adapter.js' },
    onStale: (organizationId) => stale.push(organizationId),
    addresses,
    fetch,
    now,
  });
}

type Given = Parameters<typeof readingOf>[3];
const read = (model: StandInModel, given?: Given) =>
  readingOf(reportOf(model), workspace, model, given);
const openAs = (model: StandInModel, given?: Given, held?: { key: string; secondsLeft: number }) =>
  createPlatform().open(read(model, given), opening({ held }));

describe('the token of a report', () => {
  it.each([
    ['without row-level security has no identity', plain, undefined],
    ['over a live connection names the reader', live, { username: 'ann@acme.example' }],
    [
      'with roles names the reader and the held roles',
      secured,
      { username: 'ann@acme.example', roles: ['West'] },
    ],
  ])('%s', async (_, model, identity) => {
    const roles = model === secured ? ['West'] : [];
    const opened = await openAs(model, { roles });
    const [issued] = standIn.issued;
    expect(opened).toMatchObject({ kind: 'frame', token: issued!.token, unappliedFilters: [] });
    expect(issued!.request).toEqual({
      reports: [{ id: reportOf(model).id, allowEdit: false }],
      datasets: [{ id: model.id }],
      ...(identity && { identities: [{ ...identity, datasets: [model.id] }] }),
      lifetimeInMinutes: 15,
    });
    const minutes = ((opened as Frame).expiresAt.getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThanOrEqual(15);
  });

  it('names the id of the user if the connection says so', async () => {
    connection.username = 'id';
    await openAs(live, { queue: 'c0ffee00-0000-4000-8000-000000000001' });
    expect(standIn.issued[0]!.request.identities![0]!.username).toBe(
      'c0ffee00-0000-4000-8000-000000000001',
    );
  });

  it('carries the filters of the host for models that enforce them', async () => {
    connection.customData = true;
    const filters = [[{ key: 'Shop/City', value: 'Köln' }]];
    const opened = await openAs(secured, { roles: ['East'], filters });
    expect(opened).toMatchObject({ filtersAreEnforced: true });
    const { customData } = standIn.issued[0]!.request.identities![0]!;
    expect(JSON.parse(customData!)).toEqual(filters);
  });

  it('is asked for with a fresh access token when the held one ends soon', async () => {
    let time = Date.now();
    const platform = createPlatform({ now: () => new Date(time) });
    await platform.open(read(plain), opening());
    await platform.open(read(plain), opening());
    const signIns = () => standIn.asked.filter(({ path }) => path.endsWith('/token')).length;
    expect(signIns()).toBe(1);
    time += 41 * 60_000;
    await platform.open(read(plain), opening());
    expect(signIns()).toBe(2);
  });

  it('of many readers at once needs one sign-in, and is another for each', async () => {
    const platform = createPlatform();
    const opened = await Promise.all(
      Array.from({ length: 20 }, () => platform.open(read(plain), opening())),
    );
    expect(standIn.asked.filter(({ path }) => path.endsWith('/token'))).toHaveLength(1);
    expect(new Set(opened.map((each) => (each as Frame).token)).size).toBe(20);
  });
});

describe('without asking Power BI, a report is refused', () => {
  const never = () => expect(standIn.asked).toEqual([]);

  it('to a reader without a role of a model that needs one', async () => {
    expect(await openAs(secured)).toMatchObject({ kind: 'refused', reason: 'no-role' });
    never();
  });

  it('if the portal has roles that the model does not have', async () => {
    const rows = { access: 'by-role', roles: [{ name: 'West', definition: {} }] } as const;
    expect(await openAs(plain, { rows })).toMatchObject({ kind: 'refused', reason: 'not-set-up' });
    never();
  });

  it('to everyone if the model needs roles', async () => {
    const rows = { access: 'everyone' } as const;
    expect(await openAs(secured, { rows })).toMatchObject({ kind: 'refused', reason: 'no-role' });
    never();
  });

  it('to a reader with more roles than a token takes', async () => {
    const roles = Array.from({ length: 51 }, (_, index) => `Role ${index}`);
    expect(await openAs(secured, { roles })).toMatchObject({ reason: 'not-set-up' });
    never();
  });

  it.each(['änn@acme.example', 'ann lee@acme.example', `${'a'.repeat(250)}@acme.example`])(
    'to the reader %s, whose e-mail Power BI does not take',
    async (email) => {
      const reader = { email: [email], department: [], groups: [], companies: [] };
      expect(await openAs(live, { reader })).toMatchObject({ reason: 'not-set-up' });
      never();
    },
  );

  it('in an organization without a connection', async () => {
    expect(await openAs(plain, { organizationId: 'globex' })).toMatchObject({
      kind: 'refused',
      reason: 'not-set-up',
    });
    never();
  });

  it('if the filters of host and portal have no value in common', async () => {
    const filters = [[{ key: 'Shop/City', value: 'Rome' }], [{ key: 'Shop/City', value: 'Oslo' }]];
    expect(await openAs(plain, { filters })).toMatchObject({
      reason: 'filters',
      keys: ['Shop/City'],
    });
    never();
  });

  it('if a filter names no table and every filter must apply', async () => {
    const filters = [[{ key: 'City', value: 'Rome' }]];
    const given = { filters, unappliedFilters: 'refuse' } as const;
    expect(await openAs(plain, given)).toMatchObject({ reason: 'filters', keys: ['City'] });
    never();
  });
});

it('filters are applied as the report loads, and those without a table are named', async () => {
  const filters = [
    [
      { key: 'Shop/City', value: 'Rome' },
      { key: 'Shop/City', value: 'Oslo' },
      { key: 'Shop/Street/Number', value: '1' },
      { key: 'Country', value: 'IT' },
    ],
    [{ key: 'Shop/City', value: 'Oslo' }],
  ];
  const opened = (await openAs(plain, { filters })) as Frame;
  expect(opened.unappliedFilters).toEqual(['Country']);
  expect(opened.filtersAreEnforced).toBe(false);
  expect(opened.settings).toMatchObject({
    canExport: true,
    filters: [
      {
        target: { table: 'Shop', column: 'City' },
        operator: 'In',
        values: ['Oslo'],
        displaySettings: { isLockedInViewMode: true },
      },
      { target: { table: 'Shop', column: 'Street/Number' }, operator: 'In', values: ['1'] },
    ],
  });
});

it.each(['2024-01-01..2024-12-31', '10..', '..2024-12-31 18:30', 'last 12 months', 'this year'])(
  'the filter %j, which Power BI would compare as a text, is named and not applied',
  async (value) => {
    const filters = [
      [
        { key: 'Shop/Day', value },
        { key: 'Shop/City', value: 'Rome' },
      ],
      [{ key: 'Shop/Day', value: '2024-02-01' }],
    ];
    const opened = (await openAs(plain, { filters })) as Frame;
    expect(opened.unappliedFilters).toEqual(['Shop/Day']);
    expect(opened.settings).toMatchObject({
      filters: [{ target: { table: 'Shop', column: 'City' } }],
    });
    const refused = await openAs(plain, { filters, unappliedFilters: 'refuse' });
    expect(refused).toMatchObject({ reason: 'filters', keys: ['Shop/Day'] });
  },
);

it('a value with dots that is not a range is compared as a text', async () => {
  const filters = [[{ key: 'Shop/Name', value: 'Hello..' }]];
  const opened = (await openAs(plain, { filters })) as Frame;
  expect(opened).toMatchObject({
    unappliedFilters: [],
    settings: { filters: [{ values: ['Hello..'] }] },
  });
});

it('the page learns whether filters of the host are the same, since bookmarks contain them', async () => {
  const keyOf = async (city: string) => {
    const filters = [[{ key: 'Shop/City', value: city }]];
    return ((await openAs(plain, { filters })) as Frame).settings as { filtersKey: string };
  };
  expect(await keyOf('Oslo')).toEqual(await keyOf('Oslo'));
  expect((await keyOf('Rome')).filtersKey).not.toBe((await keyOf('Oslo')).filtersKey);
});

describe('frames', () => {
  it.each([
    ['commercial', ['https://app.powerbi.com', 'https://app.fabric.microsoft.com']],
    ['gcc', ['https://app.powerbigov.us']],
    ['gcc-high', ['https://app.high.powerbigov.us']],
    ['dod', ['https://app.mil.powerbigov.us']],
    ['china', ['https://app.powerbi.cn']],
  ] as const)('of the cloud %s are of these hosts', async (cloud, origins) => {
    connection.cloud = cloud;
    expect(await createPlatform().frameOrigins!('acme')).toEqual(origins);
  });

  it('of an organization without a connection have no host', async () => {
    expect(await createPlatform().frameOrigins!('globex')).toEqual([]);
  });
});

it('somebody who views as the reader may not export', async () => {
  const opened = (await openAs(plain, { purpose: 'view-as' })) as Frame;
  expect(opened.settings).toMatchObject({ canExport: false });
});

describe('the frame that a page shows', () => {
  it('is kept without asking Power BI while its token lasts', async () => {
    const { key } = (await openAs(plain)) as Frame;
    const asked = standIn.asked.length;
    expect(await openAs(plain, {}, { key, secondsLeft: 300 })).toEqual({ kind: 'kept' });
    expect(standIn.asked).toHaveLength(asked);
  });

  it('is renewed with the same key before its token ends', async () => {
    const { key, token } = (await openAs(secured, { roles: ['East'] })) as Frame;
    const renewed = (await openAs(
      secured,
      { roles: ['East'] },
      { key, secondsLeft: 179 },
    )) as Frame;
    expect(renewed).toMatchObject({ kind: 'frame', key });
    expect(renewed.token).not.toBe(token);
  });

  it.each([
    ['roles', { roles: ['East', 'West'] }],
    ['filters', { roles: ['East'], filters: [[{ key: 'Shop/City', value: 'Rome' }]] }],
    [
      'reader',
      {
        roles: ['East'],
        reader: { email: ['bob@acme.example'], department: [], groups: [], companies: [] },
      },
    ],
  ])('is another one after a change of %s', async (_, given) => {
    const { key } = (await openAs(secured, { roles: ['East'] })) as Frame;
    const opened = (await openAs(secured, given, { key, secondsLeft: 800 })) as Frame;
    expect(opened.kind).toBe('frame');
    expect(opened.key).not.toBe(key);
  });

  it.each(['throttled', 'unavailable', 'broken', 'paused'] as const)(
    'stays when Power BI is %s and the token is still valid, and fails when it is not',
    async (fault) => {
      const { key } = (await openAs(plain)) as Frame;
      standIn.faults.set('/GenerateToken', fault);
      expect(await openAs(plain, {}, { key, secondsLeft: 30 })).toEqual({ kind: 'kept' });
      const reason = fault === 'throttled' ? 'overloaded' : 'unavailable';
      await expect(openAs(plain, {}, { key, secondsLeft: -1 })).rejects.toMatchObject({ reason });
    },
  );
});

it.each([
  ['Microsoft Entra ID', () => `/${standIn.tenant}`, 'Entra ID did not answer'],
  ['Power BI', () => '/GenerateToken', 'larger than 32 MB'],
])('an answer of %s without an end is given up', async (_, readPath, message) => {
  const { fetch } = standIn;
  let sent = 0;
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    });
  standIn.fetch = async (input, init) =>
    (input as string).includes(readPath())
      ? new Response(endless(), { headers: { 'content-type': 'application/json' } })
      : fetch(input, init);
  await expect(openAs(plain)).rejects.toThrow(message);
  expect(sent).toBeLessThan(40);
});

it('a frame stays when Microsoft Entra ID gets too many requests', async () => {
  const { key } = (await openAs(plain)) as Frame;
  standIn.faults.set(`/${standIn.tenant}`, {
    status: 429,
    body: { error: 'temporarily_unavailable' },
  });
  expect(await openAs(plain, {}, { key, secondsLeft: 30 })).toEqual({ kind: 'kept' });
});

describe('an administrator reads what to do', () => {
  it.each<[Fault, RegExp]>([
    ['not-allowed', /tenant settings/],
    ['no-rights', /as a member/],
    ['trial-used-up', /Assign the workspace to a capacity/],
    ['moved', /connection's cloud/],
    ['not-found', /no such workspace or report/],
  ])('when Power BI answers %s', async (fault, detail) => {
    standIn.faults.set('/GenerateToken', fault);
    expect(await openAs(plain)).toMatchObject({
      kind: 'refused',
      reason: 'not-set-up',
      detail: expect.stringMatching(detail),
    });
  });

  it.each<[string, Partial<StandIn>, string]>([
    ['secret', { secret: 'another' }, 'The secret is wrong. Copy the value of the secret'],
    ['client id', { clientId: randomUUID() }, 'The tenant does not know the application.'],
    ['tenant', { tenant: randomUUID() }, 'There is no such tenant in this cloud.'],
  ])('when the %s is wrong', async (_, right, detail) => {
    const platform = createPlatform();
    Object.assign(standIn, right);
    expect(await platform.open(read(plain), opening())).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining(detail),
    });
  });
});

it('a model that got roles after the last synchronization is refused, and synchronized', async () => {
  const before = read(plain);
  standIn.workspaces = [{ ...workspace, models: [{ ...plain, roles: ['New'] }] }];
  const opened = await createPlatform().open(before, opening());
  expect(opened).toMatchObject({ kind: 'refused', reason: 'not-set-up' });
  expect(stale).toEqual(['acme']);
});

it('after Entra has ended the access token, the next request signs in anew', async () => {
  const platform = createPlatform();
  await platform.open(read(plain), opening());
  standIn.endAccess();
  expect(await platform.open(read(plain), opening())).toMatchObject({ kind: 'frame' });
});

it.skipIf(!hasOpenssl)('a certificate signs in without a secret', async () => {
  const pem = createCertificate();
  standIn.certificate = pem;
  credential = { kind: 'certificate', pem };
  expect(await openAs(plain)).toMatchObject({ kind: 'frame' });
  const [signIn] = standIn.asked;
  expect(signIn!.body).not.toContain('client_secret');
});

it.skipIf(!hasOpenssl).each([
  ['no certificate', (pem: string) => pem.replace(/-----BEGIN CERT[^]*CERTIFICATE-----/, '')],
  ['no key', (pem: string) => pem.replace(/-----BEGIN PRIVATE[^]*PRIVATE KEY-----/, '')],
])('a file with %s is refused with what to write', async (_, cut) => {
  credential = { kind: 'certificate', pem: cut(createCertificate()) };
  expect(await openAs(plain)).toMatchObject({
    kind: 'refused',
    detail: expect.stringMatching(/in PEM\.$/),
  });
  expect(standIn.asked).toEqual([]);
});

describe('no error has a secret or a token', () => {
  const secret = 'abc8Q~Xyz.0123456789_a-secret-of-40-char';
  const token = `eyJ0eXAiOi.${'AbCdEfGhIj'.repeat(3)}.signature`;
  const headers = {
    location: `https://elsewhere.example/${token}`,
    requestid: token.slice(11, 41),
    'x-powerbi-error-info': secret,
    'www-authenticate': `Bearer error="${secret}"`,
  };
  const json = { 'content-type': 'application/json' };
  const entra = '/tenant';
  const generate = '/GenerateToken';

  it.each<[string, string, Answer]>([
    ['the secret as its text', entra, { status: 200, body: secret, headers: json }],
    ['the secret as its error', entra, { status: 400, body: { error: secret } }],
    ['the secret in a header', entra, { status: 401, headers }],
    ['a token without a type', entra, { status: 200, body: { access_token: token } }],
    [
      'a token that no header takes',
      entra,
      { status: 200, body: { access_token: `a\n${token}`, expires_in: 9, token_type: 'Bearer' } },
    ],
    ['the token as its text', generate, { status: 200, body: token }],
    ['the token without its end', generate, { status: 200, body: { token, expiration: token } }],
    ...[302, 307, 400, 401, 403, 404, 429, 500].map((status): [string, string, Answer] => [
      `${status} with both`,
      generate,
      { status, body: { error: { code: secret, message: token } }, headers },
    ]),
  ])('if the answer has %s', async (_, path, answer) => {
    standIn.secret = secret;
    credential = { kind: 'secret', secret };
    standIn.faults.set(path === entra ? `/${standIn.tenant}` : path, answer);
    const failed = await openAs(plain).catch((thrown: unknown) => thrown);
    const text = inspect(failed, { depth: 10, showHidden: true });
    expect(text).toMatch(/Power BI|Entra/);
    for (const part of [secret, token].flatMap((each) => [each.slice(0, 8), each.slice(12, 20)]))
      expect([part, text.includes(part)]).toEqual([part, false]);
  });
});

it('a reader who leaves ends the request', async () => {
  standIn.faults.set('/GenerateToken', 'slow');
  const leaving = new AbortController();
  const opened = createPlatform().open(read(plain), opening({ signal: leaving.signal }));
  setTimeout(() => leaving.abort(new Error('left')), 50);
  await expect(opened).rejects.toThrow('left');
});
