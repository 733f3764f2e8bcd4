import { renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, it } from 'vitest';

import { waitForStatus, setUpBrowser } from './browser.ts';
import { served } from './served.ts';

const stage = setUpBrowser('served-app.ts');

interface Notes {
  violations: string[];
  heights: number[];
}
const read = async () => stage.page.evaluate(() => (window as unknown as { notes: Notes }).notes);

/** Opens a page with `html` and records its policy violations and the heights of the embed. */
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

  it('a server-rendered embed hydrates without a violation or a warning', async () => {
    await open(renderToString(served));
    await waitForStatus(stage.page, 'ready');
    const { violations, heights } = await read();
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
    expect(stage.host.mints).toBe(1);
    // Without styles until the script has run, then at its final height.
    expect(heights.length).toBeLessThanOrEqual(2);
    expect(heights.at(-1)).toBe(640);
  });

  it('a style sheet of the host sets the height before any script runs', async () => {
    stage.host.css = '[data-portal-embed] { min-height: 40rem }';
    await open(renderToString(served));
    await waitForStatus(stage.page, 'ready');
    expect(await read()).toEqual({ violations: [], heights: [640] });
  });

  it('the test detects a style attribute', async () => {
    await open('<p style="color: red"></p>');
    await expect.poll(async () => (await read()).violations).toEqual(['style-src-attr ']);
  });
});
