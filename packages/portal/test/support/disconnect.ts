import { once } from 'node:events';
import http from 'node:http';

import { send } from 'test-support';
import { expect, onTestFinished, vi } from 'vitest';

import type { TestPortal } from './portal.ts';
import { mint, open, readSession } from './viewer.ts';

/**
 * Opens a report and disconnects while it is computed. Only an abort ends the computation.
 *
 * @param isFirst whether to open the page of a single report
 * @returns the outcome for the reader, and the signal of the computation
 */
export async function disconnectReader(
  portal: TestPortal,
  { isFirst = false } = {},
): Promise<{ outcome: unknown; signal: AbortSignal }> {
  const { acme, tiles, publicUrl } = portal;
  const user = { userEmail: acme.emails.west, baseUrl: publicUrl };
  const url = await mint(portal, acme, isFirst ? { ...user, reportId: acme.reportId } : user);
  const bearer = isFirst ? undefined : readSession(await open(url)).bearer;
  const computing = vi.spyOn(tiles, 'compute').mockImplementation(({ signal }) =>
    once(signal, 'abort').then(() => {
      throw signal.reason;
    }),
  );
  onTestFinished(() => computing.mockRestore());
  const agent = new http.Agent();
  const response = bearer
    ? send(`${publicUrl}/viewer/reports/${acme.reportId}/view`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
        json: { intent: 'open' },
        agent,
      })
    : send(url, { agent });
  const outcome = response.catch((error: NodeJS.ErrnoException) => error.code);
  await expect.poll(() => computing.mock.calls.length).toBe(1);
  agent.destroy();
  return { outcome: await outcome, signal: computing.mock.calls[0]![0].signal };
}
