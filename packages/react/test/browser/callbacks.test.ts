import { expect, it } from 'vitest';

import { refuse } from '../host-endpoint.ts';
import { waitForStatus, setUpSharedPage, showsReport } from './browser.ts';

const stage = setUpSharedPage();

/** Mounts with a callback that throws at each call, or for one status. */
async function mountThrowing(callback: string, status?: string, props: object = {}) {
  const thrown: string[] = [];
  stage.page.on('pageerror', ({ message }) => thrown.push(message));
  await stage.page.evaluate(
    ([name, at, given]) =>
      window.app.mount({
        ...given,
        [name]: (subject: { status?: string }) => {
          if (!at || subject.status === at) throw new Error(`${name} ${at ?? ''}`.trim());
        },
      }),
    [callback, status, props] as const,
  );
  return thrown;
}

it.each(['minting', 'loading', 'ready', 'refreshing'])(
  'an error of onStateChange for %s is an unhandled rejection and breaks nothing',
  async (status) => {
    const thrown = await mountThrowing('onStateChange', status);
    await waitForStatus(stage.page, 'ready');
    await stage.page.evaluate(() => window.app.handle!.refresh());
    await showsReport(stage.page, 2);
    await waitForStatus(stage.page, 'ready');
    expect(await stage.page.evaluate(() => window.app.causes)).toEqual([]);
    expect(thrown).toContain(`onStateChange ${status}`);
  },
);

it.each(['onReady', 'onRefresh'])(
  'an error of %s is an unhandled rejection and does not stop the next refresh',
  async (callback) => {
    const thrown = await mountThrowing(callback, undefined, { refreshInterval: 100 });
    await expect.poll(() => stage.host.mints).toBeGreaterThan(3);
    expect(thrown).toContain(callback);
  },
);

it('an error of onError is an unhandled rejection and does not stop the next refresh', async () => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  const thrown = await mountThrowing('onError', undefined, { refreshInterval: 100 });
  await waitForStatus(stage.page, 'failed');
  stage.host.answer = undefined;
  await waitForStatus(stage.page, 'ready');
  expect(thrown).toContain('onError');
});
