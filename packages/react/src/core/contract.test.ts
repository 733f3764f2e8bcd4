import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import {
  waitForStatus,
  causes,
  container,
  frameOf,
  host,
  mount,
  states,
  setUpEmbed,
} from '../../test/core-stage.ts';
import { refuse } from '../../test/host-endpoint.ts';
import { simulatePortalPage } from '../../test/portal-page.ts';

setUpEmbed();

describe('causes', () => {
  it.each([
    ['endpoint_unreachable', 500, 'xyz'],
    ['endpoint_unreachable', 500, 'not_signed_in_at_all'],
    ['not_signed_in', 401, 'xyz'],
    ['rate_limited', 429, 'xyz'],
  ])('the cause is %s for the answer %i with the code %s', async (cause, status, code) => {
    host.answers.push(...Array.from({ length: 4 }, () => refuse(status, code)));
    mount();
    await waitForStatus('failed');
    expect(causes).toEqual([cause]);
  });

  it.each([undefined, null, 'text', 0, Object.create(null)])(
    'the cause is endpoint_unreachable for a rejection with %j',
    async (thrown) => {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a host may reject with anything
      mount({ fetchIdentityUrl: () => Promise.reject(thrown) });
      await waitForStatus('failed');
      expect(causes).toEqual(['endpoint_unreachable']);
    },
  );
});

it.each([
  'ready',
  { type: 'ready' },
  { type: 'ready', unappliedFilters: [7] },
  { type: 'navigated', path: 7, reportId: null },
  { type: 'navigated', path: '/', reportId: undefined },
  { type: 'resized', height: '900' },
  { type: 'failed', cause: 'unreachable' },
  { type: 'closed' },
])('an invalid message is ignored: %j', async (data) => {
  const onNavigate = vi.fn();
  mount({ autoHeight: true, onNavigate });
  const page = simulatePortalPage(await frameOf(1)).boot();
  // One port keeps the order: the earlier message has been handled too.
  const sendNavigated = (path: string) => {
    page.send({ type: 'navigated', path, reportId: null });
    return waitFor(() =>
      expect(onNavigate).toHaveBeenLastCalledWith(expect.objectContaining({ path })),
    );
  };
  page.send(data as never);
  await sendNavigated('/loading');
  expect(states.at(-1)).toBe('loading');
  page.ready();
  await waitForStatus('ready');
  page.send(data as never);
  await sendNavigated('/ready');
  expect(states.at(-1)).toBe('ready');
  expect(container.style.height).toBe('');
  expect(onNavigate).toHaveBeenCalledTimes(2);
  expect(causes).toEqual([]);
});
