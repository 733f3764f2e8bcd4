import { startEngine } from 'test-support/engines';
import type { Engine, EnginePage } from 'test-support/engines';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startFakePortal } from '../../src/index.ts';
import type { FakePortal } from '../../src/index.ts';
import { startHostPage } from '../host-page.ts';
import type { HostPage } from '../host-page.ts';

const userEmail = 'west@acme.example';

let engine: Engine;
let portal: FakePortal;
let host: HostPage;
let page: EnginePage;

beforeAll(async () => {
  engine = await startEngine();
  portal = await startFakePortal({ users: [userEmail] });
  host = await startHostPage(portal, userEmail);
});
afterAll(async () => {
  await engine?.close();
  host?.close();
  await portal?.close();
});
beforeEach(async () => {
  page = await engine.openPage();
  await page.open(host.url);
  return () => page.close();
});

const addEmbed = () =>
  page.evaluate(() => {
    document.body.append(document.createElement('portal-embed'));
  });
const readStatus = () =>
  page.evaluate(() => document.querySelector('portal-embed')!.dataset['portalEmbed']);
const readFrame = () => page.evaluateInFrame(() => document.body.textContent);

it('a fake page in an empty frame is ready', async () => {
  await page.evaluate(() => {
    window.fakeEmbeds();
  });
  await addEmbed();
  await expect.poll(readStatus).toBe('ready');
  expect(portal.minted).toEqual([]);
});

it('a page of the fake portal is ready', async () => {
  await addEmbed();
  await expect.poll(readStatus).toBe('ready');
  expect(await readFrame()).toContain(userEmail);
  expect(portal.minted).toHaveLength(1);
});
