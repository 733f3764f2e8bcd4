import { act, render } from '@testing-library/react';
import { Suspense, useLayoutEffect } from 'react';
import { expect, it } from 'vitest';

import { passTime, sent } from '../test/clock.ts';
import { becomes, frame, frames, host, setStage, status } from '../test/component-stage.ts';
import { becomeReady } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setStage();

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
  const shown = await frame();
  becomeReady(shown);
  await becomes('ready');
  isThere = false;
  const data = new Promise<void>((done) => {
    arrive = () => {
      isThere = true;
      done();
    };
  });
  rerender(ui(data));
  await findByText('waiting');
  await passTime();
  await act(async () => arrive());
  await findByText('arrived');
  await passTime();
  expect(frames()).toEqual([shown]);
  expect(status()).toBe('ready');
  expect(sent).toHaveBeenCalledOnce();
});

it('has its height when a layout effect of the page around it measures or scrolls', () => {
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
