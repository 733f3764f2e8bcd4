import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { setOrigins } from '../../src/organizations/service.ts';
import { signInAs } from '../support/admin.ts';
import { addFramedReport } from '../support/framed-reports.ts';
import { expectProblem } from '../support/http.ts';
import { startLocalFrames, type LocalFrames } from '../support/local-frame-platform.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
let frames: LocalFrames;
let reportId: string;
beforeAll(async () => {
  frames = await startLocalFrames();
  portal = await startTestPortal({ platforms: [frames.platform], refusalLimit: 4 });
  const { emails } = portal.acme;
  ({ reportId } = await addFramedReport(portal, portal.acme, frames, {
    holders: [emails.west, emails.east],
    readers: [emails.none],
  }));
});
afterAll(() => portal.close());

const html = { accept: 'text/html' };
const load = (path: string, address = portal.acme.address, headers = {}) =>
  send(address + path, { headers: { ...html, ...headers } });

describe('GET /frames/{platform}', () => {
  it('the page of a platform may frame its product, and is framed by the viewer and what is around it', async () => {
    const { acme, adminUrl } = portal;
    const { status, headers, body } = await load('/frames/local-frame');
    expect(status).toBe(200);
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `frame-src ${frames.origin}`,
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors 'self' ${acme.embedOrigin} ${adminUrl}`,
    ]);
    expect(headers['cross-origin-embedder-policy']).toBeUndefined();
    expect(body).toContain('<title>Local frames</title>');
    expect(body).not.toMatch(/token|bearer|session/i);
  });

  it('the page of a platform is isolated on request', async () => {
    const { headers } = await load('/frames/local-frame?isolated');
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
  });

  it('a browser keeps the page of a platform only while its policy is the same', async () => {
    const first = await load('/frames/local-frame');
    expect(first.headers['cache-control']).toBe('no-cache');
    const again = { 'if-none-match': first.headers.etag };
    expect((await load('/frames/local-frame', undefined, again)).status).toBe(304);
    const { ctx, embedOrigin } = portal.acme;
    await setOrigins(ctx, { embedOrigins: [embedOrigin, 'https://other.example'] });
    expect((await load('/frames/local-frame', undefined, again)).status).toBe(200);
    await setOrigins(ctx, { embedOrigins: [embedOrigin] });
  });

  it('the page half of a platform is served as a script, which browsers revalidate', async () => {
    const { status, headers, body } = await load('/frames/local-frame/adapter.js');
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(headers['content-type']).toMatch(/^(?:text|application)\/javascript/);
    expect(body).toContain('export default');
    const again = { 'if-none-match': headers.etag };
    expect((await load('/frames/local-frame/adapter.js', undefined, again)).status).toBe(304);
    expect((await load('/frames/local-frame/adapter.css')).status).toBe(404);
  });

  it('URLs at the service’s own address may be of any organization', async () => {
    const { status, headers } = await load('/frames/local-frame', portal.publicUrl);
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'self' \*$/);
  });

  it('a platform without frames has no page', async () => {
    for (const path of ['/frames/builtin', '/frames/unknown', '/frames/local-frame/']) {
      const { status, headers } = await load(path);
      expect([path, status, headers['content-type']]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ]);
    }
    expect(
      (await send(`${portal.acme.address}/frames/local-frame`, { method: 'POST' })).status,
    ).toBe(405);
  });
});

describe('the embedder policy', () => {
  const policyOf = async (url: string) =>
    (await open(url, html)).headers['cross-origin-embedder-policy'];

  it('pages of an organization with a framed report have the embedder policy only on request', async () => {
    const { acme } = portal;
    const mintUrl = () => mint(portal, acme, { userEmail: acme.emails.west, reportId });
    expect(await policyOf(`${acme.address}/embed`)).toBeUndefined();
    expect(await policyOf(`${acme.address}/embed?isolated`)).toBe('require-corp');
    expect(await policyOf(await mintUrl())).toBeUndefined();
    expect(await policyOf(`${await mintUrl()}&isolated`)).toBe('require-corp');
    // A notice frames nothing.
    expect(await policyOf(`${acme.address}/identity?token=unknown`)).toBe('require-corp');
  });

  it('pages of an organization without a framed report have the embedder policy', async () => {
    const { globex } = portal;
    const url = await mint(portal, globex, { userEmail: globex.emails.west });
    expect(await policyOf(`${globex.address}/embed`)).toBe('require-corp');
    expect(await policyOf(url)).toBe('require-corp');
  });
});

describe('a framed report', () => {
  const start = (userEmail: string) => startSession(portal, portal.acme, { userEmail, reportId });

  it('the first data of a framed report is what admits its reader', async () => {
    const { acme } = portal;
    const session = await start(acme.emails.west);
    expect(session.view).toMatchObject({
      kind: 'frame',
      platform: 'local-frame',
      label: 'Local frames',
      roles: ['Staff'],
      canTakeAway: true,
    });
  });

  it('a held frame is kept, and renewed with another token when it ends soon', async () => {
    const { acme } = portal;
    const { view: shown, bearer } = await start(acme.emails.west);
    if (shown?.kind !== 'frame') throw new Error('The report is in no frame.');
    const ask = async (secondsLeft: number) =>
      (
        await view(acme.address, bearer, reportId, {
          intent: 'refresh',
          held: { key: shown.key, secondsLeft },
        })
      ).json();
    expect(await ask(600)).toEqual({ kind: 'kept' });
    const renewed = await ask(60);
    expect(renewed).toMatchObject({ kind: 'frame', key: shown.key });
    expect(renewed.token).not.toBe(shown.token);
  });

  it('an administrator who views a framed report as its reader can take nothing away', async () => {
    const { acme } = portal;
    const admin = await signInAs(portal, acme, 1, 'ada@acme.example');
    const [user] = (await portal.api('GET', `/api/user?email=${acme.emails.west}`)).json().data;
    const path = `/organizations/${acme.id}/users/${user.id}/view`;
    const { bearer } = readSession(
      await open((await admin.send('POST', path, { json: {} })).json().url),
    );
    const answer = await view(acme.address, bearer, reportId);
    expect(answer.json()).toMatchObject({ kind: 'frame', canTakeAway: false });
  });

  it('a reader without a role sees no rows', async () => {
    const userEmail = portal.acme.emails.none;
    const customFilters = [{ key: 'Region', value: 'West' }];
    const session = await startSession(portal, portal.acme, { userEmail, reportId, customFilters });
    expect(session.view).toMatchObject({
      kind: 'no-rows',
      roles: [],
      rowAccess: 'by-role',
      filters: customFilters,
    });
  });

  it('the reader of a report that is not set up does not learn why, and the log has the reason', async () => {
    const { acme } = portal;
    const { reportId: incomplete } = await addFramedReport(portal, acme, frames, {
      source: { isSetUp: false },
      holders: [acme.emails.west],
    });
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const answer = await view(acme.address, bearer, incomplete);
    expectProblem(answer, 'report_failed');
    expect(answer.json()).toMatchObject({
      reason: 'not_set_up',
      detail:
        'This report cannot be shown. Its set-up is incomplete or no longer works: contact your administrator.',
    });
    const logged = portal.log.findLast((line) => line.includes('report failed'));
    expect(logged).toContain('The report has no page yet.');
  });
});

// The last one, because it uses up the limit.
it('unknown addresses are refused, and limited for each client', async () => {
  const unknown = portal.acme.address.replace('acme', 'unknown');
  const statuses = [];
  for (let count = 0; count < 5; count += 1)
    statuses.push((await load('/frames/local-frame', unknown)).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
});
