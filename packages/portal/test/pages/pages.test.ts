import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, createGunzip, gzipSync } from 'node:zlib';

import { sql } from 'kysely';
import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { sourceAssets } from '../../dev/assets.ts';
import { setHomeUrl, setOrigins } from '../../src/organizations/service.ts';
import { noticeOf } from '../support/notices.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { sendBeginning } from '../support/raw.ts';
import { emptyReport } from '../support/reports.ts';
import { mint, open, readSession, startSession } from '../support/viewer.ts';

let portal: TestPortal;
const folder = fs.mkdtempSync(join(os.tmpdir(), 'portal-assets-'));
beforeAll(async () => {
  fs.writeFileSync(join(folder, 'index.html'), 'a page');
  fs.writeFileSync(join(folder, 'viewer.css'), 'main {}');
  fs.writeFileSync(join(folder, 'viewer.css.br'), brotliCompressSync('main {}'));
  fs.writeFileSync(join(folder, 'viewer.css.gz'), gzipSync('main {}'));
  const preloads = ['/assets/charts.js', '/assets/shared.js'];
  const styles = ['/assets/viewer.css', '/assets/charts.css'];
  const languages = new Map(
    [...sourceAssets.languages].map(([name, language]) => [
      name,
      { ...language, script: `/assets/${name}.js` },
    ]),
  );
  const firstPage = join(folder, 'first-page.mjs');
  fs.writeFileSync(firstPage, `export const renderFirstPage = () => { throw new Error('x'); };`);
  const assets = { ...sourceAssets, folder, preloads, styles, languages, firstPage };
  portal = await startTestPortal({ assets });
});
afterAll(async () => {
  await portal.close();
  fs.rmSync(folder, { recursive: true });
});

const attack = `</title></script><script>alert("1")</script>&'<!--`;
const escaped =
  '&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;&lt;!--';

describe('names that contain markup', () => {
  beforeAll(async () => {
    const { acme, db } = portal;
    await sql`UPDATE organizations SET name = ${attack} WHERE id = ${acme.id}`.execute(db);
    await sql`UPDATE reports SET name = ${attack} WHERE id = ${acme.reportId}`.execute(db);
    await sql`UPDATE users SET name = ${attack} WHERE email = ${acme.emails.west}`.execute(db);
  });

  it('are escaped in the title and the session of the viewer’s page', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
    const page = await open(url);
    expect(page.body).toContain(`<title>${escaped}</title>`);
    expect(page.body).not.toContain('<script>alert');
    expect(page.body).not.toContain('<!--');
    expect(readSession(page)).toMatchObject({
      organization: { name: attack },
      user: { name: attack },
      reports: [{ name: attack }],
    });
  });

  it('are escaped in a notice page', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    await open(url);
    const page = await open(url);
    expect(page.body).toContain(`<p class="notice-organization">${escaped}</p>`);
    expect(page.body).not.toContain('<script>alert');
  });
});

it('the policy of each page allows only the portal’s own files, one inline script and one style', async () => {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west });
  const pages = [
    await open(url),
    await open(url),
    await open(`${acme.address}/organizations/${acme.id}`),
  ];
  for (const { headers, body } of pages) {
    const inline = /<script id="portal-boot"[^>]*>(.*?)<\/script>/s.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(inline).digest('base64');
    const policy = String(headers['content-security-policy']);
    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? '';
    expect(style).toMatch(/^:root\{--accent:#[\da-f]{6}\}$/i);
    const styleHash = createHash('sha256').update(style).digest('base64');
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      `style-src 'self' 'sha256-${styleHash}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${acme.embedOrigin}`,
    ]);
  }
});

