import { checkHostConformance } from '@portal-embed/conformance';
import type { FakePortal } from '@portal-embed/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { createEnvironment, reportId, sealSession, startExamplePortal } from './host-example.ts';
import type { RunningExample } from './host-example.ts';

interface Example {
  /** Signs a user in and returns their cookie. Default: the sealed session of the examples. */
  signIn?: (port: number) => Promise<string>;
  /** An origin whose pages may call the endpoint. Default: there is none. */
  allowedOrigin?: string;
  /** Whether the example locks a filter. Default: true. */
  hasLock?: boolean;
}

/**
 * Declares the test that an example of a host application breaks no rule of the contract.
 *
 * @param start starts the example, with its environment set
 */
export function testHostConformance(
  start: (env: ReturnType<typeof createEnvironment>) => Promise<RunningExample>,
  { signIn = () => sealSession(), allowedOrigin, hasLock = true }: Example = {},
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
      otherUrl: `http://globex.localhost:${example.port}/portal-embed/url`,
      session: { Cookie: await signIn(example.port) },
      reportId,
      ...(allowedOrigin !== undefined && { allowedOrigin }),
      ...(hasLock && { lockedFilter: { key: 'Superstore/Region', value: 'West' } }),
    });
    const idsOf = (kind: string) =>
      report.results.filter((each) => each.kind === kind).map(({ id, got }) => `${id}: ${got}`);
    expect(idsOf('failed')).toEqual([]);
    expect(report.isComplete).toBe(true);
    // What no program can see from outside.
    expect(
      new Set(report.results.filter(({ kind }) => kind === 'skipped').map(({ id }) => id)),
    ).toEqual(
      new Set([
        'answer.portal',
        'answer.limits',
        'answer.user',
        ...(allowedOrigin === undefined ? ['origin.allowed'] : []),
        ...(hasLock ? [] : ['answer.locked-filter', 'answer.locked-filter-respelled']),
      ]),
    );
  });
}
