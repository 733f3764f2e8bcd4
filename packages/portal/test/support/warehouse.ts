import pg from 'pg';
import { startPostgres, type PostgresCluster } from 'test-support';
import { expect } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { insertGrant } from '../../src/connections/store.ts';
import { ordersDataset, ordersReport } from './content-files.ts';
import type { TestOrganization } from './organization.ts';
import type { TestPortal } from './portal.ts';
import { startSession } from './viewer.ts';

/** A PostgreSQL server with the orders of two organizations, each in a schema of its own user. */
export interface Warehouse {
  server: PostgresCluster;
  admin: pg.Client;
  /** Connects again as the server's owner, after a restart. */
  connect: () => Promise<pg.Client>;
  /** The address for a user, at another port if the server is behind a proxy. */
  urlOf: (user: string, port?: number) => string;
  close: () => Promise<void>;
}

const tables = (name: string) => `
  CREATE ROLE ${name} LOGIN;
  CREATE SCHEMA ${name};
  GRANT USAGE ON SCHEMA ${name} TO ${name};
  CREATE TABLE ${name}.orders
    ("Region" text, "Owner" text, "Category" text, "Ordered" date, "Sales" integer);
  INSERT INTO ${name}.orders VALUES
    ('West', 'west@${name}.example', 'Chairs', '2024-01-03', 10),
    ('West', 'west@${name}.example', 'Desks', '2024-02-03', 20),
    ('East', 'east@${name}.example', 'Chairs', '2024-01-09', 15),
    ('East', 'EAST@${name}.example', 'Desks', '2024-03-01', 25);
  CREATE TABLE ${name}.managers (email text, region text);
  INSERT INTO ${name}.managers VALUES ('West@${name}.example', 'West');
  GRANT SELECT ON ALL TABLES IN SCHEMA ${name} TO ${name};
  ALTER ROLE ${name} SET search_path = ${name};`;

export async function startWarehouse(): Promise<Warehouse> {
  const server = await startPostgres();
  const connect = async () => {
    const client = new pg.Client({ connectionString: server.url('postgres') });
    // Tests kill the server.
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const admin = await connect();
  await admin.query(tables('acme') + tables('globex'));
  const warehouse: Warehouse = {
    server,
    admin,
    connect,
    urlOf: (user, port) => {
      const url = new URL(server.url('postgres'));
      url.username = user;
      if (port !== undefined) url.port = String(port);
      return url.href;
    },
    close: async () => {
      await warehouse.admin.end().catch(() => {});
      await server.stop();
    },
  };
  return warehouse;
}

/** The dataset of the tests over a source that is written in YAML's flow style. */
export const datasetOver = (source: string): string =>
  ordersDataset.replace('source:\n  file: orders.csv', `source: { ${source} }`);

export const grant = (portal: TestPortal, organization: TestOrganization, connection: string) =>
  insertGrant(portal.db, { organizationId: organization.id, connection });

interface Applied {
  reportId: string;
  datasetId: string;
}

/** Applies the dataset with its report, and lets `west` and `both` open it by their roles. */
export async function publish(
  portal: TestPortal,
  organization: TestOrganization,
  dataset: string,
  report = ordersReport,
): Promise<Applied> {
  const answer = await portal.api('PUT', '/api/content', {
    key: organization.apiKey,
    json: { files: { 'datasets/orders.yaml': dataset, 'reports/orders.yaml': report } },
  });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  const items = answer.json().changes as { kind: string; id: string }[];
  const idOf = (kind: string) => items.find((item) => item.kind === kind)!.id;
  const applied = { reportId: idOf('report'), datasetId: idOf('dataset') };
  const { ctx, emails } = organization;
  for (const userEmail of [emails.west, emails.both])
    await linkReports(ctx, { userEmail, reports: [applied.reportId] });
  const { datasetId } = applied;
  await linkUsers(ctx, { datasetId, role: 'West', usersEmails: [emails.west, emails.both] });
  await linkUsers(ctx, { datasetId, role: 'East', usersEmails: [emails.both] });
  return applied;
}

/** The bearer of a session that may open the report. */
export const startReader = async (
  portal: TestPortal,
  organization: TestOrganization,
  name: 'west' | 'both',
  reportId: string,
): Promise<string> =>
  (await startSession(portal, organization, { userEmail: organization.emails[name], reportId }))
    .bearer;
