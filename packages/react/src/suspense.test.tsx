import { act, render } from '@testing-library/react';
import { Suspense, useLayoutEffect } from 'react';
import { expect, it } from 'vitest';

import { advanceClock, sent } from '../test/clock.ts';
import { waitForStatus, frame, frames, host, setUpEmbed, status } from '../test/component-stage.ts';
import { makeReady } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setUpEmbed();

it('a report in a suspended boundary stays without a new request', async () => {
  let arrive = () => {};
  let isThere = true;
  const Neighbour = ({ data }: { data: Promise<void> | undefined }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- React suspends on a thrown promise
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
  const shown = await frame();
  makeReady(shown);
  await waitForStatus('ready');
  isThere = false;
  const data = new Promise<void>((done) => {
    arrive = () => {
      isThere = true;
      done();
    };
  });
  rerender(ui(data));
  await findByText('waiting');
  await advanceClock();
  await act(async () => arrive());
  await findByText('arrived');
  await advanceClock();
  expect(frames()).toEqual([shown]);
  expect(status()).toBe('ready');
  expect(sent).toHaveBeenCalledOnce();
});

it('the minimum height is set when a layout effect of the page measures it', () => {
  let minHeight = '';
  const Page = () => {
    useLayoutEffect(() => {
      ({ minHeight } = document.querySelector<HTMLElement>('[data-portal-embed]')!.style);
    }, []);
    return <PortalEmbed endpoint={host.url} />;
  };
  render(<Page />);
  expect(minHeight).toContain('24rem');
});
