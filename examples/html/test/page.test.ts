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
