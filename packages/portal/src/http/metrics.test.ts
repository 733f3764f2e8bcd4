import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { send } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { expectProblem } from '../../test/support/http.ts';
import { createLogger } from '../logger.ts';
import { createMetrics, createMetricsServer } from './metrics.ts';

it('metrics that cannot be read answer a problem document, and the error is logged', async () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const metrics = createMetrics(() => ({ total: 0, idle: 0, waiting: 0, max: 0 }));
  const read = () => Promise.reject(new Error('no metrics'));
  const server = createMetricsServer({ ...metrics, read }, logger).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expectProblem(await send(`http://127.0.0.1:${port}/metrics`), 'internal_error');
  await expect.poll(() => lines.join('')).toContain('no metrics');
});
