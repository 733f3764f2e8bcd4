import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import express from 'express';
import { startEngine, type Engine } from 'test-support/engines';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';

import { createHostApp, readHostConfig } from '../../src/index.ts';
import { addEmbedOrigin } from '../demo.ts';

const demo = inject('demo');
/** Folders of the pages that have the React component and the custom element. */
const pages = { PortalEmbed: '../../dist/page', 'portal-embed': '../../../html/page' };
const script = fileURLToPath(import.meta.resolve('@portal-embed/react/element.global.js'));

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** Opens a host application whose pages are cross-origin isolated. */
async function openHost(name: keyof typeof pages, policy: string) {
  const app = express();
  app.use((_, response, next) => {
    response.set('Cross-Origin-Opener-Policy', 'same-origin');
    response.set('Cross-Origin-Embedder-Policy', policy);
    next();
  });
  app.use('/portal-embed.js', express.static(script));
  const config = readHostConfig({ ...demo.env, HOST_SESSION_SECRET: 'secret' });
  app.use(createHostApp(config, fileURLToPath(new URL(pages[name], import.meta.url))));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = await engine.openPage();
  onTestFinished(async () => {
    await page.close();
    server.close();
  });
  const address = `http://acme.localhost:${(server.address() as AddressInfo).port}`;
  addEmbedOrigin(demo, address);
  await page.open(address);
  return page;
}

describe.each(['require-corp', 'credentialless'])('the embedder policy %s', (policy) => {
  it.each(Object.keys(pages) as (keyof typeof pages)[])(
    `%s shows a report in a page with SharedArrayBuffer and the embedder policy ${policy}`,
    async (name) => {
      const page = await openHost(name, policy);
      const isIsolated = await page.evaluate(
        () => crossOriginIsolated && new SharedArrayBuffer(8).byteLength === 8,
      );
      // WebKit does not know the policy, so its pages have no embedder policy.
      const isKnown = policy === 'require-corp' || process.env['PORTAL_TEST_ENGINE'] !== 'webkit';
      expect(isIsolated).toBe(isKnown);
      await page.click('button[value="all@acme.example"]');
      await expect
        .poll(() => page.evaluateInFrame(() => document.body.innerText).catch(String))
        .toContain('Superstore sales');
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(isKnown);
    },
  );
});
