import { chooseRepetitions } from 'test-support/repetitions';
import { createRandom, readSeed } from 'test-support/seed';
import { expect, it } from 'vitest';

import type { PortalEmbedElement } from '../../src/element.ts';
import { refuse } from '../host-endpoint.ts';
import { waitForStatus, advanceClock, openWithClock } from './browser.ts';
import { setUpElement } from './element-stage.ts';

const { stage, add, heading, inElement } = setUpElement();

const nothing = { timers: 0, listeners: 0, observers: 0, ports: 0, requests: 0, frames: 0 };

it('the element fires its events', async () => {
  await add('<portal-embed></portal-embed>');
  const event = await inElement(
    (element) =>
      new Promise((resolve) => {
        element.addEventListener('refresh', (happening) =>
          resolve((happening as CustomEvent).detail),
        );
        element.addEventListener('ready', () => element.refresh());
        element.refresh();
      }),
  );
  expect(event).toEqual({ unappliedFilters: [] });
});

it('moveBefore keeps the element’s frame', async () => {
  await openWithClock(stage);
  await add('<portal-embed></portal-embed><section></section>');
  await waitForStatus(stage.page, 'ready');
  await inElement((element) => {
    const section = document.querySelector('section') as unknown as {
      moveBefore: (node: Node, child: null) => void;
    };
    section.moveBefore(element, null);
  });
  expect(await advanceClock(stage.page)).toHaveLength(1);
  expect(await heading()).toBe('Report 1');
});

it('a second definePortalEmbed() returns quietly and keeps the element', async () => {
  const isSame = await stage.page.evaluate(() => {
    const defined = customElements.get('portal-embed');
    window.definePortalEmbed();
    return customElements.get('portal-embed') === defined;
  });
  expect(isSame).toBe(true);
});

it('an element that moves to the document of a frame keeps its styles and shows the report', async () => {
  await add('<portal-embed></portal-embed>');
  await waitForStatus(stage.page, 'ready');
  const position = await inElement((element) => {
    const other = document.body.appendChild(document.createElement('iframe'));
    other.contentDocument!.body.append(element);
    const frame = element.shadowRoot!.querySelector('#frame')!;
    return other.contentWindow!.getComputedStyle(frame).position;
  });
  expect(position).toBe('absolute');
  await stage.page
    .frameLocator('body > iframe')
    .frameLocator('portal-embed iframe')
    .getByText('Report 2')
    .waitFor();
});

it('removing the element at a random time leaves nothing behind', async () => {
  const random = createRandom(readSeed());
  const lives = Array.from({ length: chooseRepetitions(20, 60) }, () => random() * 80);
  const left = await stage.page.evaluate(async (milliseconds) => {
    const before = window.meter.count();
    for (const [time, life] of milliseconds.entries()) {
      const element = document.createElement('portal-embed');
      if (time % 3 === 0) element.setAttribute('lazy', '');
      document.body.append(element);
      await new Promise((done) => {
        setTimeout(done, life);
      });
      element.remove();
    }
    return window.meter.compare(before);
  }, lives);
  expect(left).toEqual(nothing);
});

it('an element that is removed in one of its events starts nothing', async () => {
  await openWithClock(stage);
  for (const [index, when] of ['ready', 'loading', 'failure'].entries()) {
    if (when === 'failure')
      stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
    const before = await stage.page.evaluate(async (moment) => {
      const counts = window.meter.count();
      const element = document.createElement('portal-embed');
      element.setAttribute('refresh-interval', '100');
      await new Promise<void>((removed) => {
        for (const type of ['ready', 'failure', 'statechange'])
          element.addEventListener(type, (event) => {
            const { detail } = event as CustomEvent<{ status?: string }>;
            if (moment !== type && moment !== detail.status) return;
            element.remove();
            removed();
          });
        document.body.append(element);
      });
      return counts;
    }, when);
    expect(await advanceClock(stage.page)).toHaveLength(index + 1);
    const left = await stage.page.evaluate((counts) => window.meter.compare(counts), before);
    expect({ when, left }).toEqual({ when, left: nothing });
  }
});

it('refresh() of a disconnected element starts no request', async () => {
  const errors: string[] = [];
  await openWithClock(stage);
  stage.page.on('pageerror', ({ message }) => errors.push(message));
  const before = await stage.page.evaluate(() => {
    const counts = window.meter.count();
    const element = document.createElement('portal-embed');
    element.refresh();
    document.body.append(element);
    element.remove();
    element.refresh();
    return counts;
  });
  expect(await advanceClock(stage.page)).toEqual([]);
  expect(await stage.page.evaluate((counts) => window.meter.compare(counts), before)).toEqual(
    nothing,
  );
  expect(errors).toEqual([]);
});

it('properties that were set before the definition apply', async () => {
  await openWithClock(stage);
  await stage.page.evaluate(() => {
    const early = document.createElement('early-embed') as PortalEmbedElement;
    early.texts = { loading: 'Moment' };
    early.options = { fetchIdentityUrl: () => new Promise(() => {}) };
    document.body.append(early);
    window.definePortalEmbed('early-embed');
  });
  await stage.page.getByText('Moment').waitFor();
  expect(await advanceClock(stage.page)).toEqual([]);
});
