import { render, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startHostEndpoint } from '../test/host-endpoint.ts';
import type { HostEndpoint } from '../test/host-endpoint.ts';
import { becomeReady } from '../test/portal-page.ts';
import { usePortalEmbed } from './use-portal-embed.ts';

let host: HostEndpoint;
beforeEach(async () => {
  host = await startHostEndpoint();
});
afterEach(() => host.close());

const frames = () => [...document.querySelectorAll('iframe')];
const becomes = (status: string) =>
  waitFor(() => expect(document.querySelector('h1')).toHaveTextContent(status));

function Panel({ isOpen }: { isOpen: boolean }) {
  const { ref, state } = usePortalEmbed({ endpoint: host.url });
  return (
    <>
      <h1>{state.status}</h1>
      {isOpen && <div ref={ref} />}
    </>
  );
}

describe.each([false, true])('the element of usePortalEmbed (StrictMode: %s)', (strict) => {
  const ui = (isOpen: boolean) =>
    strict ? (
      <StrictMode>
        <Panel isOpen={isOpen} />
      </StrictMode>
    ) : (
      <Panel isOpen={isOpen} />
    );
  const open = async (token: number) => {
    await waitFor(() => expect(frames()).toHaveLength(1));
    expect(host.requests).toHaveLength(token);
    becomeReady(frames()[0]!);
    await becomes('ready');
  };

  it('may be there at the first render', async () => {
    render(ui(true));
    await open(1);
    expect(frames()).toHaveLength(1);
  });

  it('may come later, go and come back, with a URL each time', async () => {
    const { rerender } = render(ui(false));
    await becomes('idle');
    expect(host.requests).toEqual([]);
    rerender(ui(true));
    await open(1);
    rerender(ui(false));
    await becomes('idle');
    expect(frames()).toEqual([]);
    rerender(ui(true));
    await open(2);
  });
});
