import fs from 'node:fs';
import path from 'node:path';

import { permissions } from '@portal-embed/contract';
import {
  applyContent,
  createApiKey,
  createOrganization,
  createUser,
  linkReports,
  linkUsers,
  listReports,
  openDatabase,
  operatorContext,
  setOrigins,
} from '@portal-embed/portal';

import { flightsFile, readDemoContent } from './flights.ts';

/** At which the organization's pages are reached; requests carry its host name. */
export const address = 'http://flights.portal.localhost:4999';

/** At which the service says it is reached. */
export const publicUrl = 'http://localhost:4999';

export interface Readers {
  organizationId: string;
  apiKey: string;
  reportId: string;
  /** A report of one bar chart. */
  tileId: string;
  /** E-mails of readers who see the same rows. */
  equal: string[];
  /** E-mails of readers who each see other rows. */
  different: string[];
}

const tileName = 'One tile';

const tileReport = `name: ${tileName}
workspace: Benchmark
dataset: flights
filters:
  - field: distance
pages:
  - name: Page
    rows:
      - tiles:
          - { type: bar, x: origin, y: Flights }
`;

/**
 * Applies the demo's flights with a role for all rows and one for each reader.
 *
 * @param base the repository of an older version that also reads them; default: this one alone
 */
export async function seedReaders(
  databaseUrl: string,
  dataDir: string,
  count: number,
  base?: string,
): Promise<Readers> {
  const { db, close } = await openDatabase({ databaseUrl, dataDir });
  try {
    const organizationId = await createOrganization(db, {
      slug: 'flights',
      name: 'Flights',
      accentColor: '#0f6e56',
    });
    const ctx = operatorContext({ db, organizationId, publicUrl });
    await setOrigins(ctx, { addresses: [address], embedOrigins: [] });
    const { key: apiKey } = await createApiKey(ctx, { name: 'benchmark', permissions });
    const datasetFolder = path.join(dataDir, 'datasets');
    const data = path.join(datasetFolder, organizationId, 'flights.parquet');
    fs.mkdirSync(path.dirname(data), { recursive: true });
    fs.copyFileSync(flightsFile, data);
    const indexes = Array.from({ length: count }, (_, index) => index);
    const roles = indexes.map(
      (index) => `  - name: Role ${index}\n    rows: { field: distance, after: ${index} }\n`,
    );
    const dataset = readDemoContent('datasets/flights.yaml', base).replace(
      'rowAccess: everyone\n',
      '',
    );
    const report = readDemoContent('reports/flight-delays.yaml', base);
    const files = {
      'datasets/flights.yaml': `${dataset}roles:\n  - name: All\n    rows: all\n${roles.join('')}`,
      'reports/flight-delays.yaml': report.replace('filters:\n', 'filters:\n  - field: distance\n'),
      'reports/tile.yaml': tileReport,
    };
    await applyContent(ctx, { datasetFolder }, { files });
    const { data: reports } = await listReports(ctx, { pageNumber: 1, pageSize: 2 });
    const [tileId, reportId] = [true, false].map(
      (isTile) => reports.find(({ name }) => (name === tileName) === isTile)!.id,
    ) as [string, string];
    const datasetId = reports[0]!.dataset_id;
    const create = async (email: string, role: string) => {
      await createUser(ctx, { email, name: email, role: 3 });
      await linkReports(ctx, { userEmail: email, reports: [reportId, tileId] });
      await linkUsers(ctx, { datasetId, role, usersEmails: [email] });
      return email;
    };
    const equal: string[] = [];
    const different: string[] = [];
    for (const index of indexes) {
      equal.push(await create(`equal-${index}@flights.example`, 'All'));
      different.push(await create(`different-${index}@flights.example`, `Role ${index}`));
    }
    return { organizationId, apiKey, reportId, tileId, equal, different };
  } finally {
    await close();
  }
}
