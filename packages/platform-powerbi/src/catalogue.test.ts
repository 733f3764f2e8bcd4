import { randomUUID } from 'node:crypto';

import { expect, it, onTestFinished } from 'vitest';

import { StandIn, type StandInWorkspace } from '../test/support/stand-in.ts';
import { connectionSchema } from './connection.ts';
import { PowerbiError } from './errors.ts';
import { powerbiPlatform } from './platform.ts';

const signal = new AbortController().signal;

/** Waited, in milliseconds. */
let waits: number[] = [];

async function connect(workspaces: StandInWorkspace[], named = workspaces) {
  waits = [];
  const standIn = await new StandIn().start();
  onTestFinished(() => standIn[Symbol.asyncDispose]());
  standIn.workspaces = workspaces;
  const { tenant, clientId, secret, addresses, fetch } = standIn;
  const { remote } = powerbiPlatform({
    findSetUp: async () => ({
      connection: {
        tenant,
        clientId,
        cloud: 'commercial',
        workspaces: named.map(({ id }) => id),
        username: 'email',
        customData: false,
      },
      credential: { kind: 'secret', secret },
    }),
    frames: { script: '/adapter.js' },
    addresses,
    fetch,
    wait: async (ms) => {
      waits.push(ms);
      // Power BI accepts requests again.
      if (waits.filter((each) => each === 7000).length === 2) standIn.faults.clear();
    },
  });
  return { standIn, remote };
}

function createWorkspace(name: string, more: Partial<StandInWorkspace> = {}): StandInWorkspace {
  const model = { id: randomUUID(), name: `${name} model` };
  const report = { id: randomUUID(), name: `${name} report`, model: model.id };
  return { id: randomUUID(), name, reports: [report], models: [model], ...more };
}

it('lists the reports of 20 workspaces with 41 requests', async () => {
  const workspaces = Array.from({ length: 20 }, (_, index) => {
    const workspace = createWorkspace(`Workspace ${index}`);
    const [model] = workspace.models;
    const more = Array.from({ length: 9 }, (_each, at) => ({
      id: randomUUID(),
      name: `Report ${at}`,
      model: model!.id,
    }));
    return { ...workspace, reports: [...workspace.reports, ...more] };
  });
  const { standIn, remote } = await connect(workspaces);
  const { reports, datasets, notes } = await remote.list('acme', signal);
  expect([reports.length, datasets.length, notes]).toEqual([200, 20, []]);
  expect(standIn.asked.filter(({ method }) => method === 'GET')).toHaveLength(41);
});

it('keeps id, name, workspace and address, and tells whether rows depend on roles', async () => {
  const open = createWorkspace('Open');
  const secured = createWorkspace('Secured');
  secured.models[0]!.roles = ['West'];
  const { remote } = await connect([open, secured]);
  const { reports, datasets } = await remote.list('acme', signal);
  const [report] = open.reports;
  expect(reports[0]).toEqual({
    id: report!.id,
    name: 'Open report',
    workspace: { id: open.id, name: 'Open' },
    dataset: open.models[0]!.id,
    source: {
      workspaceId: open.id,
      embedUrl: `https://app.powerbi.com/reportEmbed?reportId=${report!.id}&groupId=${open.id}`,
    },
  });
  expect(datasets.map(({ name, rowAccess }) => [name, rowAccess])).toEqual([
    ['Open model', 'everyone'],
    ['Secured model', 'by-role'],
  ]);
});

it('names what is left out, and why', async () => {
  const hidden = createWorkspace('Hidden', { isMember: false });
  const other = createWorkspace('Other');
  const shop = createWorkspace('Shop');
  shop.reports.push(
    { id: randomUUID(), name: 'Invoice', model: undefined },
    { id: randomUUID(), name: 'Elsewhere', model: other.models[0]!.id },
    {
      id: randomUUID(),
      name: 'Strange',
      model: shop.models[0]!.id,
      embedUrl: 'https://app.powerbi.com.attacker.example/reportEmbed',
    },
  );
  const { remote } = await connect([hidden, other, shop], [hidden, shop]);
  const { failure, reports, datasets, notes } = await remote.list('acme', signal);
  expect(reports.map(({ name }) => name)).toEqual(['Shop report']);
  expect(datasets.map(({ name }) => name)).toEqual(['Shop model']);
  expect(notes).toEqual([
    'Report "Invoice" of workspace "Shop" is not listed: it is paginated, and has no model.',
    'Report "Elsewhere" of workspace "Shop" is not listed: its model is in none of the workspaces that the portal reads.',
    'Report "Strange" of workspace "Shop" is not listed: its address is not one of the cloud\'s hosts.',
  ]);
  expect(failure).toContain(`The application does not see the workspace ${hidden.id}.`);
});

it.each([
  ['no characters', '', undefined],
  ['control characters', 'a\0b\u001B[31m', 'a\uFFFDb\uFFFD[31m'],
  ['half a surrogate pair', 'a\uD800', 'a\uFFFD'],
  ['10,000 characters', 'x'.repeat(10_000), `${'x'.repeat(199)}…`],
  ['a pair at its end', `${'x'.repeat(198)}😀😀`, `${'x'.repeat(198)}…`],
  ['markup', '<b>Sales</b>', '<b>Sales</b>'],
])('a name with %s becomes one that the catalogue stores', async (_, name, stored) => {
  const workspace = createWorkspace('Shop');
  const [report] = workspace.reports;
  const [model] = workspace.models;
  workspace.reports.push({ id: randomUUID(), name, model: undefined });
  workspace.name = report!.name = model!.name = name;
  const { remote } = await connect([workspace]);
  const { reports, datasets, notes } = await remote.list('acme', signal);
  const expected = (id: string) => stored ?? id;
  expect(reports[0]!.name).toBe(expected(report!.id));
  expect(reports[0]!.workspace.name).toBe(expected(workspace.id));
  expect(datasets[0]!.name).toBe(expected(model!.id));
  expect(notes[0]).toContain(`of workspace "${expected(workspace.id)}"`);
});

