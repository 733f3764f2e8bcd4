import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ServiceError } from 'page-kit/service-error';
import { beforeEach, expect, it } from 'vitest';

import { openViewer, resetWindow } from './test/open-viewer.tsx';
import { pathTo, portalSession, sales } from './test/samples.ts';

beforeEach(resetWindow);

const display = { hideNavbar: true, hideSidebar: true, hideMenu: true };
const viewed = { ...portalSession, display, viewedBy: 'ada@acme.example' };

it('every page of a viewing session is marked, with all display flags set', async () => {
  const page = openViewer(viewed);
  await page.start();
  const mark = () => screen.getByText('Viewed as Wendy West by ada@acme.example. Read only.');
  expect(mark()).toBeVisible();
  const card = within(screen.getByRole('main')).getByRole('button', {
    name: new RegExp(`^${sales.name}`),
  });
  await userEvent.click(card);
  expect(await screen.findByText('$725,458')).toBeVisible();
  expect(mark()).toBeVisible();
  page.api.viewReport.mockRejectedValue(new ServiceError('session_required'));
  await page.refresh();
  expect(screen.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  expect(mark()).toBeVisible();
});

it('a viewing session offers no favorites, downloads or prints', async () => {
  await openViewer({ ...viewed, display: portalSession.display }).start();
  expect(screen.queryByRole('button', { name: /^Favorite/ })).toBeNull();
  const card = within(screen.getByRole('main')).getByRole('button', {
    name: new RegExp(`^${sales.name}`),
  });
  await userEvent.click(card);
  expect(await screen.findByRole('button', { name: 'Refresh' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
});

it('a session of the user has no mark', async () => {
  await openViewer(portalSession).start();
  expect(screen.queryByText(/Viewed as/)).toBeNull();
});

it('the whole portal opens with the report of the path of its session', async () => {
  await openViewer({ ...portalSession, path: pathTo(sales) }).start();
  expect(await screen.findByRole('heading', { level: 1, name: sales.name })).toBeVisible();
});
