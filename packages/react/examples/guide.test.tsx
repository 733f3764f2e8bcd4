import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { becomeReady } from '../test/portal-page.ts';
import * as guide from './guide.tsx';

const asked: unknown[] = [];
let answer: () => Response;

beforeEach(() => {
  asked.length = 0;
  answer = () =>
    Response.json({ embedUrl: `https://portal.example/identity?token=${asked.length}` });
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body));
    return answer();
  });
  // jsdom has no layout: everything counts as in view.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      #tell: (entries: { isIntersecting: boolean }[]) => void;
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        this.#tell = tell;
      }
      observe() {
        this.#tell([{ isIntersecting: true }]);
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
  becomeReady(frame!);
  await screen.findByText('Report loaded');
  expect(screen.getByTitle('Sales')).toBe(frame);
});

it('another filter fetches another URL', async () => {
  render(<guide.SalesByRegion />);
  becomeReady((await frames(1))[0]!);
  await screen.findByText('Report loaded');
  await userEvent.click(screen.getByText('East'));
  await frames(2);
  expect(asked).toEqual([
    expect.objectContaining({ customFilters: [{ key: 'Superstore/Region', value: 'West' }] }),
    expect.objectContaining({ customFilters: [{ key: 'Superstore/Region', value: 'East' }] }),
  ]);
});

it('the ref refreshes', async () => {
  render(<guide.SalesWithRefresh />);
  becomeReady((await frames(1))[0]!);
  await screen.findByText('Report loaded');
  await userEvent.click(screen.getByText('Refresh'));
  await frames(2);
  expect(asked).toHaveLength(2);
});

it('texts and slots replace the default ones', async () => {
  answer = () => Response.json({ type: 'urn:portal-embed:problem:forbidden' }, { status: 404 });
  render(<guide.SalesInOurWords />);
  expect(screen.getByText('One moment')).toBeInTheDocument();
  await screen.findByText('No access to this report');
  answer = () => Response.json({ type: 'urn:portal-embed:problem:cross_site' }, { status: 403 });
  await userEvent.click(screen.getByText('Again'));
  await screen.findByText(/We could not show this/);
  answer = () => Response.json({}, { status: 401 });
  await userEvent.click(screen.getByText('Again'));
  await screen.findByText('Sign in');
});

it('a function of your own may say that nobody is signed in', async () => {
  render(<guide.SalesWithToken />);
  await screen.findByText('Sign in to see this report');
  expect(asked).toEqual([]);
});

it('the provider’s defaults reach each embed, whose own props win', async () => {
  render(<guide.Dashboard />);
  await frames(2);
  expect(asked).toEqual([
    { reportId: expect.any(String), hideNavbar: true },
    { hideNavbar: false },
  ]);
});

it('the hook puts the frame into an element of yours', async () => {
  render(<guide.OwnFrame />);
  becomeReady((await frames(1))[0]!);
  await screen.findByText(/Sales \(ready\)/);
  expect(document.querySelector('figure iframe')).toBeInTheDocument();
});