it('ids differ in more than letter case, and a report is listed once', async () => {
  const workspace = createWorkspace('Shop');
  const [report] = workspace.reports;
  const [model] = workspace.models;
  workspace.reports.push({ ...report!, model: model!.id.toUpperCase() });
  model!.id = model!.id.toUpperCase();
  const { remote } = await connect([workspace]);
  const { reports, datasets } = await remote.list('acme', signal);
  expect(reports.map(({ id, dataset }) => [id, dataset])).toEqual([
    [report!.id, model!.id.toLowerCase()],
  ]);
  expect(datasets).toMatchObject([{ id: model!.id.toLowerCase(), source: { modelId: model!.id } }]);
});

it('leaves out a report whose model has another kind of id', async () => {
  const workspace = createWorkspace('Shop');
  const [report] = workspace.reports;
  workspace.models[0]!.id = report!.model = 'model-1';
  const { remote } = await connect([workspace]);
  expect(await remote.list('acme', signal)).toEqual({
    reports: [],
    datasets: [],
    notes: [expect.stringContaining('the id of its model is not a UUID')],
    failure: null,
  });
});

it('ends when Power BI repeats a page of workspaces', async () => {
  const { standIn, remote } = await connect([createWorkspace('Shop')]);
  const value = Array.from({ length: 5_000 }, () => ({ id: randomUUID(), name: 'Other' }));
  standIn.faults.set('/groups', { status: 200, body: { value } });
  expect(await remote.list('acme', signal)).toMatchObject({ reports: [] });
  expect(standIn.asked.filter(({ path }) => path === '/groups')).toHaveLength(2);
});

it('a workspace in other letters is the same one', () => {
  const id = randomUUID();
  const parse = (workspaces: string[]) =>
    connectionSchema.shape.workspaces.safeParse(workspaces).data;
  expect(parse([id.toUpperCase()])).toEqual([id]);
  expect(parse([id, id.toUpperCase()])).toBeUndefined();
});

it('waits as long as Power BI asks, and then goes on', async () => {
  const { standIn, remote } = await connect([createWorkspace('Shop')]);
  standIn.faults.set('/groups', 'throttled');
  const { reports } = await remote.list('acme', signal);
  expect(reports).toHaveLength(1);
  expect(waits.slice(0, 5)).toEqual([1000, 7000, 1000, 7000, 1000]);
});

it('gives up at once when Power BI asks for a long pause', async () => {
  const { standIn, remote } = await connect([createWorkspace('Shop')]);
  standIn.faults.set('/groups', { status: 429, headers: { 'retry-after': '900' } });
  await expect(remote.list('acme', signal)).rejects.toMatchObject({ failure: 'throttled' });
  expect(waits).toEqual([1000]);
});

it('gives up when Power BI refuses five times', async () => {
  const { standIn, remote } = await connect([createWorkspace('Shop')]);
  standIn.faults.set('/groups', 'throttled');
  waits.push(7000, 7000, 7000);
  await expect(remote.list('acme', signal)).rejects.toMatchObject({ failure: 'throttled' });
  expect(standIn.asked.filter(({ path }) => path === '/groups')).toHaveLength(5);
});

it.each(['not-allowed', 'broken', 'moved', 'unavailable'] as const)(
  'lists nothing, instead of a part, when a later request is answered %s',
  async (fault) => {
    const workspaces = [createWorkspace('Shop'), createWorkspace('Store')];
    const { standIn, remote } = await connect(workspaces);
    standIn.faults.set(`/groups/${workspaces[1]!.id}/datasets`, fault);
    await expect(remote.list('acme', signal)).rejects.toBeInstanceOf(PowerbiError);
  },
);

it('checks sign-in, each workspace, a token, and the trial tokens', async () => {
  const trying = createWorkspace('Trying', { hasCapacity: false });
  const hidden = createWorkspace('Hidden', { isMember: false });
  const refusing = createWorkspace('Refusing');
  const { standIn, remote } = await connect([createWorkspace('Shop'), trying, hidden, refusing]);
  standIn.faults.set(`/groups/${refusing.id}/reports`, 'no-rights');
  standIn.trialUsage = 85;
  expect(await remote.check('acme', signal)).toEqual([
    { level: 'ok', text: 'sign-in works' },
    { level: 'ok', text: 'workspace "Shop": 1 report, tokens work' },
    {
      level: 'warning',
      text: 'workspace "Trying": 1 report, tokens work; it has no capacity, so its tokens are trial tokens, which run out. Assign it to a capacity',
    },
    {
      level: 'error',
      text: `workspace ${hidden.id}: the application is not in it; add it as a member`,
    },
    {
      level: 'error',
      text: expect.stringMatching(/^workspace "Refusing": .*Add it there as a member/),
    },
    {
      level: 'warning',
      text: '85 % of the trial tokens are used. Assign the workspaces to a capacity',
    },
  ]);
});
