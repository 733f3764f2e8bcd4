import { checkHostConformance } from '@portal-embed/conformance';
import type { FakePortal } from '@portal-embed/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { createEnvironment, reportId, sealSession, startExamplePortal } from './host-example.ts';
import type { RunningExample } from './host-example.ts';

/**
 * Declares the test that an example of a host application breaks no rule of the contract.
 *
 * @param start starts the example, with its environment set
 */
export function testHostConformance(
  start: (env: ReturnType<typeof createEnvironment>) => Promise<RunningExample>,
): void {
  let portal: FakePortal;
  let example: RunningExample;

  beforeAll(async () => {
    portal = await startExamplePortal();
    const env = createEnvironment(portal);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    // Another test file of the worker may have loaded the example, for its own portal.
    vi.resetModules();
    example = await start(env);
    // An example may build its application first.
  }, 240_000);
  afterAll(async () => {
    await example?.[Symbol.asyncDispose]();
    await portal[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
  });

  it('the endpoint breaks no rule of the conformance kit', async () => {
    const report = await checkHostConformance({
      url: `http://acme.localhost:${example.port}/portal-embed/url`,
      session: { Cookie: await sealSession() },
      reportId,
      allowedOrigin: 'https://www.acme.example',
      lockedFilter: { key: 'Superstore/Region', value: 'West' },
    });
    const idsOf = (kind: string) =>
      report.results.filter((each) => each.kind === kind).map(({ id, got }) => `${id}: ${got}`);
    expect(idsOf('failed')).toEqual([]);
    expect(report.isComplete).toBe(true);
    // What no program can see from outside.
    expect(report.results.filter(({ kind }) => kind === 'skipped').map(({ id }) => id)).toEqual([
      'answer.portal',
      'answer.limits',
      'answer.user',
    ]);
  });
}
