import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { launchHeadless } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import type { ReportPlatform } from '#platform';

import { setOrigins } from '../../src/organizations/service.ts';
import { loadBuiltAssets } from './built-assets.ts';
import { hurryScript } from './hurry.ts';
import { startTestPortal, type TestPortal } from './portal.ts';
import { mint, type MintBody } from './viewer.ts';

/** A host that records the messages of the frame, and keeps its latest port. */
const hostPage = `<!doctype html><link rel="icon" href="data:,">
<script>
  const boots = [], messages = [];
  let port;
  addEventListener('message', ({ data, origin, source }) => {
    boots.push(data);
    if (isSilent) return;
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => messages.push(data);
    source.postMessage({ portalEmbed: 1, type: 'connect', ...options }, origin, [channel.port2]);
  });
  let options = {}, isSilent = false;
  const of = (type) => messages.filter((message) => message.type === type);
</script>
<iframe style="width:800px;height:500px"></iframe>`;

type Browser = Awaited<ReturnType<typeof launchHeadless>>;
type User = 'west' | 'east' | 'both' | 'none';

/**
 * Starts a portal and opens a page of a host in Chromium for each test.
 *
 * @param headers of the host's page
 * @param start starts the platforms beside `builtin`. Default: there are none
 */
export function setUpFrameHost(
  headers: Record<string, string> = {},
  start: () => Promise<readonly ReportPlatform[]> = async () => [],
) {
  const stage = {} as {
    portal: TestPortal;
    page: Awaited<ReturnType<Browser['newPage']>>;
    hostOrigin: string;
  };
  let browser: Browser;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(hostPage);
  });

  buildFirst();
  beforeAll(async () => {
    const assets = await loadBuiltAssets();
    const platforms = await start();
    [stage.portal, browser] = await Promise.all([
      startTestPortal({ assets, platforms }),
      launchHeadless(),
    ]);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stage.hostOrigin = `http://host.localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser.close();
    await stage.portal.close();
    server.close();
  });

  beforeEach(async () => {
    await setOrigins(stage.portal.acme.ctx, { embedOrigins: [stage.hostOrigin] });
    stage.page = await browser.newPage();
    await stage.page.goto(stage.hostOrigin);
  });
  afterEach(() => stage.page.close());

  const read = <Value>(script: string) => stage.page.evaluate<Value>(script);
  const answers = (id: number) =>
    read<{ type: string }[]>(`messages.filter((m) => m.id === ${id})`);
  const expectAnswer = (id: number, answer: object) =>
    expect.poll(() => answers(id)).toContainEqual(expect.objectContaining(answer));
  const mintFor = (
    user: User,
    body: Partial<MintBody> = { reportId: stage.portal.acme.reportId },
  ) => {
    const { acme } = stage.portal;
    return mint(stage.portal, acme, { userEmail: acme.emails[user], ...body });
  };
  const openUrl = (url: string, id: number) =>
    stage.page.evaluate(`port.postMessage(${JSON.stringify({ type: 'open', url, id })})`);

  return {
    stage,
    /** The frame of the portal's page. */
    frame: () => stage.page.frameLocator('iframe'),
    /** Evaluates a script in the host's page. */
    read,
    readInFrame: <Value>(script: string) => stage.page.frames()[1]!.evaluate<Value>(script),
    /** Makes timers of these lengths much faster, in every document that is loaded later. */
    hurry: async (...lengths: Parameters<typeof hurryScript>) => {
      await stage.page.addInitScript(hurryScript(...lengths));
      await stage.page.goto(stage.hostOrigin);
    },
    answers,
    expectAnswer,
    /** Loads a page of the portal in the frame, by default the shell. */
    load: async (path = '/embed') => {
      const url = new URL(path, stage.portal.acme.address).href;
      await stage.page.locator('iframe').evaluate((element, src) => {
        (element as unknown as { src: string }).src = src;
      }, url);
      await expect.poll(() => read('boots.length')).toBeGreaterThan(0);
    },
    mintFor,
    openUrl,
    openReport: async (id: number, ...of: Parameters<typeof mintFor>) => {
      await openUrl(await mintFor(...of), id);
      await expectAnswer(id, { type: 'ready' });
    },
  };
}
