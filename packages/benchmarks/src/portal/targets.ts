import fs from 'node:fs/promises';
import path from 'node:path';

import { permissions } from '@portal-embed/contract';
import {
  applyContent,
  createApiKey,
  createOrganization,
  createUser,
  linkReports,
  openDatabase,
  operatorContext,
  type Database,
} from '@portal-embed/portal';
import { CompiledQuery } from 'kysely';

import {
  captureStatements,
  createToken,
  sha256,
  type Statement,
  type Subject,
} from './statements.ts';

/** At which the service says it is reached; requests carry its host name. */
export const publicUrl = 'http://localhost:4999';

/** A database of its own for one of the contenders. */
export interface Target {
  databaseUrl: string | undefined;
  dataDir: string;
  apiKey: string;
  subject: Subject;
  statements: Statement[];
  /** Tokens of URLs that have not been redeemed; each is good for one request. */
  tokens: string[];
}

const content = {
  'datasets/orders.yaml': `name: Orders
source: { file: orders.csv }
rowAccess: everyone
metrics:
  - name: Sales
    expression: sum(Sales)
`,
  'reports/orders.yaml': `name: Orders
workspace: Sales
dataset: orders
pages:
  - name: Overview
    rows:
      - tiles: [{ type: kpi, metric: Sales }]
`,
};

export async function prepareTarget(
  dataDir: string,
  databaseUrl: string | undefined,
  tokenCount: number,
): Promise<Target> {
  const { db, close } = await openDatabase({ databaseUrl, dataDir });
  const organizationId = await createOrganization(db, {
    slug: 'bench',
    name: 'Bench',
    accentColor: '#0f6e56',
  });
  const ctx = operatorContext({ db, organizationId, publicUrl });
  const { id: apiKeyId, key } = await createApiKey(ctx, { name: 'bench', permissions });
  const userEmail = 'reader@bench.example';
  await createUser(ctx, { email: userEmail, name: 'Reader', role: 3 });
  const datasetFolder = path.join(dataDir, 'datasets');
  await fs.mkdir(path.join(datasetFolder, organizationId), { recursive: true });
  await fs.writeFile(path.join(datasetFolder, organizationId, 'orders.csv'), 'Sales\n1\n');
  const { changes } = await applyContent(ctx, { datasetFolder }, { files: content });
  const reportId = changes.find(({ kind }) => kind === 'report')!.id;
  await linkReports(ctx, { userEmail, reports: [reportId] });
  const subject = { organizationId, apiKeyId, userEmail, reportId, address: publicUrl };
  const statements = await captureStatements(db, subject);
  const tokens = Array.from({ length: tokenCount }, createToken);
  await insertUrls(db, tokens);
  await close();
  return { databaseUrl, dataDir, apiKey: key, subject, statements, tokens };
}

/**
 * Copies the only URL, with a lifetime of an hour. It opens the whole portal, because the page of a
 * report may include the computed report, which is a different measurement.
 */
async function insertUrls(db: Database, tokens: string[]): Promise<void> {
  const insert = `
    INSERT INTO identity_urls (token_hash, organization_id, user_id, user_email, address, report_id,
      hide_menu, hide_navbar, hide_sidebar, custom_filters, expires_at)
    SELECT hash, organization_id, user_id, user_email, address, NULL,
      hide_menu, hide_navbar, hide_sidebar, custom_filters, now() + interval '1 hour'
    FROM unnest($1::bytea[]) AS hash, (SELECT * FROM identity_urls LIMIT 1) AS url`;
  for (let start = 0; start < tokens.length; start += 5_000) {
    const hashes = tokens.slice(start, start + 5_000).map(sha256);
    await db.executeQuery(CompiledQuery.raw(insert, [hashes]));
  }
}
