import { once } from 'node:events';
import http from 'node:http';

import { send } from 'testing';
import { expect, onTestFinished, vi } from 'vitest';

import type { TestPortal } from './portal.ts';
import { startSession } from './viewer.ts';

/**
 * Opens a report and disconnects while it is computed, which only an abort ends.
 *
 * @returns what the reader saw, and the signal of the computation
 */
export async function disconnectReader(
  portal: TestPortal,
): Promise<{ outcome: unknown; signal: AbortSignal }> {
  const { acme, platform, publicUrl } = portal;
  const user = { userEmail: acme.emails.west, baseUrl: publicUrl };
  const { bearer } = await startSession(portal, acme, user);
  const computing = vi.spyOn(platform, 'compute').mockImplementation(({ signal }) =>
    once(signal, 'abort').then(() => {
      throw signal.reason;
    }),
  );
  onTestFinished(() => computing.mockRestore());
  const agent = new http.Agent();
  const asked = send(`${publicUrl}/viewer/reports/${acme.reportId}/view`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    json: { intent: 'open', filters: [] },
    agent,
  });
  const outcome = asked.catch((error: NodeJS.ErrnoException) => error.code);
  await expect.poll(() => computing.mock.calls.length).toBe(1);
  agent.destroy();
  return { outcome: await outcome, signal: computing.mock.calls[0]![0].signal };
}
