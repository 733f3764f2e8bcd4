// #region imports
import { PortalEmbed } from '@portal-embed/react';
import { fakeEmbeds } from '@portal-embed/testing/frame';
import type { FakeEmbeds } from '@portal-embed/testing/frame';
import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
// #endregion

const reportId = '0b2c1f0e-6a51-4a43-9d2c-8f0f4d1c2b3a';

// #region setup
let embeds: FakeEmbeds;
beforeEach(() => {
  embeds = fakeEmbeds();
});
afterEach(() => embeds.restore());
// #endregion

// #region ready
it('the page shows the report', async () => {
  render(<PortalEmbed reportId={reportId} title="Sales" />);
  await screen.findByText('Report loaded');
  expect(embeds.requests).toEqual([{ reportId }]);
  const { contentDocument } = screen.getByTitle<HTMLIFrameElement>('Sales');
  expect(contentDocument!.body).toHaveTextContent(`Report ${reportId}`);
});
// #endregion

// #region failures
it.each([
  ['not_signed_in', 'Sign in to see this report'],
  ['report_not_accessible', 'No access to this report'],
  ['report_failed', 'Report failed to load'],
] as const)('the page says what to do about %s', async (scenario, text) => {
  embeds.show(scenario);
  render(<PortalEmbed />);
  expect(await screen.findByText(text)).toBeInTheDocument();
});
// #endregion

// #region events
it('the title follows the report that the reader opens', async () => {
  const onNavigate = vi.fn();
  const onSelect = vi.fn();
  render(<PortalEmbed onNavigate={onNavigate} onSelect={onSelect} />);
  const page = await embeds.page();
  act(() => page.navigate(reportId));
  act(() => page.select('Region', ['West']));
  await waitFor(() => expect(onSelect).toHaveBeenCalled());
  expect(onNavigate.mock.lastCall![0]).toMatchObject({ reportId });
  expect(onSelect.mock.lastCall![0]).toMatchObject({ field: 'Region', values: ['West'] });
});
// #endregion

// #region slow
it('the page waits for a slow report', async () => {
  embeds.show('loading');
  render(<PortalEmbed />);
  const page = await embeds.page();
  expect(screen.getByText('Loading report')).toBeInTheDocument();
  page.ready();
  await screen.findByText('Report loaded');
});
// #endregion

// #region session
it('a session that ends is renewed, and the report stays', async () => {
  const onRefresh = vi.fn();
  render(<PortalEmbed onRefresh={onRefresh} />);
  await screen.findByText('Report loaded');
  const page = await embeds.page();
  page.endSession();
  await waitFor(() => expect(onRefresh).toHaveBeenCalled());
  expect(embeds.requests).toHaveLength(2);
  expect(embeds.pages).toEqual([page]);
});
// #endregion
