import type { PortalEmbedElement } from '@portal-embed/react/element';
import { expect, it } from 'vitest';

import { testFrontEnd } from '../../express-react/test/front-end.ts';
import { createApp } from '../src/app.ts';

const { open } = testFrontEnd(createApp);

it('a page that loads the script twice keeps its first definition of the element', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'west@acme.example' }).waitFor();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.addScriptTag({ url: '/portal-embed.js' });
  expect(errors).toEqual([]);
  await page.getByRole('button', { name: 'west@acme.example' }).click();
  await page.frameLocator('portal-embed iframe').getByText('Superstore sales').first().waitFor();
  await page.close();
});

interface Sent {
  type: string;
  detail: unknown;
}

declare global {
  interface Window {
    sent: Sent[];
    prints: number;
  }
}

it('the host hears of downloads, prints, selections, views and Escape, and asks for them', async () => {
  const page = await open();
  // Before the frame of the report exists.
  await page.context().addInitScript(() => {
    window.prints = 0;
    window.print = () => {
      window.prints += 1;
    };
  });
  await page.getByRole('button', { name: 'all@acme.example' }).click();
  await page.getByLabel('Report').selectOption('Superstore sales');
  const report = page.frameLocator('portal-embed iframe');
  const expectTotal = (text: string) =>
    report.getByRole('region', { name: 'Total sales' }).getByText(text, { exact: true }).waitFor();
  await expectTotal('$2,297,201');
  const embed = page.locator('portal-embed');
  await embed.evaluate((element) => {
    window.sent = [];
    for (const type of ['export', 'selection', 'viewchange', 'keydown'])
      element.addEventListener(type, (event) => {
        const { key, detail } = event as KeyboardEvent & CustomEvent;
        window.sent.push({ type, detail: type === 'keydown' ? key : detail });
      });
  });
  const sent = (type: string) =>
    page.evaluate(
      (name) => window.sent.flatMap((event) => (event.type === name ? [event.detail] : [])),
      type,
    );

  const download = page.waitForEvent('download');
  await embed.evaluate((element) =>
    (element as PortalEmbedElement).export('csv', 'Sales by month'),
  );
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  await embed.evaluate((element) => (element as PortalEmbedElement).print());
  await expect.poll(() => sent('export')).toMatchObject([{ format: 'csv' }, { format: 'print' }]);
  expect(await report.locator('html').evaluate(() => window.prints)).toBe(1);

  const chart = report.getByRole('region', { name: 'Sales by category' });
  await chart.getByRole('slider').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => sent('selection')).toHaveLength(1);
  await chart.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => sent('selection')).toHaveLength(2);
  const [selected, cleared] = await sent('selection');
  expect(selected).toMatchObject({ field: 'Category', values: [expect.any(String)] });
  expect(cleared).toMatchObject({ field: 'Category', values: [] });
  expect(await sent('viewchange')).toEqual([expect.stringMatching(/^[\w-]+$/), '']);

  await page.keyboard.press('Escape');
  await expect.poll(() => sent('keydown')).toEqual(['Escape']);

  await embed.evaluate(
    (element, [view]) => element.setAttribute('view', view as string),
    [(await sent('viewchange'))[0]],
  );
  await chart.getByText(/^Selected: /).waitFor();
  expect(await sent('viewchange')).toHaveLength(2);
  await page.close();
});
