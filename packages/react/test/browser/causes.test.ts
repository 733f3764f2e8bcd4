import { beforeEach, expect, it } from 'vitest';

import { refuse } from '../host-endpoint.ts';
import { frameCount, openWithClock, setUpSharedPage, waitForStatus } from './browser.ts';
import { readyPage, createPortalPage } from './pages.ts';

const stage = setUpSharedPage();

// Makes the random delays of retries short.
beforeEach(() => stage.page.evaluate(() => (Math.random = () => 0)));

const mount = (props: object = {}) =>
  stage.page.evaluate((given) => window.app.mount(given), props);
const causes = () => stage.page.evaluate(() => window.app.causes);
const expectFailure = async (cause: string) => {
  await waitForStatus(stage.page, 'failed');
  expect(await causes()).toEqual([cause]);
  expect(await frameCount(stage.page)).toBe(0);
};

it('a host policy without frame-src for the portal is blocked_by_host, without a retry', async () => {
  stage.host.csp = "default-src 'self'; img-src data:; frame-src 'none'";
  await stage.page.goto(stage.host.origin);
  await mount();
  await expectFailure('blocked_by_host');
  expect(stage.host.mints).toBe(1);
});

it('a portal that does not list the host is blocked_by_portal, at each request and without a retry', async () => {
  stage.portal.answer = (_, response) =>
    response.setHeader('content-security-policy', "frame-ancestors 'none'").end('<h1>No</h1>');
  await mount();
  await expectFailure('blocked_by_portal');
  expect(stage.host.mints).toBe(1);
  await stage.page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(causes).toEqual(['blocked_by_portal', 'blocked_by_portal']);
  expect(stage.host.mints).toBe(2);
});

it('a portal that blocks its shell and its report is blocked_by_portal', async () => {
  stage.portal.answer = (_, response) =>
    response.setHeader('content-security-policy', "frame-ancestors 'none'").end('<h1>No</h1>');
  await mount({ portalUrl: stage.portal.origin });
  await expectFailure('blocked_by_portal');
  expect(stage.portal.requests).toEqual(['/embed', '/identity?token=1']);
});

it('a blocked embed does not affect the other embeds of a page', async () => {
  let answerLate = () => {};
  stage.portal.answer = ({ url }, response) => {
    const token = url!.split('token=')[1]!;
    const answer = () => response.end(readyPage(token));
    if (token === '2') answerLate = answer;
    else if (token === '1') answer();
    else response.setHeader('content-security-policy', "frame-ancestors 'none'").end('<h1>No</h1>');
  };
  await mount({ keys: ['a'] });
  await waitForStatus(stage.page, 'ready');
  await mount({ keys: ['a', 'b'] });
  await expect.poll(() => stage.portal.requests.length).toBe(2);
  await mount({ keys: ['a', 'b', 'c'] });
  await expect.poll(causes).toEqual(['blocked_by_portal']);
  answerLate();
  await expect.poll(() => stage.page.locator('[data-portal-embed=ready]').count()).toBe(2);
  expect(await causes()).toEqual(['blocked_by_portal']);
});

it('a refused connection is unreachable', async () => {
  await stage.portal.stop();
  await mount();
  await expectFailure('unreachable');
});

/** Lets each of the four attempts time out after `wait` has resolved. */
async function timeOut(wait: (attempt: number) => Promise<void>) {
  await openWithClock(stage);
  const { page } = stage;
  await mount();
  for (let attempt = 1; attempt <= 4; attempt++) {
    await wait(attempt);
    await page.clock.runFor(30_000);
    await page.clock.runFor(2_000);
  }
}

it('a server that accepts and never answers is no_response', async () => {
  stage.portal.answer = () => {};
  await timeOut((attempt) => expect.poll(() => stage.portal.requests.length).toBe(attempt));
  await expectFailure('no_response');
});

it('a page that boots and is never ready is timed_out', async () => {
  stage.portal.answer = (_, response) =>
    response.end(createPortalPage('<h1>Working</h1>', "fetch('/connected')"));
  await timeOut((attempt) => expect.poll(() => stage.portal.requests.length).toBe(2 * attempt));
  await expectFailure('timed_out');
});

it.each([200, 500])(
  'a page without boot and with status %i is not_answering with handshake="required"',
  async (code) => {
    stage.portal.answer = (_, response) => response.writeHead(code).end('<h1>Proxy</h1>');
    await mount({ handshake: 'required' });
    await expectFailure('not_answering');
  },
);

it('a page without boot is ready and unverified with handshake="auto"', async () => {
  stage.portal.answer = (_, response) => response.end('<h1>Another portal</h1>');
  await mount({ handshake: 'auto' });
  await waitForStatus(stage.page, 'ready');
  expect(await stage.page.evaluate(() => window.app.readies)).toEqual([
    { unappliedFilters: [], unverified: true },
  ]);
});

it('the policies of helmet and portalCsp allow the probe of a page without boot', async () => {
  const { origin } = stage.portal;
  stage.host.csp = `default-src 'self';img-src data:;frame-src 'self' ${origin};connect-src 'self' ${origin}`;
  await stage.page.goto(stage.host.origin);
  stage.portal.answer = (_, response) => response.end('<h1>Another portal</h1>');
  await mount();
  await waitForStatus(stage.page, 'ready');
  expect(await causes()).toEqual([]);
});

it('URLs that are repeatedly answered 410 are session_lost', async () => {
  stage.host.embedUrl = `${stage.portal.origin}/identity?token=same`;
  await mount();
  await waitForStatus(stage.page, 'ready');
  await stage.page.evaluate(() => window.app.handle!.refresh());
  await expect.poll(causes).toEqual(['session_lost']);
});

it('a report that cannot be computed is report_failed', async () => {
  stage.portal.answer = (_, response) =>
    response
      .writeHead(502)
      .end(createPortalPage('<h1>Sorry</h1>', "say({ type: 'failed', cause: 'report_failed' });"));
  await mount();
  await expectFailure('report_failed');
});

it('the code of the host endpoint’s answer is the cause', async () => {
  const answers = [
    [401, 'not_signed_in'],
    [403, 'no_portal_user'],
    [404, 'unknown_tenant'],
    [502, 'portal_rejected_key'],
  ] as const;
  for (const [index, [status, code]] of answers.entries()) {
    stage.host.answer = (_, response) => refuse(status, code)(response, {});
    await mount({ keys: [code] });
    await expect.poll(causes).toHaveLength(index + 1);
    expect(await frameCount(stage.page)).toBe(0);
  }
  expect(await causes()).toEqual(answers.map(([, code]) => code));
});

it('an endpoint that fails without a code is endpoint_unreachable, and without a URL endpoint_invalid', async () => {
  stage.host.answer = (_, response) => response.writeHead(500).end('<h1>Oops</h1>');
  await mount({ keys: ['fails'] });
  await expectFailure('endpoint_unreachable');
  stage.host.answer = (_, response) => response.end('<h1>Sign in</h1>');
  await mount({ keys: ['answers'] });
  await expect.poll(causes).toEqual(['endpoint_unreachable', 'endpoint_invalid']);
  expect(await frameCount(stage.page)).toBe(0);
});

it('a portal on the host’s origin is same_origin', async () => {
  stage.host.embedUrl = `${stage.host.origin}/identity`;
  await mount();
  await expectFailure('same_origin');
});
