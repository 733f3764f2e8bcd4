import { expect, it } from 'vitest';

import { headingOf, setUpEngine, statusOf } from './stage.ts';

const stage = setUpEngine('element-app.ts');

const add = (markup: string) =>
  stage.page.evaluate((html) => {
    document.querySelector('#root')!.innerHTML = html;
  }, markup);

it('the custom element shows a report, changes it and loads it again when it is moved', async () => {
  const { host, page } = stage;
  await add('<portal-embed report-id="sales"></portal-embed>');
  await expect.poll(() => headingOf(stage)).toBe('Report 1');
  await page.evaluate(() =>
    document.querySelector('portal-embed')!.setAttribute('report-id', 'flights'),
  );
  await expect.poll(() => headingOf(stage)).toBe('Report 2');
  await page.evaluate(() => document.body.append(document.querySelector('portal-embed')!));
  await expect.poll(() => headingOf(stage)).toBe('Report 3');
  expect(host.mints).toBe(3);
});

it('removing the custom element removes its report', async () => {
  await add('<portal-embed></portal-embed>');
  await expect.poll(() => headingOf(stage)).toBe('Report 1');
  await add('');
  expect(await stage.page.evaluate(() => window.frames.length)).toBe(0);
  expect(await statusOf(stage)).toBe('');
});

it('the custom element fails if the portal is unreachable', async () => {
  await stage.portal.stop();
  await add('<portal-embed></portal-embed>');
  const failed = () =>
    stage.page.evaluate(
      () =>
        document
          .querySelector('portal-embed')!
          .shadowRoot!.querySelector('[data-portal-embed=failed]') !== null ||
        document.querySelector('portal-embed[data-portal-embed=failed]') !== null,
    );
  await expect.poll(failed, { timeout: 15_000 }).toBe(true);
});
