import { beforeEach, expect, it } from 'vitest';

import { refuse } from '../host-endpoint.ts';
import { becomes, frameCount, headingInFrame, setStage } from './browser.ts';
import { readyPage, speakingPage } from './pages.ts';

const stage = setStage();

// Retries are spread by chance over some seconds, which nothing here is about.
beforeEach(() => stage.page.evaluate(() => (Math.random = () => 0)));

const mount = (props: object = {}) =>
  stage.page.evaluate((given) => window.app.mount(given), props);
const causes = () => stage.page.evaluate(() => window.app.causes);
const expectFailure = async (cause: string) => {
  await becomes(stage.page, 'failed');
  expect(await causes()).toEqual([cause]);
  expect(await frameCount(stage.page)).toBe(0);
};

it("names a host whose policy has no frame-src for the portal 'blocked_by_host', at once", async () => {
  stage.host.csp = "default-src 'self'; img-src data:; frame-src 'none'";
  await stage.page.goto(stage.host.origin);
  await mount();
  await expectFailure('blocked_by_host');
  expect(stage.host.mints).toBe(1);
});

it("names a portal that does not list the host 'blocked_by_portal', at once", async () => {
  stage.portal.answer = (_, response) =>
    response.setHeader('content-security-policy', "frame-ancestors 'none'").end('<h1>No</h1>');
  await mount();
  await expectFailure('blocked_by_portal');
  expect(stage.host.mints).toBe(1);
});

it('leaves the report on show when a fresh frame of it is blocked', async () => {
  await mount();
  await becomes(stage.page, 'ready');
  stage.portal.answer = (_, response) =>
    response.setHeader('content-security-policy', "frame-ancestors 'none'").end('<h1>No</h1>');
  await stage.page.evaluate(() => window.app.handle!.refresh());
  await expect.poll(causes).toEqual(['blocked_by_portal']);
  await becomes(stage.page, 'ready');
  expect(await headingInFrame(stage.page)).toBe('Report 1');
  expect(await frameCount(stage.page)).toBe(1);
});

it('leaves the other embeds of a page alone, on show or on their way, when one is blocked', async () => {
  let answerLate = () => {};
  stage.portal.answer = ({ url }, response) => {
    const token = url!.split('token=')[1]!;
    const answer = () => response.end(readyPage(token));
    if (token === '2') answerLate = answer;
    else if (token === '1') answer();
    else response.setHeader('content-security-policy', "frame-ancestors 'none'").end('<h1>No</h1>');
  };
  await mount({ keys: ['a'] });
  await becomes(stage.page, 'ready');
  await mount({ keys: ['a', 'b'] });
  await expect.poll(() => stage.portal.requests.length).toBe(2);
  await mount({ keys: ['a', 'b', 'c'] });
  await expect.poll(causes).toEqual(['blocked_by_portal']);
  answerLate();
  await expect.poll(() => stage.page.locator('[data-portal-embed=ready]').count()).toBe(2);
  expect(await causes()).toEqual(['blocked_by_portal']);
});

it("names a refused connection 'unreachable'", async () => {
  await stage.portal.stop();
  await mount();
  await expectFailure('unreachable');
});

/** Lets each of the four attempts run into the timeout, once it is so far that `wait` resolves. */
async function timeOut(wait: (attempt: number) => Promise<void>) {
  const { page } = stage;
  await page.clock.install();
  await page.goto(stage.host.origin);
  await mount();
  for (let attempt = 1; attempt <= 4; attempt++) {
    await wait(attempt);
    await page.clock.runFor(30_000);
    await page.clock.runFor(2_000);
  }
}

it("names a server that accepts and never answers 'no_response'", async () => {
  stage.portal.answer = () => {};
  await timeOut((attempt) => expect.poll(() => stage.portal.requests.length).toBe(attempt));
  await expectFailure('no_response');
});

it("names a page that boots and never gets ready 'timed_out'", async () => {
  stage.portal.answer = (_, response) =>
    response.end(speakingPage('<h1>Working</h1>', "fetch('/connected')"));
  await timeOut((attempt) => expect.poll(() => stage.portal.requests.length).toBe(2 * attempt));
  await expectFailure('timed_out');
});

it.each([200, 500])(
  "names a mute page with status %i 'not_answering' if required",
  async (code) => {
    stage.portal.answer = (_, response) => response.writeHead(code).end('<h1>Proxy</h1>');
    await mount({ handshake: 'required' });
    await expectFailure('not_answering');
  },
);

it('takes a mute page for ready, unverified, unless required', async () => {
  stage.portal.answer = (_, response) => response.end('<h1>Another portal</h1>');
  await mount();
  await becomes(stage.page, 'ready');
  expect(await stage.page.evaluate(() => window.app.readies)).toEqual([
    { type: 'ready', unappliedFilters: [], unverified: true },
  ]);
});

it('tells a mute page from none under the policy that helmet and portalCsp write', async () => {
  const { origin } = stage.portal;
  stage.host.csp = `default-src 'self';img-src data:;frame-src 'self' ${origin};connect-src 'self' ${origin}`;
  await stage.page.goto(stage.host.origin);
  stage.portal.answer = (_, response) => response.end('<h1>Another portal</h1>');
  await mount();
  await becomes(stage.page, 'ready');
  expect(await causes()).toEqual([]);
});

it("names links that keep being refused with 410 'session_lost'", async () => {
  stage.host.embedUrl = `${stage.portal.origin}/identity?token=same`;
  await mount();
  await becomes(stage.page, 'ready');
  await stage.page.evaluate(() => window.app.handle!.refresh());
  await expect.poll(causes).toEqual(['session_lost']);
});

it("names a report that cannot be computed 'report_failed'", async () => {
  stage.portal.answer = (_, response) =>
    response
      .writeHead(502)
      .end(speakingPage('<h1>Sorry</h1>', "say({ type: 'failed', cause: 'report_failed' });"));
  await mount();
  await expectFailure('report_failed');
});

it.each([
  [401, 'not_signed_in'],
  [403, 'no_portal_user'],
  [404, 'unknown_tenant'],
  [502, 'portal_rejected_key'],
])('passes on the host endpoint’s %i %s', async (code, cause) => {
  stage.host.answer = (_, response) => refuse(code, cause)(response, {});
  await mount();
  await expectFailure(cause);
});

it("names an endpoint that fails without saying why 'endpoint_unreachable'", async () => {
  stage.host.answer = (_, response) => response.writeHead(500).end('<h1>Oops</h1>');
  await mount();
  await expectFailure('endpoint_unreachable');
});

it("names an endpoint that answers something else 'endpoint_invalid'", async () => {
  stage.host.answer = (_, response) => response.end('<h1>Sign in</h1>');
  await mount();
  await expectFailure('endpoint_invalid');
});

it("refuses a portal on the host's own origin as 'same_origin'", async () => {
  stage.host.embedUrl = `${stage.host.origin}/identity`;
  await mount();
  await expectFailure('same_origin');
});
