import { expect, it } from 'vitest';

import { refuse } from '../host-endpoint.ts';
import { becomes, setStage, showsReport } from './browser.ts';

const stage = setStage();

/** Mounts with a callback that throws at each call, or at that of one state. */
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
  'an onStateChange that throws at %s is reported, and breaks nothing',
  async (status) => {
    const thrown = await mountThrowing('onStateChange', status);
    await becomes(stage.page, 'ready');
    await stage.page.evaluate(() => window.app.handle!.refresh());
    await showsReport(stage.page, 2);
    await becomes(stage.page, 'ready');
    expect(await stage.page.evaluate(() => window.app.causes)).toEqual([]);
    expect(thrown).toContain(`onStateChange ${status}`);
  },
);

it.each(['onReady', 'onRefresh'])(
  'an %s that throws is reported, and the next refresh comes',
  async (callback) => {
    const thrown = await mountThrowing(callback, undefined, { refreshInterval: 100 });
    await expect.poll(() => stage.host.mints).toBeGreaterThan(3);
    expect(thrown).toContain(callback);
  },
);

it('an onError that throws is reported, and the next refresh comes', async () => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  const thrown = await mountThrowing('onError', undefined, { refreshInterval: 100 });
  await becomes(stage.page, 'failed');
  stage.host.answer = undefined;
  await becomes(stage.page, 'ready');
  expect(thrown).toContain('onError');
});
