import type { ConnectionDatasetSource } from '@portal-embed/report-model';
import { expect, it, vi } from 'vitest';

import { ReportError } from '#platform';

import { SourceError, type Connection } from '../connections/connection.ts';
import { Connections } from '../connections/connections.ts';
import { postgres } from '../emit/postgres.ts';
import { ConnectionSourceError, describeSource } from './connection-sources.ts';

const table = { connection: 'warehouse', table: 'orders' };

/** Describes a source whose connection fails with this error. */
function fail(
  error: Error,
  {
    source = table,
    forOperator = false,
  }: { source?: ConnectionDatasetSource; forOperator?: boolean } = {},
) {
  const describe = vi.fn().mockRejectedValue(error);
  const warehouse = { name: 'warehouse', dialect: postgres, describe } as unknown as Connection;
  const onFailure = vi.fn();
  const scope = {
    organizationId: 'acme',
    connections: new Connections([warehouse], { sourceQueries: 1, userQueries: 1 }),
    granted: new Set(['warehouse']),
    onFailure,
    forOperator,
    signal: new AbortController().signal,
  };
  return { described: describeSource(scope, source), onFailure };
}

const sourceError = (property: string, message: string) =>
  expect.objectContaining({ constructor: ConnectionSourceError, property, message });

it('a connection that does not work is explained to an operator, and to others only in the log', async () => {
  const away = new ReportError(
    'unavailable',
    'The connection "warehouse" failed: 10.0.0.7 is away.',
  );
  const author = fail(away);
  await expect(author.described).rejects.toEqual(
    sourceError(
      'connection',
      'the connection "warehouse" is unavailable; try again later, or ask the operator of the portal',
    ),
  );
  expect(author.onFailure.mock.calls).toEqual([[away]]);
  const operator = fail(away, { forOperator: true });
  await expect(operator.described).rejects.toEqual(sourceError('connection', away.message));
});

it.each([
  ['table', table],
  ['sql', { connection: 'warehouse', sql: 'SELECT * FROM orders' }],
])('a source that the database refuses is a mistake in its %s', async (property, source) => {
  const refused = fail(new SourceError('relation "orders" does not exist'), { source });
  await expect(refused.described).rejects.toEqual(
    sourceError(property, 'relation "orders" does not exist'),
  );
  expect(refused.onFailure).not.toHaveBeenCalled();
});

it('another error while a source is read is not a mistake of the author', async () => {
  const error = new TypeError('for a test');
  const { described, onFailure } = fail(error);
  await expect(described).rejects.toBe(error);
  expect(onFailure).not.toHaveBeenCalled();
});
