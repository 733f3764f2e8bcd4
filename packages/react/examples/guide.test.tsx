import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { makeReady } from '../test/portal-page.ts';
import * as guide from './guide.tsx';

const requests: unknown[] = [];
let answer: () => Response;

beforeEach(() => {
  requests.length = 0;
  answer = () =>
    Response.json({ embedUrl: `https://portal.example/identity?token=${requests.length}` });
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    requests.push(JSON.parse(body));
    return answer();
  });
  // jsdom has no layout, so everything is in view.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      #notify: (entries: { isIntersecting: boolean }[]) => void;
      constructor(notify: (entries: { isIntersecting: boolean }[]) => void) {
        this.#notify = notify;
      }
      observe() {
        this.#notify([{ isIntersecting: true }]);
      }
      disconnect() {}
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const frames = async (count: number) =>
  waitFor(() => {
    const all = [...document.querySelectorAll('iframe')];
    expect(all).toHaveLength(count);
    return all;
  });

it('the quick start shows the report', async () => {
  render(<guide.Sales />);
  const [frame] = await frames(1);
  makeReady(frame!);
  await screen.findByText('Report loaded');
  expect(screen.getByTitle('Sales')).toBe(frame);
});

it('the look and the locale are sent to the page', async () => {
  render(<guide.SalesInGerman />);
  const page = makeReady((await frames(1))[0]!);
  await screen.findByText('Report loaded');
  expect(page.connected).toMatchObject({ accentColor: '#1a7f37', locale: 'de-DE' });
});

it('a changed filter requests a new URL', async () => {
  render(<guide.SalesByRegion />);
  makeReady((await frames(1))[0]!);
  await screen.findByText('Report loaded');
  await userEvent.click(screen.getByText('East'));
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(requests).toEqual([
    expect.objectContaining({ customFilters: [{ key: 'Superstore/Region', value: 'West' }] }),
    expect.objectContaining({ customFilters: [{ key: 'Superstore/Region', value: 'East' }] }),
  ]);
});

it('refresh() of the ref requests a new URL', async () => {
  render(<guide.SalesWithRefresh />);
  makeReady((await frames(1))[0]!);
  await screen.findByText('Report loaded');
  await userEvent.click(screen.getByText('Refresh'));
  await waitFor(() => expect(requests).toHaveLength(2));
});

it('texts and slots replace the default ones', async () => {
  answer = () => Response.json({ type: 'urn:portal-embed:problem:forbidden' }, { status: 404 });
  const { unmount } = render(<guide.SalesInOurWords />);
  expect(screen.getByText('One moment')).toBeInTheDocument();
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  await userEvent.click(await screen.findByText('Ask for access'));
  expect(open).toHaveBeenCalledExactlyOnceWith('/request-access?reason=forbidden');
  unmount();
  answer = () => Response.json({ type: 'urn:portal-embed:problem:cross_site' }, { status: 403 });
  render(<guide.SalesInOurWords />);
  await screen.findByText(/We could not show this/);
  answer = () => Response.json({}, { status: 401 });
  await userEvent.click(screen.getByText('Again'));
  await screen.findByText('Sign in');
});

it('fetchIdentityUrl can throw not_signed_in', async () => {
  render(<guide.SalesWithToken />);
  await screen.findByText('Sign in to see this report');
  expect(requests).toEqual([]);
});

it('the provider’s defaults apply to each embed, and its own props take precedence', async () => {
  render(<guide.Dashboard />);
  await frames(2);
  expect(requests).toEqual([
    { reportId: expect.any(String), hideNavbar: true },
    { hideNavbar: false },
  ]);
});

it('the hook opens the frame in your element', async () => {
  render(<guide.OwnFrame />);
  makeReady((await frames(1))[0]!);
  await screen.findByText(/Sales \(ready\)/);
  expect(document.querySelector('figure iframe')).toBeInTheDocument();
});

it('an endpoint with its origin does not depend on the base of the page', async () => {
  const base = document.head.appendChild(document.createElement('base'));
  onTestFinished(() => base.remove());
  base.href = 'https://cdn.example/assets/';
  const addresses: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    addresses.push(address);
    return answer();
  });
  render(
    <>
      <guide.Sales />
      <guide.SalesWithForeignBase />
    </>,
  );
  await frames(2);
  expect(addresses).toEqual([
    'https://cdn.example/portal-embed/url',
    `${location.origin}/portal-embed/url`,
  ]);
});
