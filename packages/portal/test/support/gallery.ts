import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { launchHeadless } from 'test-support';
import { galleryPage, galleryView } from 'viewer/test/gallery';
import { portalSession, reportSession } from 'viewer/test/samples';
import { afterAll, beforeAll } from 'vitest';

import {
  noticeDocument,
  shellDocument,
  escapeJson,
  viewerBody,
  viewerHead,
} from '../../src/pages/documents.ts';
import { chooseLanguage } from '../../src/pages/languages.ts';
import { pagePolicy } from '../../src/pages/policy.ts';
import { loadBuiltAssets } from './built-assets.ts';

const assets = await loadBuiltAssets();

/** Where readers go back to. */
const homeUrl = 'http://127.0.0.1/application';

const appearance = {
  organizationName: 'Acme',
  accentColor: undefined,
  look: null,
  homeUrl,
  logo: null,
  language: null,
  embedOrigins: ['*'],
  hasFrames: false,
};
const organization = { ...portalSession.organization, homeUrl };

/** Reports in 20 workspaces. */
const manyReports = Array.from({ length: 500 }, (_, index) => ({
  id: `5a1e0000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  name: `Report ${index + 1}${index % 9 === 0 ? ' of a department with a long name' : ''}`,
  description: index % 3 === 0 ? 'What was sold, where and by whom' : null,
  workspaceName: `Workspace ${(index % 20) + 1}`,
}));
const favorites = [manyReports[3]!.id, manyReports[8]!.id];
const recent = manyReports.slice(20, 24).map(({ id }) => id);

/** Widths of pages, in pixels, from a phone to a large screen. */
export const layoutWidths: readonly number[] = [320, 390, 768, 1024, 1440, 1920, 2560];

/** Number of drawings in the gallery. */
export const galleryDrawings = 20;

interface OpenOptions {
  width: number;
  locale?: string;
  forcedColors?: 'active';
  colorScheme?: 'light' | 'dark';
  javaScriptEnabled?: boolean;
  hasTouch?: boolean;
}

/** Serves a page with every kind of tile, and opens it in Chromium. */
export function setUpGallery() {
  let browser: Awaited<ReturnType<typeof launchHeadless>>;
  /** Requests for the charts' script and for the report's data wait for these. */
  const stage = {
    charts: Promise.resolve(),
    data: Promise.resolve(),
    /** The bodies of the requests for the report's data. */
    requests: [] as object[],
  };

  const scopeOf = (req: express.Request) => ({
    assets,
    appearance,
    language: chooseLanguage(assets.languages, req, appearance.language),
  });

  const write = (session: object) => escapeJson(JSON.stringify(session));
  const app = express();
  app.use('/assets', async (req, _, next) => {
    if (req.path.includes('chart-code')) await stage.charts;
    next();
  });
  app.use('/assets', express.static(assets.folder));
  app.get('/report', (req, res) => {
    const session = {
      ...reportSession,
      view: req.query['empty'] === undefined ? galleryView : null,
    };
    const scope = scopeOf(req);
    res
      .set('Content-Security-Policy', pagePolicy(assets, appearance))
      .type('html')
      .send(viewerHead(scope, 'Superstore sales') + viewerBody(scope, write(session)));
  });
  app.put('/viewer/reports/:id/favorite', (_, res) => {
    res.json({});
  });
  app.get('/home', (req, res) => {
    const session = { ...portalSession, organization, reports: manyReports, favorites, recent };
    res
      .type('html')
      .send(viewerHead(scopeOf(req), undefined) + viewerBody(scopeOf(req), write(session)));
  });
  app.get('/shell', (req, res) => {
    res.type('html').send(shellDocument(scopeOf(req)));
  });
  app.get('/notice', (req, res) => {
    res.type('html').send(noticeDocument(scopeOf(req), 'used'));
  });
  app.get('/framed/:path', (req, res) => {
    res.type('html').send(`<iframe src="/${req.params.path}" width="800" height="600">`);
  });
  app.post('/viewer/reports/:id/view', express.json(), async (req, res) => {
    await stage.data;
    const { page = 0 } = req.body as { page?: number };
    stage.requests.push(req.body as object);
    res.json(galleryPage(page));
  });
  app.post('/viewer/reports/:id/print', (_, res) => {
    res.json({});
  });
  const server = createServer(app);

  beforeAll(async () => {
    browser = await launchHeadless();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  return {
    stage,
    /** Opens the gallery, and collects console errors and warnings, and uncaught errors. */
    async open({ width, locale = 'en-US', ...options }: OpenOptions, path = '/report') {
      const page = await browser.newPage({ viewport: { width, height: 800 }, locale, ...options });
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      const { port } = server.address() as AddressInfo;
      await page.goto(`http://127.0.0.1:${port}${path}`);
      return { page, complaints };
    },
  };
}

/** Finds cut or overlapping parts of a page. Evaluated in the browser. */
export const findCutParts = `(() => {
  const found = [];
  const note = (what, element) => found.push(what + ': ' + element.textContent.slice(0, 60));
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  for (const tile of document.querySelectorAll('.tile')) {
    const { left, right } = tile.getBoundingClientRect();
    if (left < 0 || right > innerWidth + 0.5) note('tile', tile);
  }
  for (const value of document.querySelectorAll('.kpi-value, .kpi-comparison, .donut-entry'))
    if (value.scrollWidth > value.clientWidth) note('value', value);
  for (const svg of document.querySelectorAll('svg.plot')) {
    const frame = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1)
        note('label', text);
    }
    const labels = [...svg.querySelectorAll('[aria-label="x-axis tick label"] text')]
      .map((text) => text.getBoundingClientRect())
      .toSorted((one, other) => one.left - other.left);
    for (const [index, box] of labels.entries())
      if (index > 0 && labels[index - 1].right > box.left + 1 && labels[index - 1].top === box.top &&
        !svg.querySelector('[transform*="rotate("]')) found.push('labels overlap');
  }
  return found;
})()`;
