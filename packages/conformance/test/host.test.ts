import { jsonAnswer } from 'test-support/fake-portal';
import { expect, it } from 'vitest';

import { checkHostConformance, exitCodeOf } from '../src/index.ts';
import type { HostOptions, Report } from '../src/index.ts';
import { refusal, startFakeHost } from './fake-host.ts';
import { runInProcess } from './terminal.ts';

const env = { HOST_COOKIE: 'session=west' };
const session = { Cookie: 'session=west' };

const resultOf = ({ results }: Report, id: string) => results.find((each) => each.id === id);

/** The host name of another tenant of the same application. */
const otherUrlOf = ({ url }: { url: string }) =>
  `${url.replace('127.0.0.1', 'other.localhost')}/url`;

const check = (host: { url: string }, more: Partial<HostOptions> = {}): Promise<Report> =>
  checkHostConformance({ url: `${host.url}/url`, session, ...more });

it('a method that the framework does not route passes, and the rule says so', async () => {
  await using host = await startFakeHost();
  const report = await check(host);
  // No check made a mistake of its own.
  expect(report.isComplete).toBe(true);
  expect(resultOf(report, 'method.get')).toMatchObject({
    kind: 'passed',
    expected: 'GET mints nothing: 405 with Allow: POST, or 404',
    got: '404',
  });
});

it.each([401, 403, 419])(
  'a %i without a code is an answer of other middleware, which portal-embed-check finds',
  async (status) => {
    const forged = jsonAnswer(status, { error: 'CSRF token missing' });
    await using host = await startFakeHost(() => forged);
    const { code, stdout, stderr } = await runInProcess(['host', '--url', host.url], env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      `This answer is not from a host endpoint, because it has no code: ${status} with application/json: {"error":"CSRF token missing"}. Other middleware answers. Run portal-embed-check.`,
    );
  },
);

it.each([
  ['not_signed_in', 'does not know the session: 401'],
  ['forbidden', 'refuses the user: 403'],
  ['cross_site', 'refuses the user: 403'],
  ['unknown_tenant', 'knows no tenant with this host name: 404'],
] as const)('the refusal %s of an endpoint says what to do', async (code, message) => {
  await using host = await startFakeHost(() => refusal(code));
  const { stderr, ...result } = await runInProcess(['host', '--url', host.url], env);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('middleware');
});

it('a run that uses up the limit of the host is not complete, and says how to go on', async () => {
  let left = 40;
  const limited = jsonAnswer(429, {}, { 'Retry-After': '55' });
  await using host = await startFakeHost(() => ((left -= 1) < 0 ? limited : undefined));
  const report = await check(host);
  expect(resultOf(report, 'answer.fresh')).toMatchObject({
    kind: 'skipped',
    got: 'the host answers 429, because this user has sent too many requests. Wait a minute between runs',
  });
  expect(report.isComplete).toBe(false);
  const sound = { ...report, results: report.results.filter(({ kind }) => kind !== 'failed') };
  expect(exitCodeOf(sound)).toBe(2);
});

it('an answer that is cut ends with an ellipsis', async () => {
  const text = `This tenant may not ${'create a URL '.repeat(20)}`;
  await using host = await startFakeHost(({ body }) =>
    (body as { reportId?: unknown } | undefined)?.reportId === 'no-uuid'
      ? jsonAnswer(403, { detail: text })
      : undefined,
  );
  expect(resultOf(await check(host), 'body.reportId-text')?.got).toMatch(
    /^answers 403 with application\/json: \{"detail":"This tenant .+…, not 400 invalid_request$/,
  );
});

it('of an HTML page, the text is printed', async () => {
  const page = `<!doctype html><html><head><title>Expired</title><style>${'a{}'.repeat(100)}</style>
    <script>start()</script></head><body><h1>This link was used</h1><!-- 1 --><p>Open it again.</p></body></html>`;
  await using host = await startFakeHost(({ url }) =>
    url.startsWith('/opened')
      ? (_, response) => response.writeHead(410, { 'Content-Type': 'text/html' }).end(page)
      : undefined,
  );
  expect(resultOf(await check(host), 'answer.unused')).toMatchObject({
    kind: 'failed',
    got: 'its page answers 410 with text/html: Expired This link was used Open it again.',
  });
});

it('the cookie is sent to no other host, also if the address has no path', async () => {
  await using host = await startFakeHost();
  const { results } = await checkHostConformance({ url: host.url, session });
  expect(results.find(({ id }) => id === 'method.open')).toMatchObject({
    got: 'it is not enabled',
  });
  expect(host.received.map(({ url }) => url)).toContain('/open');
});

it('a session that is valid at the host name of another tenant breaks a rule', async () => {
  await using host = await startFakeHost();
  expect(
    resultOf(await check(host, { otherUrl: otherUrlOf(host) }), 'session.other-tenant'),
  ).toMatchObject({ kind: 'failed', got: 'answers 200 with a URL' });
});

it('a session of one tenant passes, if the host name of another one needs a new one', async () => {
  await using host = await startFakeHost(({ headers }) =>
    headers.host?.startsWith('other.') ? refusal('not_signed_in') : undefined,
  );
  expect(
    resultOf(await check(host, { otherUrl: otherUrlOf(host) }), 'session.other-tenant'),
  ).toMatchObject({ kind: 'passed', got: '401 not_signed_in' });
  expect(host.received.filter(({ headers }) => headers.host?.startsWith('other.'))).toEqual([
    expect.objectContaining({
      headers: expect.objectContaining({
        cookie: 'session=west',
        origin: new URL(otherUrlOf(host)).origin,
      }),
    }),
  ]);
});

it('without the host name of another tenant, the rule about it is skipped', async () => {
  await using host = await startFakeHost();
  expect(resultOf(await check(host), 'session.other-tenant')).toMatchObject({
    kind: 'skipped',
    got: 'needs the endpoint at the host name of another tenant; pass --other-url',
  });
});
