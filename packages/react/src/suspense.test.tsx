import { act, render, waitFor } from '@testing-library/react';
import { Suspense, useLayoutEffect } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { startHostEndpoint } from '../test/host-endpoint.ts';
import type { HostEndpoint } from '../test/host-endpoint.ts';
import { becomeReady } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

let host: HostEndpoint;
beforeEach(async () => {
  host = await startHostEndpoint();
});
afterEach(() => host.close());

const embedOnPage = () => document.querySelector<HTMLElement>('[data-portal-embed]')!;
const frames = () => [...document.querySelectorAll('iframe')];
const settle = () => act(() => new Promise((done) => setTimeout(done, 300)));

it('keeps its report, without a mint, while a boundary around it waits for something else', async () => {
  let arrive = () => {};
  let isThere = true;
  const Neighbour = ({ data }: { data: Promise<void> | undefined }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- how React is told to wait
    if (data && !isThere) throw data;
    return <p>{data ? 'arrived' : 'idle'}</p>;
  };
  const ui = (data?: Promise<void>) => (
    <Suspense fallback={<p>waiting</p>}>
      <PortalEmbed endpoint={host.url} />
      <Neighbour data={data} />
    </Suspense>
  );
  const { rerender, findByText } = render(ui());
  await waitFor(() => expect(frames()).toHaveLength(1));
  const frame = frames()[0]!;
  becomeReady(frame);
  await waitFor(() => expect(embedOnPage().dataset['portalEmbed']).toBe('ready'));
  isThere = false;
  const data = new Promise<void>((done) => {
    arrive = () => {
      isThere = true;
      done();
    };
  });
  rerender(ui(data));
  await findByText('waiting');
  await settle();
  await act(async () => arrive());
  await findByText('arrived');
  await settle();
  expect(frames()).toEqual([frame]);
  expect(embedOnPage().dataset['portalEmbed']).toBe('ready');
  expect(host.requests).toHaveLength(1);
});

it('has its height when a layout effect of the page around it measures or scrolls', () => {
  let minHeight = '';
  const Page = () => {
    useLayoutEffect(() => {
      ({ minHeight } = embedOnPage().style);
    }, []);
    return <PortalEmbed endpoint={host.url} />;
  };
  render(<Page />);
  expect(minHeight).toContain('24rem');
});
