import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { expectNoRemains, optionsOf, readState } from '../support/conformance.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

const program = fileURLToPath(new URL('../../../conformance/dist/cli/main.js', import.meta.url));

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

it.each(Array.from({ length: 13 }, (_, index) => index * 22 + 5))(
  'nothing remains of a check that is interrupted after %i requests',
  (requests) => expectNoRemains(portal, requests),
);

/** Starts the command, and waits until it has sent some requests. */
function startCheck() {
  const { url, apiKey, organizationId, baseUrl } = optionsOf(portal);
  const options = ['--organization', organizationId, '--base-url', baseUrl];
  const sent = portal.log.length;
  const child = spawn(process.execPath, [program, 'portal', '--url', url, '--write', ...options], {
    env: { PATH: process.env['PATH'], PORTAL_API_KEY: apiKey },
    stdio: 'pipe',
  });
  const closed = once(child, 'close');
  const waitForRequests = (count: number) =>
    vi.waitFor(() => expect(portal.log.length - sent).toBeGreaterThan(count), {
      timeout: 60_000,
      interval: 5,
    });
  return { child, closed, waitForRequests };
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'nothing remains of a command that gets %s, and it exits with 2',
  async (signal) => {
    const before = await readState(portal);
    const { child, closed, waitForRequests } = startCheck();
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    await waitForRequests(80);
    child.kill(signal);
    const [code] = (await closed) as [number];
    const [stdout, stderr] = await output;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Interrupted. Removing what the check created. Press Ctrl-C again to list it instead.\n',
    });
    expect(stdout).toContain('The run is not complete');
    expect(stdout).not.toContain('NOT REMOVED');
    expect(await readState(portal)).toEqual(before);
  },
);

it('a command that gets two signals lists what remains, and exits with 1', async () => {
  const { child, closed, waitForRequests } = startCheck();
  const stdout = text(child.stdout);
  child.stderr.on('data', () => child.kill('SIGINT'));
  await waitForRequests(80);
  child.kill('SIGINT');
  expect(await closed).toEqual([1, null]);
  const listed = [...(await stdout).matchAll(/^NOT REMOVED: the user (.+)\. Delete it$/gm)];
  expect(listed.length).toBeGreaterThan(0);
  const { users } = await readState(portal);
  const remaining = users.data
    .map(({ email }: { email: string }) => email)
    .filter((email: string) => email.startsWith('portal-conformance-'));
  expect(listed.map(([, email]) => email)).toEqual(expect.arrayContaining(remaining));
  for (const email of remaining)
    await portal.api('DELETE', `/api/user/${encodeURIComponent(email)}`);
});

it('nothing remains of a command whose output nobody reads', async () => {
  const before = await readState(portal);
  const { child, closed, waitForRequests } = startCheck();
  const stderr = text(child.stderr);
  await waitForRequests(80);
  child.stdout.destroy();
  expect(await closed).toEqual([2, null]);
  expect(await stderr).toContain('The run is not complete');
  expect(await readState(portal)).toEqual(before);
});
