import { checkHostConformance } from '@portal-embed/conformance';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { jsonAnswer, mintAnswer, startFakePortal } from './fake-portal.ts';
import type { FakePortal } from './fake-portal.ts';
import { createEnvironment, sealSession } from './host-example.ts';
import type { RunningExample } from './host-example.ts';

const reportId = '6a1f4c1e-0000-4000-8000-000000000001';

/** Mints for any user, and serves a page. The URL of one report has a `returnUrl`. */
const answerLikePortal: Parameters<typeof startFakePortal>[0] = (request, response) => {
  if (request.method === 'GET') return response.end('<p>The report');
  const { baseUrl, reportId: asked } = request.body as { baseUrl?: string; reportId?: string };
  if (asked === undefined) return mintAnswer()(request, response);
  const query = new URLSearchParams({ token: crypto.randomUUID(), returnUrl: `/reports/${asked}` });
  const expiresAt = new Date(Date.now() + 300_000).toISOString();
  return jsonAnswer(200, { embedUrl: `${baseUrl}/identity?${query}`, expiresAt })(
    request,
    response,
  );
};

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
    portal = await startFakePortal(answerLikePortal);
    const env = createEnvironment(portal);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
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