it('each page supports small screens and dark mode, and gives the embed origins to its script', async () => {
  const { acme } = portal;
  const page = await open(`${acme.address}/organizations/${acme.id}`);
  for (const line of [
    '<html lang="en" dir="ltr">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="data:,">',
  ])
    expect(page.body).toContain(line);
  expect(page.body).toContain(
    `data-embed-origins="[&quot;${acme.embedOrigin}&quot;]" data-session-required="reloaded"`,
  );
});

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', undefined],
  [undefined, undefined],
])(
  'a file is sent to a browser that accepts %s with the encoding %s',
  async (accepted, encoding) => {
    const file = await open(
      `${portal.acme.address}/assets/viewer.css`,
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    );
    expect(file.status).toBe(200);
    expect(file.headers).toMatchObject({
      vary: 'Accept-Encoding',
      'content-type': expect.stringMatching(/^text\/css; charset=utf-8$/i),
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(file.headers['content-encoding']).toBe(encoding);
    const sizes = { br: brotliCompressSync('main {}').length, gzip: gzipSync('main {}').length };
    const size = encoding ? sizes[encoding as keyof typeof sizes] : 'main {}'.length;
    expect(file.headers['content-length']).toBe(String(size));
  },
);

it.each(['br', 'gzip'])(
  'a report’s page and data are sent compressed with %s',
  async (encoding) => {
    const { acme } = portal;
    const { emails, reportId } = acme;
    const accepted = { 'accept-encoding': encoding };
    const page = await open(
      await mint(portal, acme, { userEmail: emails.west, reportId }),
      accepted,
    );
    expect(page.headers['content-encoding']).toBe(encoding);
    const { bearer } = await startSession(portal, acme, { userEmail: emails.west });
    const data = await send(`${acme.address}/viewer/reports/${reportId}/view`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, ...accepted },
      json: { intent: 'open' },
    });
    expect(data.status).toBe(200);
    expect(data.headers['content-encoding']).toBe(encoding);
  },
);

it('a missing file is not stored by a browser', async () => {
  for (const accept of ['*/*', 'text/html']) {
    const file = await open(`${portal.acme.address}/assets/viewer-of-another-version.js`, {
      accept,
    });
    expect([file.status, file.headers['cache-control']]).toEqual([404, 'no-store']);
  }
});

it('a browser caches the files of the pages for a year, and no page', async () => {
  const { acme } = portal;
  const page = await open(`${acme.address}/organizations/${acme.id}`);
  expect(page.headers['cache-control']).toBe('no-store');
  const file = await open(`${acme.address}/assets/viewer.css`);
  expect([file.status, file.body, file.headers['cache-control']]).toEqual([
    200,
    'main {}',
    'public, max-age=31536000, immutable',
  ]);
});

it('the page of the whole portal has its own title and does not ask for a new URL', async () => {
  const { acme } = portal;
  const page = await open(await mint(portal, acme, { userEmail: acme.emails.west }));
  expect(page.body).toContain('<title>Reports</title>');
  expect(page.body).not.toContain('data-session-required');
  expect(readSession(page)).toMatchObject({
    path: `/organizations/${acme.id}`,
    reportId: null,
    organization: { id: acme.id },
    view: null,
  });
});

it('a report’s page that the service cannot draw is complete without the drawing', async () => {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
  const page = await open(url, { 'sec-fetch-dest': 'document' });
  expect(readSession(page).view).not.toBeNull();
  expect(page.body).not.toContain('id="first-page"');
  expect(portal.log.some((line) => line.includes('the first page could not be drawn'))).toBe(true);
});

it('the viewer’s page preloads the imports of its script, a notice page nothing', async () => {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west });
  const preloaded = async () =>
    [...(await open(url)).body.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(
      ([, href]) => href,
    );
  expect(await preloaded()).toEqual(['/assets/charts.js', '/assets/shared.js', '/assets/en.js']);
  expect(await preloaded()).toEqual([]);
});

it('the page is in the reader’s language and preloads only the texts of that language', async () => {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west });
  const { body } = await open(url, { 'accept-language': 'de-CH, en;q=0.5' });
  expect(body).toContain('<html lang="de" dir="ltr">');
  expect(body).toContain('<title>Berichte</title>');
  expect(body).toContain('<h1>JavaScript wird benötigt</h1>');
  expect(body).toContain('<link rel="modulepreload" href="/assets/de.js">');
  expect(body).not.toContain('/assets/en.js');
});

