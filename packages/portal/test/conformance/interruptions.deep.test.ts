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

it.each(['SIGINT', 'SIGTERM'] as const)(
  'nothing remains of a command that gets %s, and it exits with 2',
  async (signal) => {
    const before = await readState(portal);
    const { url, apiKey, organizationId, baseUrl } = optionsOf(portal);
    const options = ['--organization', organizationId, '--base-url', baseUrl];
    const child = spawn(
      process.execPath,
      [program, 'portal', '--url', url, '--write', ...options],
      { env: { PATH: process.env['PATH'], PORTAL_API_KEY: apiKey }, stdio: 'pipe' },
    );
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const closed = once(child, 'close');
    const sent = portal.log.length;
    await vi.waitFor(() => expect(portal.log.length - sent).toBeGreaterThan(80), {
      timeout: 60_000,
      interval: 5,
    });
    child.kill(signal);
    const [code] = (await closed) as [number];
    const [stdout, stderr] = await output;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Interrupted. Removing what the check created. Press Ctrl-C again to stop without removing it.\n',
    });
    expect(stdout).toContain('The run is not complete');
    expect(stdout).not.toContain('NOT REMOVED');
    expect(await readState(portal)).toEqual(before);
  },
);
