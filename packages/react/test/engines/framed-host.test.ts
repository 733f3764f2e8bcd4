import { describe, expect, it, onTestFinished } from 'vitest';

import { startSite } from '../browser/sites.ts';
import { setUpEngine } from './stage.ts';

const stage = setUpEngine();

/** Opens the host in a frame of another origin, as Teams does, and mounts the embed there. */
async function mountInFrame() {
  const { page, host } = stage;
  const outer = await startSite('teams', (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Teams</title><iframe src="${host.origin}"></iframe>`),
  );
  onTestFinished(() => void outer.stop());
  await page.open(outer.origin);
  await expect
    .poll(() => page.evaluateInFrame(() => 'app' in window).catch(() => false))
    .toBe(true);
  await page.evaluateInFrame(() => {
    Math.random = () => 0;
    window.app.mount();
  });
  return outer.origin;
}

const readFailure = () =>
  stage.page.evaluateInFrame(() => {
    const { causes, messages } = window.app;
    return { causes, messages };
  });

/** Allows only some pages to frame the report. */
function allow(...origins: string[]) {
  const { portal, host } = stage;
  host.frameChannel = true;
  portal.answer = (_, response) =>
    response
      .setHeader('content-security-policy', `frame-ancestors ${origins.join(' ')}`)
      .end('<h1>Report</h1>');
}

describe('a host that is itself in a frame', () => {
  it('in a framed host, the failure says that every ancestor must be an embed origin', async () => {
    allow(stage.host.origin);
    await mountInFrame();
    await expect.poll(readFailure, { timeout: 25_000 }).toMatchObject({
      causes: ['not_answering'],
      messages: [expect.stringMatching(/ Every ancestor must be an embed origin\.$/)],
    });
  });
});

describe('a host that is not in a frame', () => {
  it('in a host that no page frames, the failure names only the page of the host', async () => {
    allow('https://other.example');
    await stage.page.evaluate(() => window.app.mount());
    await expect
      .poll(() => stage.page.evaluate(() => window.app.messages), { timeout: 25_000 })
      .toEqual([expect.stringMatching(/ this page (as|is not) an embed origin\.$/)]);
  });
});
