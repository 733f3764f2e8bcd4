import { once } from 'node:events';
import http from 'node:http';

import { send } from 'testing';
import { expect, onTestFinished, vi } from 'vitest';

import type { TestPortal } from './portal.ts';
import { mint, open, readSession } from './viewer.ts';

/**
 * Opens a report and disconnects while it is computed, which only an abort ends.
 *
 * @param isFirst whether the report is that of the page of one report
 * @returns what the reader saw, and the signal of the computation
 */
export async function disconnectReader(
  portal: TestPortal,
  { isFirst = false } = {},
): Promise<{ outcome: unknown; signal: AbortSignal }> {
  const { acme, platform, publicUrl } = portal;
  const user = { userEmail: acme.emails.west, baseUrl: publicUrl };
  const url = await mint(portal, acme, isFirst ? { ...user, reportId: acme.reportId } : user);
  const bearer = isFirst ? undefined : readSession(await open(url)).bearer;
  const computing = vi.spyOn(platform, 'compute').mockImplementation(({ signal }) =>
    once(signal, 'abort').then(() => {
      throw signal.reason;
    }),
  );
  onTestFinished(() => computing.mockRestore());
  const agent = new http.Agent();
  const asked = bearer
    ? send(`${publicUrl}/viewer/reports/${acme.reportId}/view`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
        json: { intent: 'open', filters: [] },
        agent,
      })
    : send(url, { agent });
  const outcome = asked.catch((error: NodeJS.ErrnoException) => error.code);
  await expect.poll(() => computing.mock.calls.length).toBe(1);
  agent.destroy();
  return { outcome: await outcome, signal: computing.mock.calls[0]![0].signal };
}
