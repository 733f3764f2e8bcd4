import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, it } from 'vitest';

import { PortalEmbed } from '../../src/index.ts';
import { becomes, setStage } from './browser.ts';
import { served } from './served.ts';

const stage = setStage('served-app.ts');

interface Notes {
  violations: string[];
  heights: number[];
}
const read = async () => stage.page.evaluate(() => (window as unknown as { notes: Notes }).notes);

/** Opens a page that has `html` in it, and notes what its policy blocks and how high the embed is. */
async function open(html: string) {
  const { host, page, portal } = stage;
  host.csp = `default-src 'self'; style-src 'self'; img-src data:; frame-src ${portal.origin}`;
  host.body = `<link rel="stylesheet" href="/app.css"><main id="root">${html}</main>`;
  await page.addInitScript(() => {
    const notes: Notes = { violations: [], heights: [] };
    Object.assign(window, { notes });
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => {
      notes.violations.push(`${effectiveDirective} ${sample}`);
    });
    const measure = () => {
      const height = document.querySelector('[data-portal-embed]')?.getBoundingClientRect().height;
      if (height && height !== notes.heights.at(-1)) notes.heights.push(height);
      requestAnimationFrame(measure);
    };
    measure();
  });
  await page.goto(host.origin);
}

describe("a server-rendered page under `style-src 'self'`", () => {
  let complaints: string[];
  beforeEach(() => {
    complaints = [];
    stage.page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });

  it('shows the report without a violation, hydrated without a complaint', async () => {
    await open(renderToString(served));
    await becomes(stage.page, 'ready');
    const { violations, heights } = await read();
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
    expect(stage.host.mints).toBe(1);
    // As high as its text until the script has run, and from then on as high as it stays.
    expect(heights.length).toBeLessThanOrEqual(2);
    expect(heights.at(-1)).toBe(384);
  });

  it('holds its place before any script has run if the host’s style sheet says so', async () => {
    stage.host.css = '[data-portal-embed] { min-height: 24rem }';
    await open(renderToString(served));
    await becomes(stage.page, 'ready');
    expect(await read()).toEqual({ violations: [], heights: [384] });
  });

  it('would show a violation if there were a style attribute', async () => {
    await open(renderToString(createElement(PortalEmbed, { style: { height: '40rem' } })));
    await expect.poll(async () => (await read()).violations).toEqual(['style-src-attr ']);
  });
});
