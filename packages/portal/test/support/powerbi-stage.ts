import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

import { StandIn } from 'platform-powerbi/testing/stand-in';

import type { RemotePlatform } from '#platform';
import { connectionSchema, powerbiPlatform } from '#platform-powerbi';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import {
  connectPlatform,
  declareRoles,
  findConnection,
} from '../../src/remote-platforms/service.ts';
import { syncPlatform } from '../../src/remote-platforms/sync.ts';
import type { TestPortal } from './portal.ts';

const standInFile = fileURLToPath(import.meta.resolve('platform-powerbi/testing/stand-in'));

/** Answers for `https://app.powerbi.com`, because the client of Power BI takes Microsoft's hosts only. */
export const productPage = fs.readFileSync(
  standInFile.replace('stand-in.ts', 'embed-page.html'),
  'utf8',
);

/** The built page half. Tests that use it build first. */
const script = fileURLToPath(new URL('../../dist/web/powerbi.js', import.meta.url));

/** A workspace with one model of two roles, and two reports, of which one has a phone layout. */
export interface PowerbiStage {
  standIn: StandIn;
  platform: RemotePlatform;
  modelId: string;
  reportId: string;
  phoneReportId: string;
  /** Connects Acme. `west` holds the role West, `east` East and `both` both; they and `none` may open. */
  connect: (portal: TestPortal) => Promise<void>;
  close: () => Promise<void>;
}

/** Starts the stand-in of Power BI, and creates its platform. */
export async function startPowerbi(): Promise<PowerbiStage> {
  const standIn = await new StandIn().start();
  const { addresses, fetch, secret } = standIn;
  const model = { id: randomUUID(), name: 'Shop', roles: ['East', 'West'] };
  const report = { id: randomUUID(), name: 'Shop sales', model: model.id };
  const phoneId = randomUUID();
  const phoneReport = {
    id: phoneId,
    name: 'Shop on a phone',
    model: model.id,
    embedUrl: `https://app.powerbi.com/reportEmbed?reportId=${phoneId}&phone`,
  };
  const workspace = {
    id: randomUUID(),
    name: 'Shop',
    models: [model],
    reports: [report, phoneReport],
  };
  standIn.workspaces = [workspace];

  let connected: TestPortal | undefined;
  const platform = powerbiPlatform({
    findSetUp: async (organizationId) => {
      const found = connected && (await findConnection(connected.db, organizationId, 'powerbi'));
      return (
        found && {
          connection: connectionSchema.parse(found.settings),
          credential: { kind: 'secret', secret },
        }
      );
    },
    frames: { script },
    addresses,
    fetch,
    wait: async () => {},
  });
  return {
    standIn,
    platform,
    modelId: model.id,
    reportId: report.id,
    phoneReportId: phoneId,
    async connect(portal) {
      connected = portal;
      const { ctx, emails } = portal.acme;
      await connectPlatform(ctx, 'powerbi', {
        tenant: standIn.tenant,
        clientId: standIn.clientId,
        cloud: 'commercial',
        workspaces: [workspace.id],
        username: 'email',
        customData: false,
      });
      await syncPlatform(ctx, platform, new AbortController().signal);
      const datasetId = model.id;
      await declareRoles(ctx, platform, { datasetId, names: model.roles });
      const { west, east, both, none } = emails;
      for (const userEmail of [west, east, both, none])
        await linkReports(ctx, { userEmail, reports: [report.id, phoneId] });
      await linkUsers(ctx, { datasetId, role: 'West', usersEmails: [west, both] });
      await linkUsers(ctx, { datasetId, role: 'East', usersEmails: [east, both] });
    },
    close: () => standIn[Symbol.asyncDispose](),
  };
}
