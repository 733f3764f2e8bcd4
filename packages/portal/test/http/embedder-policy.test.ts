import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
const load = (address: string, headers = {}) =>
  send(address, { headers: { accept: html, 'sec-fetch-mode': 'navigate', ...headers } });
const mintUrl = () =>
  mint(portal, portal.acme, {
    userEmail: portal.acme.emails.west,
    reportId: portal.acme.reportId,
  });
/** Mints a URL and spends it. */
const spendUrl = async () => {
  const url = await mintUrl();
  await load(url);
  return url;
};

type Address = () => string | Promise<string>;

describe('pages that hosts may frame', () => {
  it.each<[string, number, Address]>([
    ['the shell', 200, () => `${portal.acme.address}/embed`],
    ['the page of a URL', 200, mintUrl],
    ['the notice of a used URL', 410, spendUrl],
    ['the notice of an unknown URL', 410, () => `${portal.acme.address}/identity?token=unknown`],
    ['the notice of a URL without a token', 410, () => `${portal.acme.address}/identity`],
    [
      'the notice of a page of all reports that is loaded again',
      401,
      () => `${portal.acme.address}/organizations/${portal.acme.id}`,
    ],
    [
      'the notice of a report that is loaded again',
      401,
      () =>
        `${portal.acme.address}/organizations/${portal.acme.id}/reports/${portal.acme.reportId}`,
    ],
    ['the notice of an unknown address', 404, () => `${portal.acme.address}/nowhere`],
    ['the notice of an unknown organization', 404, () => 'http://unknown.localhost/embed'],
    ['the page of the root', 200, () => `${portal.acme.address}/`],
  ])('%s sends the embedder policy require-corp', async (_, status, find) => {
    const url = new URL(await find());
    // The port is that of the portal, so only the host name is unknown.
    if (url.hostname === 'unknown.localhost') url.port = new URL(portal.acme.address).port;
    const { status: answered, headers } = await load(url.href);
    expect({
      status: answered,
      type: headers['content-type'],
      policy: headers['cross-origin-embedder-policy'],
      resourcePolicy: headers['cross-origin-resource-policy'],
    }).toEqual({
      status,
      type: 'text/html; charset=utf-8',
      policy: 'require-corp',
      resourcePolicy: 'cross-origin',
    });
  });
});

describe('everything else', () => {
  it.each<[string, Address, object]>([
    ['the administration', () => `${portal.adminUrl}/admin`, {}],
    ['a page of the administration', () => `${portal.adminUrl}/admin/organizations`, {}],
    ['the page of the API', () => `${portal.publicUrl}/docs`, {}],
    ['the document of the API', () => `${portal.publicUrl}/openapi.json`, {}],
    ['a refusal of the API', () => `${portal.publicUrl}/api/report`, { accept: '*/*' }],
    ['an unknown address for a script', () => `${portal.acme.address}/nowhere`, { accept: '*/*' }],
    ['a file of the pages', () => `${portal.acme.address}/assets/nowhere.js`, { accept: '*/*' }],
    ['the check of readiness', () => `${portal.publicUrl}/readyz`, { accept: '*/*' }],
  ])('%s sends no embedder policy', async (_, find, headers) => {
    const answer = await load(await find(), headers);
    expect(answer.headers['cross-origin-embedder-policy']).toBeUndefined();
  });
});
