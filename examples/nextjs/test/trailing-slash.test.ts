import { launchHeadless } from 'test-support';
import { createEnvironment, sealSession, startExamplePortal } from 'test-support/host-example';
import { expect, it } from 'vitest';

import { startNextWith } from './running-app.ts';

it('the report is shown with the setting trailingSlash', { timeout: 300_000 }, async () => {
  await using portal = await startExamplePortal();
  await using app = await startNextWith({ trailingSlash: true }, createEnvironment(portal));
  await using browser = await launchHeadless();
  const address = `http://acme.localhost:${app.port}/`;
  const page = await browser.newPage();
  const posts: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    // The page of the fake portal sends requests, too.
    if (request.method() === 'POST' && address.startsWith(origin)) posts.push(pathname);
  });
  const [name, value] = (await sealSession()).split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: address }]);
  await page.goto(address);
  await page.frameLocator('iframe').getByText('west@acme.example').waitFor();
  // Next.js redirects the first one with 308.
  expect(posts).toEqual(['/portal-embed/url', '/portal-embed/url/']);
  expect(portal.received.filter(({ url }) => url === '/api/identity/url')).toHaveLength(1);
});
