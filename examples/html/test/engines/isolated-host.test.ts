import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { createHostApp, readHostConfig } from 'example-express-react';
import express from 'express';
import { startEngine, type Engine } from 'testing/engines';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';

import { addEmbedOrigin } from '../../../express-react/test/demo.ts';
import { createApp } from '../../src/app.ts';

const demo = inject('demo');
const pageFolder = fileURLToPath(new URL('../../../express-react/dist/page', import.meta.url));
const hosts = {
  PortalEmbed: (env: NodeJS.ProcessEnv) => createHostApp(readHostConfig(env), pageFolder),
  'portal-embed': createApp,
};

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** Opens a host application whose pages are cross-origin isolated. */
async function openHost(name: keyof typeof hosts, policy: string) {
  const app = express();
  app.use((_, response, next) => {
    response.set('Cross-Origin-Opener-Policy', 'same-origin');
    response.set('Cross-Origin-Embedder-Policy', policy);
    next();
  });
  app.use(hosts[name]({ ...demo.env, HOST_SESSION_SECRET: 'secret' }));
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
  it.each(Object.keys(hosts) as (keyof typeof hosts)[])(
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
