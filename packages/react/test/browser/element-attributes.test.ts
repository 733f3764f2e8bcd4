import { expect, it } from 'vitest';

import type { PortalEmbedElement } from '../../src/element.ts';
import { becomes, passTime, setClock } from './browser.ts';
import { setElementStage } from './element-stage.ts';

const { stage, add, heading, inElement } = setElementStage();

it('shows the report that its attributes name', async () => {
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
  await becomes(stage.page, 'ready');
  expect(JSON.parse(body)).toEqual({
    reportId: 'r',
    hideMenu: true,
    customFilters: [{ key: 'Region', value: 'West' }],
  });
  expect(await heading()).toBe('Report a');
  expect(await inElement((element) => element.iframe!.title)).toBe('Sales');
});

it('fetches a fresh URL when an attribute changes, and only then', async () => {
  await setClock(stage);
  await add('<portal-embed report-id="a"></portal-embed>');
  await becomes(stage.page, 'ready');
  await inElement((element) => element.setAttribute('report-id', 'a'));
  expect(await passTime(stage.page)).toHaveLength(1);
  await inElement((element) => element.setAttribute('report-id', 'b'));
  await expect.poll(() => heading().catch(() => '')).toBe('Report 2');
});

it('fails on filters that are no JSON, says what to write, and recovers when they are corrected', async () => {
  await stage.page.evaluate(() => {
    const element = document.createElement('portal-embed');
    const causes = ((window as unknown as { causes: string[] }).causes = [] as string[]);
    element.addEventListener('failure', (event) =>
      causes.push((event as CustomEvent<{ cause: string }>).detail.cause),
    );
    element.setAttribute('custom-filters', '[{Region: West}]');
    document.body.append(element);
  });
  await becomes(stage.page, 'failed');
  await stage.page.getByText('Write a list such as [{"key":"Region","value":"West"}]').waitFor();
  expect(await stage.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await inElement((element) => element.setAttribute('title', 'Sales'));
  expect(await stage.page.evaluate('causes')).toEqual(['invalid_request']);
  await inElement((element) => element.setAttribute('custom-filters', '{}'));
  expect(await stage.page.evaluate('causes')).toEqual(['invalid_request', 'invalid_request']);
  expect(stage.host.mints).toBe(0);
  await inElement((element) => element.removeAttribute('custom-filters'));
  await becomes(stage.page, 'ready');
  await inElement((element) => element.setAttribute('custom-filters', '['));
  await becomes(stage.page, 'failed');
  // A report with other filters than were meant would be worse than none.
  expect(await stage.page.locator('iframe').count()).toBe(0);
  await inElement((element) => element.setAttribute('custom-filters', '[]'));
  await becomes(stage.page, 'ready');
});

it.each(['[{"key":"Year","value":2024}]', '{"key":"Region","value":"West"}', '["West"]', '[null]'])(
  'fails at once with filters that are none, over a report that is ready: %s',
  async (filters) => {
    await add('<portal-embed></portal-embed>');
    await becomes(stage.page, 'ready');
    await stage.page.$eval(
      'portal-embed',
      (element, text) => element.setAttribute('custom-filters', text),
      filters,
    );
    await becomes(stage.page, 'failed');
    await stage.page.getByText('custom-filters is no list of filters').waitFor();
    expect(await stage.page.locator('iframe').count()).toBe(0);
  },
);

it('tells of filters that are no JSON though an onStateChange throws', async () => {
  const isTold = await stage.page.evaluate(() => {
    const element = document.createElement('portal-embed') as PortalEmbedElement;
    element.options = {
      onStateChange: () => {
        throw new Error('of the host');
      },
    };
    element.setAttribute('custom-filters', '[');
    let told = false;
    element.addEventListener('failure', () => (told = true));
    document.body.append(element);
    return told;
  });
  expect(isTold).toBe(true);
});

it('tells an event and then the callback of the same name', async () => {
  const told = await stage.page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const heard: string[] = [];
        const element = document.createElement('portal-embed') as PortalEmbedElement;
        element.options = {
          onStateChange: ({ status }) => heard.push(`onStateChange ${status}`),
          onReady: () => resolve(heard),
        };
        element.addEventListener('statechange', (event) =>
          heard.push(`statechange ${(event as CustomEvent<{ status: string }>).detail.status}`),
        );
        document.body.append(element);
      }),
  );
  expect(told).toEqual(
    ['minting', 'loading', 'ready'].flatMap((each) => [
      `statechange ${each}`,
      `onStateChange ${each}`,
    ]),
  );
});
