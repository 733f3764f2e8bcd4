import path from 'node:path';

import { sql } from 'kysely';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { createApiKey, revokeApiKey } from '../../src/api-keys/service.ts';
import { createCompany } from '../../src/companies/service.ts';
import { archiveItems } from '../../src/content/archive-items.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { inviteUser } from '../../src/sign-in/service.ts';
import { createUser, updateUser } from '../../src/users/service.ts';
import { apply, ordersDataset, ordersFiles, ordersReport, writeFiles } from './content-files.ts';
import { ordersCsv } from './orders.ts';
import type { TestPortal } from './portal.ts';
import { mint, open } from './viewer.ts';

const dayMs = 86_400_000;

const longName = 'Maximiliane-Alexandra von und zu Hohenstein-Wittgenstein-Berleburg';
const longEmail = `${'maximiliane-alexandra.'.repeat(2)}hohenstein@subsidiary.acme.example`;

/** What the states of the administration pages show. */
export interface AdminStage {
  /** Dataset and report of content files. */
  datasetId: string;
  reportId: string;
  /** A report that a user opened. */
  openedId: string;
  groupId: string;
  contributorId: string;
  /** Has a long name, groups, companies, and an expiry within 30 days. */
  userId: string;
  /** An organization without anything. */
  emptyId: string;
  /** Token of an invitation that stays unused. */
  invitation: string;
}

/** Fills Acme with something of each kind: long names, keys and users in each state, log entries. */
export async function fillAdministration(portal: TestPortal): Promise<AdminStage> {
  const { acme, db } = portal;
  const { ctx } = acme;
  const { datasetId, reportId } = await publishOrders(portal);
  await fillKeys(portal);

  const companyId = await createCompany(ctx, 'Initech');
  await createCompany(ctx, `${longName} Holding GmbH & Co. KGaA`);
  const { id: userId } = await createUser(ctx, { email: longEmail, name: longName, role: 3 });
  await updateUser(ctx, {
    userEmail: longEmail,
    department: 'Procurement of office supplies, southern region',
    expirationDate: new Date(Date.now() + 10 * dayMs),
    companies: [companyId],
  });
  await linkReports(ctx, { userEmail: longEmail, reports: [acme.reportId, reportId] });
  const cora = { email: 'cora@acme.example', name: 'Cora Contributor', role: 2 } as const;
  const { id: contributorId } = await createUser(ctx, cora);
  const { token: invitation } = await inviteUser(ctx, { email: 'ivo@acme.example' });
  const past = { userEmail: 'past@acme.example', expirationDate: new Date(Date.now() - dayMs) };
  await createUser(ctx, { email: past.userEmail, name: 'Past Reader', role: 3 });
  await updateUser(ctx, past);
  await archiveTwin(portal);
  for (let count = 0; count < 3; count += 1)
    await open(await mint(portal, acme, { userEmail: acme.emails.both, reportId: acme.reportId }));

  const accentColor = '#0f6e56';
  const emptyId = await createOrganization(db, { slug: 'empty', name: 'Empty', accentColor });
  return {
    datasetId,
    reportId,
    openedId: acme.reportId,
    groupId: acme.groupId,
    contributorId,
    userId,
    emptyId,
    invitation,
  };
}

async function publishOrders({ acme, datasetFolder }: TestPortal) {
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const { changes } = await apply(acme.ctx, datasetFolder, { files: ordersFiles });
  const find = (kind: string) => changes.find((change) => change.kind === kind)!.id;
  const datasetId = find('dataset');
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.west] });
  return { datasetId, reportId: find('report') };
}

/** Archives a dataset with its report. */
async function archiveTwin({ acme, datasetFolder }: TestPortal): Promise<void> {
  const { changes } = await apply(acme.ctx, datasetFolder, {
    files: {
      'datasets/twin.yaml': ordersDataset.replace('name: Orders', `name: ${longName}`),
      'reports/twin.yaml': ordersReport
        .replace('dataset: orders', 'dataset: twin')
        .replace('Order overview', 'Orders of the last year'),
    },
  });
  const items = changes.map(({ kind, id }) => ({ kind, id }));
  await archiveItems(acme.ctx, {}, { items });
}

async function fillKeys({ acme, db }: TestPortal): Promise<void> {
  const permissions = ['identity:mint'] as const;
  const expiresAt = new Date(Date.now() + 10 * dayMs);
  await createApiKey(acme.ctx, { name: 'Shop', permissions, expiresAt });
  const { id: expired } = await createApiKey(acme.ctx, { name: 'Trial', permissions, expiresAt });
  await sql`UPDATE api_keys SET expires_at = now() - interval '1 day' WHERE id = ${expired}`.execute(
    db,
  );
  const { id: revoked } = await createApiKey(acme.ctx, { name: longName, permissions });
  await revokeApiKey(acme.ctx, { id: revoked });
}
