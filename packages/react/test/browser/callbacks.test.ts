import { expect, it } from 'vitest';

import { refuse } from '../host-endpoint.ts';
import { waitForStatus, setUpSharedPage, showsReport } from './browser.ts';

const stage = setUpSharedPage();

/** Mounts with callbacks that throw at each call. Returns the messages of unhandled errors. */
async function mountThrowing(callbacks: string[], props: object = {}) {
  const thrown: string[] = [];
  stage.page.on('pageerror', ({ message }) => thrown.push(message));
  await stage.page.evaluate(
    ([names, given]) => {
      const throwing = names.map((name) => [
        name,
        ({ status }: { status?: string }) => {
          throw new Error(status ? `${name} ${status}` : name);
        },
      ]);
      window.app.mount({ ...given, ...Object.fromEntries(throwing) });
    },
    [callbacks, props] as const,
  );
  return thrown;
}

it('errors of onStateChange are unhandled rejections and break nothing', async () => {
  const thrown = await mountThrowing(['onStateChange']);
  await waitForStatus(stage.page, 'ready');
  await stage.page.evaluate(() => window.app.handle!.refresh());
  await showsReport(stage.page, 2);
  await waitForStatus(stage.page, 'ready');
  expect(await stage.page.evaluate(() => window.app.causes)).toEqual([]);
  await expect
    .poll(() => thrown)
    .toEqual(
      ['minting', 'loading', 'ready', 'refreshing', 'ready'].map((each) => `onStateChange ${each}`),
    );
});

it('errors of onReady and onRefresh are unhandled rejections and do not stop the next refresh', async () => {
  const thrown = await mountThrowing(['onReady', 'onRefresh'], { refreshInterval: 100 });
  await expect.poll(() => stage.host.mints).toBeGreaterThan(3);
  await expect.poll(() => thrown).toEqual(expect.arrayContaining(['onReady', 'onRefresh']));
});

it('an error of onError is an unhandled rejection and does not stop the next refresh', async () => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  const thrown = await mountThrowing(['onError'], { refreshInterval: 100 });
  await waitForStatus(stage.page, 'failed');
  stage.host.answer = undefined;
  await waitForStatus(stage.page, 'ready');
  expect(thrown).toContain('onError');
});