/** Keeps reports from being computed until the end of the test. */
function holdReports(): void {
  const { tiles } = portal;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const { compute } = tiles;
  const computing = vi.spyOn(tiles, 'compute').mockImplementation(async (request) => {
    await held;
    return compute(request);
  });
  onTestFinished(() => {
    release();
    computing.mockRestore();
  });
}

it('the page of one report starts to arrive while the report is computed', async () => {
  const { emails, reportId } = portal.acme;
  const url = new URL(await mint(portal, portal.acme, { userEmail: emails.west, reportId }));
  holdReports();
  const head = `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  const beginning = await sendBeginning(portal.publicUrl, head);
  expect(beginning).toContain('<script type="module" async');
  expect(beginning).not.toContain('viewer-session');
});

it('a compressed page of one report starts to arrive while the report is computed', async () => {
  const { emails, reportId } = portal.acme;
  const url = new URL(await mint(portal, portal.acme, { userEmail: emails.west, reportId }));
  holdReports();
  const headers = { host: url.host, 'accept-encoding': 'gzip' };
  const request = http.get(new URL(url.pathname + url.search, portal.publicUrl), { headers });
  onTestFinished(() => void request.destroy());
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(answer.headers['content-encoding']).toBe('gzip');
  const [beginning] = (await once(answer.pipe(createGunzip()), 'data')) as [Buffer];
  expect(beginning.toString()).toContain('<script type="module" async');
});

it('each page has its styles, and the viewer’s page fetches its script with a high priority', async () => {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west });
  const [page, notice] = [await open(url), await open(url)];
  for (const { body } of [page, notice])
    for (const href of ['/assets/viewer.css', '/assets/charts.css'])
      expect(body).toContain(`<link rel="stylesheet" href="${href}">`);
  const script = '<script type="module" async fetchpriority="high" src="/viewer.tsx"></script>';
  expect(page.body).toContain(script);
  expect(page.body).toContain('<div id="viewer"></div>');
  expect(notice.body).not.toContain('<script type="module"');
});

it('a notice page has a title, a heading, what happened and what to do', async () => {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west });
  await open(url);
  for (const [address, { title, text }] of [
    [url, noticeOf('used')],
    [`${acme.address}/identity?token=x`, noticeOf('unknown')],
    [`${acme.address}/organizations/${acme.id}`, noticeOf('reloaded')],
  ] as const) {
    const { body } = await open(address);
    for (const part of [`<title>${title}</title>`, `<h1>${title}</h1>`, `<p>${text}</p>`])
      expect(body).toContain(part);
  }
});

it('the pages of expired and rate-limited links name the right times', () => {
  expect(noticeOf('expired').text).toContain('works for five minutes');
  expect(noticeOf('limited').text).toContain('Wait ten seconds');
});

describe('frame-ancestors', () => {
  const policyOf = async (url: string) => {
    const policy = String((await open(url)).headers['content-security-policy']);
    return /(?:^|; )frame-ancestors ([^;]*)/.exec(policy)?.[1];
  };

  it('lists exactly the organization’s embed origins on each page', async () => {
    const { acme, globex } = portal;
    const paths = ['/identity?token=x', `/organizations/${acme.id}`];
    for (const { address, embedOrigin } of [acme, globex])
      for (const path of paths) expect(await policyOf(address + path)).toBe(embedOrigin);
    for (const { userEmail, organization } of [
      { userEmail: acme.emails.west, organization: acme },
      { userEmail: globex.emails.west, organization: globex },
    ]) {
      const url = await mint(portal, organization, { userEmail });
      expect(await policyOf(url)).toBe(organization.embedOrigin);
      expect(await policyOf(url)).toBe(organization.embedOrigin);
    }
  });

  it('lists the embed origins of the organization for a used URL at the portal’s public URL', async () => {
    const { globex, publicUrl } = portal;
    const url = await mint(portal, globex, { userEmail: globex.emails.west, baseUrl: publicUrl });
    expect((await open(url)).status).toBe(200);
    expect((await open(url)).body).toContain('<p class="notice-organization">globex</p>');
    expect(await policyOf(url)).toBe(globex.embedOrigin);
  });

  it('lists each of several origins, and none without origins', async () => {
    const { acme } = portal;
    const path = `${acme.address}/organizations/${acme.id}`;
    await setOrigins(acme.ctx, { embedOrigins: ['https://b.example', 'https://a.example'] });
    expect(await policyOf(path)).toBe('https://a.example https://b.example');
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    expect(await policyOf(url)).toBe('https://a.example https://b.example');
    await setOrigins(acme.ctx, { embedOrigins: [] });
    expect(await policyOf(path)).toBe("'none'");
    await setOrigins(acme.ctx, { embedOrigins: [acme.embedOrigin] });
    // The public URL does not belong to an organization.
    expect(await policyOf(`${portal.publicUrl}/organizations/${acme.id}`)).toBe("'none'");
  });
});

describe('the home URL of an organization', () => {
  const homeUrl = 'https://app.acme.example/reports?from="portal"';
  const linkIn = ({ body }: { body: string }) => /<a [^>]*href="([^"]*)"[^>]*>([^<]*)</.exec(body);

  it('is linked from each page that shows no report, and is part of a session', async () => {
    const { acme } = portal;
    await setHomeUrl(acme.ctx, homeUrl);
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    expect(readSession(await open(url)).organization.homeUrl).toBe(new URL(homeUrl).href);
    for (const address of [
      url,
      `${acme.address}/identity?token=x`,
      `${acme.address}/organizations/${acme.id}`,
      `${acme.address}/embed`,
    ])
      expect(linkIn(await open(address))?.slice(1)).toEqual([
        'https://app.acme.example/reports?from=%22portal%22',
        'Back to the application',
      ]);
    expect(linkIn(await open(`${portal.globex.address}/identity?token=x`))).toBeNull();
    await setHomeUrl(acme.ctx, null);
    expect(linkIn(await open(url))).toBeNull();
  });

  it('is refused if it is not a web address', async () => {
    const { acme } = portal;
    const setting = setHomeUrl(acme.ctx, 'javascript:alert(1)');
    await expect(setting).rejects.toMatchObject({ code: 'invalid_request' });
    const page = await open(`${acme.address}/identity?token=x`);
    expect(linkIn(page)).toBeNull();
  });
});

it('a page without an organization has neither its name nor a style', async () => {
  const { headers, body } = await open(portal.publicUrl, { accept: 'text/html' });
  expect(body).not.toMatch(/notice-organization|<style/);
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy).toEqual(expect.arrayContaining(["style-src 'self'", 'frame-ancestors *']));
});

it('the folder of the files has no page of its own', async () => {
  const answer = await open(`${portal.acme.address}/assets/`, { accept: 'text/html' });
  expect([answer.status, answer.body]).toEqual([404, expect.not.stringContaining('a page')]);
});

it('the page of a report that the user may no longer open has the title of all reports', async () => {
  const { acme } = portal;
  const single = { userEmail: acme.emails.east, reportId: acme.reportId };
  const url = await mint(portal, acme, single);
  const json = { userEmail: acme.emails.east, reports: [acme.reportId] };
  await portal.api('PUT', '/api/user/unlink-reports', { json });
  expect((await open(url)).body).toContain('<title>Reports</title>');
});

it('a page that fails after its beginning is broken off, with the error in the log', async () => {
  const { acme, tiles } = portal;
  const computing = vi
    .spyOn(tiles, 'compute')
    .mockResolvedValueOnce({ ...emptyReport, rowCount: 1n as never });
  onTestFinished(() => computing.mockRestore());
  const single = { userEmail: acme.emails.west, reportId: acme.reportId };
  await expect(open(await mint(portal, acme, single))).rejects.toThrow('aborted');
  const failures = () => portal.log.filter((line) => line.includes('answer broken off'));
  await expect.poll(failures).toEqual([expect.stringContaining('BigInt')]);
});

it('an address that opens the portal says so to a program, and is not spent', async () => {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west });
  const answer = await open(url, { 'sec-fetch-mode': 'cors' });
  expect(answer.json()).toMatchObject({
    code: 'navigation_required',
    detail:
      'This address opens the portal once, in a browser. It was not spent; open it in a browser.',
  });
});
