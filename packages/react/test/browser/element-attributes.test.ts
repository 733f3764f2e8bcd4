import { expect, it } from 'vitest';

import { waitForStatus, advanceClock, openWithClock } from './browser.ts';
import { setUpElement } from './element-stage.ts';

const { stage, add, heading, inElement } = setUpElement();

it('the element shows the report of its attributes', async () => {
  let body = '';
  stage.host.answer = (request, response) => {
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ embedUrl: `${stage.portal.origin}/identity?token=a` }));
    });
  };
  await add(`<portal-embed report-id="r" hide-menu title="Sales" theme="dark"
    custom-filters='[{"key":"Region","value":"West"}]'></portal-embed>`);
  await waitForStatus(stage.page, 'ready');
  expect(JSON.parse(body)).toEqual({
    reportId: 'r',
    hideMenu: true,
    customFilters: [{ key: 'Region', value: 'West' }],
  });
  expect(await heading()).toBe('Report a');
  expect(await inElement((element) => element.iframe!.title)).toBe('Sales');
});

it('the element requests a new URL only if an attribute changes', async () => {
  await openWithClock(stage);
  await add('<portal-embed report-id="a"></portal-embed>');
  await waitForStatus(stage.page, 'ready');
  await inElement((element) => element.setAttribute('report-id', 'a'));
  expect(await advanceClock(stage.page)).toHaveLength(1);
  await inElement((element) => element.setAttribute('report-id', 'b'));
  await expect.poll(() => heading().catch(() => '')).toBe('Report 2');
});

it('custom-filters that is not JSON fails with a message, and correcting it shows the report', async () => {
  await stage.page.evaluate(() => {
    const element = document.createElement('portal-embed');
    const causes = ((window as unknown as { causes: string[] }).causes = [] as string[]);
    element.addEventListener('failure', (event) =>
      causes.push((event as CustomEvent<{ cause: string }>).detail.cause),
    );
    element.setAttribute('custom-filters', '[{Region: West}]');
    document.body.append(element);
  });
  await waitForStatus(stage.page, 'failed');
  await stage.page.getByText('Write a list such as [{"key":"Region","value":"West"}]').waitFor();
  expect(await stage.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await inElement((element) => element.setAttribute('title', 'Sales'));
  expect(await stage.page.evaluate('causes')).toEqual(['invalid_request']);
  await inElement((element) => element.setAttribute('custom-filters', '{}'));
  expect(await stage.page.evaluate('causes')).toEqual(['invalid_request', 'invalid_request']);
  expect(stage.host.mints).toBe(0);
  await inElement((element) => element.removeAttribute('custom-filters'));
  await waitForStatus(stage.page, 'ready');
  await inElement((element) => element.setAttribute('custom-filters', '['));
  await waitForStatus(stage.page, 'failed');
  // The element must not show a report without the intended filters.
  expect(await stage.page.locator('iframe').count()).toBe(0);
  await inElement((element) => element.setAttribute('custom-filters', '[]'));
  await waitForStatus(stage.page, 'ready');
  // Another mistake can come before the corrected embed has a state.
  await inElement((element) => {
    for (const filters of ['[', '[]', '[']) element.setAttribute('custom-filters', filters);
  });
  expect(await stage.page.evaluate('causes.length')).toBe(5);
});

it('custom-filters that is not a list of filters replaces a visible report', async () => {
  const mistakes = [
    '[{"key":"Year","value":2024}]',
    '{"key":"Region","value":"West"}',
    '["West"]',
    '[null]',
  ];
  for (const filters of mistakes) {
    await add('<portal-embed></portal-embed>');
    await waitForStatus(stage.page, 'ready');
    await stage.page.$eval(
      'portal-embed',
      (element, text) => element.setAttribute('custom-filters', text),
      filters,
    );
    await waitForStatus(stage.page, 'failed');
    await stage.page.getByText('custom-filters is not a list of filters').waitFor();
    expect({ filters, frames: await stage.page.locator('iframe').count() }).toEqual({
      filters,
      frames: 0,
    });
  }
});

it('custom-filters that is not JSON fires failure although onStateChange throws', async () => {
  const hasFired = await stage.page.evaluate(() => {
    const element = document.createElement('portal-embed');
    element.options = {
      onStateChange: () => {
        throw new Error('of the host');
      },
    };
    element.setAttribute('custom-filters', '[');
    let fired = false;
    element.addEventListener('failure', () => (fired = true));
    document.body.append(element);
    return fired;
  });
  expect(hasFired).toBe(true);
});

it('custom-filters that is not JSON fires statechange with the failure', async () => {
  const detail = await stage.page.evaluate(
    () =>
      new Promise((resolve) => {
        const element = document.createElement('portal-embed');
        element.addEventListener('statechange', (event) => {
          const { status, error } = event.detail;
          resolve([status, error?.cause, element.dataset['portalEmbed']]);
        });
        element.setAttribute('custom-filters', '[');
        document.body.append(element);
      }),
  );
  expect(detail).toEqual(['failed', 'invalid_request', 'failed']);
});

it('an event does not bubble', async () => {
  const seen = await stage.page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const targets: string[] = [];
        const element = document.createElement('portal-embed');
        for (const target of [document.body, element])
          target.addEventListener('ready', () => targets.push(target.localName));
        element.options = { onReady: () => setTimeout(() => resolve(targets)) };
        document.body.append(element);
      }),
  );
  expect(seen).toEqual(['portal-embed']);
});

it('an event fires before its callback', async () => {
  const events = await stage.page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const calls: string[] = [];
        const element = document.createElement('portal-embed');
        element.options = {
          onStateChange: ({ status }) => calls.push(`onStateChange ${status}`),
          onReady: () => resolve(calls),
        };
        element.addEventListener('statechange', (event) =>
          calls.push(`statechange ${(event as CustomEvent<{ status: string }>).detail.status}`),
        );
        document.body.append(element);
      }),
  );
  expect(events).toEqual(
    ['minting', 'loading', 'ready'].flatMap((each) => [
      `statechange ${each}`,
      `onStateChange ${each}`,
    ]),
  );
});
