import { datasetSchema, reportSchema, type Report } from '@portal-embed/report-model';
import { expect, it, vi } from 'vitest';

import type { Connection } from '../connections/connection.ts';
import { Connections } from '../connections/connections.ts';
import { postgres } from '../emit/postgres.ts';
import { storeSourceOf } from './sources.ts';

const reportOn = (dataset: string, field: string): Report =>
  reportSchema.parse({
    name: 'Report',
    workspace: 'Sales',
    dataset,
    filters: [{ field }],
    pages: [{ name: 'Page', rows: [{ tiles: [{ type: 'text', text: 'Text' }] }] }],
  });

it('a check of a dataset looks at the columns of its time, its roles and the filters of its reports', async () => {
  const columns = ['Region', 'Day', 'City', 'Planet', 'Sales', 'Net'];
  const checkSource = vi.fn().mockResolvedValue([{ level: 'ok', text: 'about 5 rows' }]);
  const warehouse = {
    name: 'warehouse',
    dialect: postgres,
    describe: async () => new Map(columns.map((name) => [name, 'text'])),
    check: async () => [{ level: 'warning', text: 'not encrypted' }],
    checkSource,
  } as unknown as Connection;
  const signal = new AbortController().signal;
  const connections = {
    organizationId: 'acme',
    connections: new Connections([warehouse], { sourceQueries: 1, userQueries: 1 }),
    granted: new Set(['warehouse']),
    onFailure: () => {},
    forOperator: true,
    signal,
  };
  const definition = datasetSchema.parse({
    name: 'Orders',
    source: { connection: 'warehouse', table: 'orders' },
    time: 'Day',
    fields: [{ name: 'Net', expression: '[Sales]', type: 'number' }],
    roles: [{ name: 'West', rows: { field: 'Region', in: ['West'] } }],
  });
  const item = { file: 'datasets/orders.yaml', slug: 'orders', definition };
  const reports = [
    reportOn('orders', 'City'),
    reportOn('orders', 'Net'),
    reportOn('others', 'Planet'),
  ];
  const place = { folder: '', organizationId: 'acme' } as never;
  const stored = await storeSourceOf(item, reports, { place, connections, inspect: true });
  expect(checkSource.mock.calls[0]![1]).toEqual(['Region', 'Day', 'City']);
  expect(stored?.hints).toEqual([
    'datasets/orders.yaml: warning: not encrypted',
    'datasets/orders.yaml: about 5 rows',
  ]);
});
