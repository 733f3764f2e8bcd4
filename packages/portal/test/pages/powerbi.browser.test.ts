import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { StandIn } from 'platform-powerbi/testing/stand-in';
import { createTemporaryFolder } from 'test-support';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { connectionSchema, powerbiPlatform } from '#platform-powerbi';

import { linkReports, unlinkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import {
  connectPlatform,
  declareRoles,
  findConnection,
} from '../../src/remote-platforms/service.ts';
import { syncPlatform } from '../../src/remote-platforms/sync.ts';
import { setUpFrameHost } from '../support/frame-host.ts';

const pageOfPowerbi = fs.readFileSync(
  fileURLToPath(import.meta.resolve('platform-powerbi/testing/stand-in')).replace(
    'stand-in.ts',
    'embed-page.html',
  ),
  'utf8',
);

let standIn: StandIn;
let scripts: string;
const { stage, frame, read, answers, expectAnswer, load, mintFor, openReport } = setUpFrameHost(
  {},
  async () => {
    standIn = await new StandIn().start();
    scripts = createTemporaryFolder('portal-powerbi-');
    await build({
      configFile: false,
      logLevel: 'error',
      resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
      build: {
        outDir: scripts,
        modulePreload: false,
        rolldownOptions: {
          input: fileURLToPath(import.meta.resolve('platform-powerbi/page')),
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: 'powerbi.js' },
        },
      },
    });
    const { addresses, fetch, secret } = standIn;
    return [
      powerbiPlatform({
        findSetUp: async (organizationId) => {
          const found = await findConnection(stage.portal.db, organizationId, 'powerbi');
          return (
            found && {
              connection: connectionSchema.parse(found.settings),
              credential: { kind: 'secret', secret },
            }
          );
        },
        frames: { script: path.join(scripts, 'powerbi.js') },
        addresses,
        fetch,
        wait: async () => {},
      }),
    ];
  },
);

const model = { id: randomUUID(), name: 'Shop', roles: ['East', 'West'] };
const report = { id: randomUUID(), name: 'Power BI report', model: model.id };
const workspace = { id: randomUUID(), name: 'Shop', models: [model], reports: [report] };

beforeAll(async () => {
  const { acme, platforms } = stage.portal;
  standIn.workspaces = [workspace];
  await connectPlatform(acme.ctx, 'powerbi', {
    tenant: standIn.tenant,
    clientId: standIn.clientId,
    cloud: 'commercial',
    workspaces: [workspace.id],
    username: 'email',
    customData: false,
  });
  const platform = platforms.find('powerbi') as ReturnType<typeof powerbiPlatform>;
  await syncPlatform(acme.ctx, platform, new AbortController().signal);
  const datasetId = model.id;
  await declareRoles(acme.ctx, platform, { datasetId, names: model.roles });
  const { west, east } = acme.emails;
  for (const userEmail of [west, east])
    await linkReports(acme.ctx, { userEmail, reports: [report.id] });
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [west] });
  await linkUsers(acme.ctx, { datasetId, role: 'East', usersEmails: [east] });
});
afterAll(async () => {
  await standIn[Symbol.asyncDispose]();
  fs.rmSync(scripts, { recursive: true });
});

let logged: string[];
beforeEach(async () => {
  logged = [];
  stage.page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) logged.push(message.text());
  });
  await stage.page.route('https://app.powerbi.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: pageOfPowerbi }),
  );
});

const product = () => frame().frameLocator('.framed-page').frameLocator('iframe');
const shown = { reportId: report.id };

describe('a report of Power BI', () => {
  it('is shown in its own page with a token of the reader, and tells the host', async () => {
    await load();
    await openReport(1, 'west', {
      ...shown,
      customFilters: [{ key: 'Shop/City', value: 'Oslo' }],
    });
    await product().getByRole('heading', { name: report.id }).waitFor();
    const { token, request } = standIn.issued.at(-1)!;
    expect(request.identities).toEqual([
      { username: 'west@acme.example', roles: ['West'], datasets: [model.id] },
    ]);
    expect(await product().locator('#log').textContent()).toContain(`load ${token}`);
    expect(await product().locator('#filters').textContent()).toBe('Shop/City = Oslo');
    await expectAnswer(1, { type: 'ready', unappliedFilters: [] });
    expect(logged).toEqual([]);
  });

  it('shows the page of the reader again in a new frame', async () => {
    await load();
    await openReport(1, 'west', shown);
    const readView = async () => (await read<{ view: string }[]>(`of('view')`)).at(-1)?.view;
    const before = await readView();
    await product().getByRole('button', { name: 'Next page' }).click();
    await expect.poll(readView).not.toBe(before);
    const view = await readView();
    await stage.page.goto(stage.hostOrigin);
    await read(`options = ${JSON.stringify({ view })}`);
    await load(await mintFor('west', shown));
    await product().getByText('second', { exact: true }).waitFor();
    await product().getByText('bookmark state of second').waitFor();
  });

  it('counts an export', async () => {
    await load();
    await openReport(1, 'west', shown);
    const before = (await listExports()).length;
    await product().getByRole('button', { name: 'Export data' }).click();
    await expect.poll(async () => (await listExports()).length).toBe(before + 1);
  });

  it('goes when the reader loses the access', async () => {
    await load();
    await openReport(1, 'east', shown);
    await product().getByRole('heading', { name: report.id }).waitFor();
    const { acme } = stage.portal;
    await unlinkReports(acme.ctx, { userEmail: acme.emails.east, reports: [report.id] });
    await frame().locator('.framed-page').waitFor({ state: 'detached', timeout: 60_000 });
    expect(await answers(1)).not.toEqual([]);
  }, 90_000);
});

const listExports = async () =>
  (await stage.portal.api('GET', '/api/report-audit?action=2')).json().data as object[];
