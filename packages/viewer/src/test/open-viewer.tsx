import type { PortalMessage } from '@portal-embed/contract/frame';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';

import { chartCode } from '../chart-code.ts';
import type { ChartCode } from '../chart-code.ts';
import { createViewer } from '../create-viewer.ts';
import { loadHome } from '../home/Home.tsx';
import type { ViewerSession } from '../requests/viewer.ts';
import type { PortalApi } from '../session/portal-api.ts';
import { ViewerApp } from '../ViewerApp.tsx';
import { formats } from './formats.ts';
import { flights, flightsView, portalSession, salesView } from './samples.ts';

await loadHome();

/** A window with an address and a scroll position. */
export function resetWindow(): void {
  history.replaceState(null, '', '/');
  vi.spyOn(window, 'scrollTo').mockReset();
}

/** A service that answers with the samples. */
export function createSampleApi() {
  return {
    listReports: vi.fn<PortalApi['listReports']>(async () => ({
      reports: portalSession.reports,
      favorites: [],
      recent: [],
    })),
    listValues: vi.fn<PortalApi['listValues']>(async () => ({
      values: [
        { key: 'West', count: 3203 },
        { key: 'East', count: 2848 },
        { key: null, count: 1 },
      ],
      valueCount: 3,
    })),
    setFavorite: vi.fn<PortalApi['setFavorite']>(async () => {}),
    send: vi.fn<PortalApi['send']>(async () => new Response('a file')),
    viewReport: vi.fn<PortalApi['viewReport']>(async (id) =>
      id === flights.id ? flightsView : salesView,
    ),
  };
}

/** Opens the menu of a tile, as a browser does. jsdom has no popovers. */
export async function openTileMenu(title: string): Promise<HTMLElement> {
  const button = screen.getByLabelText(`More: ${title}`);
  const menu = document.getElementById(button.getAttribute('popovertarget')!)!;
  menu.hidePopover = vi.fn();
  fireEvent(menu, Object.assign(new Event('beforetoggle'), { newState: 'open' }));
  await within(menu).findByText('Download CSV');
  return menu;
}

/** Opens the viewer page with a session, outside a frame. */
export function openViewer(
  session: ViewerSession,
  api = createSampleApi(),
  loadCharts: () => Promise<ChartCode | null> = async () => chartCode,
  hasHost = false,
) {
  const sent: PortalMessage[] = [];
  let hasCharts = false;
  const viewer = createViewer({
    session,
    createApi: () => api,
    post: (message) => void sent.push(message),
    hasHost: () => hasHost,
    showPath: (path) => history.replaceState(null, '', path),
    loadCharts: () => {
      hasCharts = true;
      return loadCharts();
    },
    formats,
  });
  render(<ViewerApp viewer={viewer} />);
  return {
    api,
    viewer,
    sent,
    start: async (...place: Parameters<typeof viewer.start>) => {
      act(() => viewer.start(...place));
      await waitFor(() => expect(viewer.getState().loading).toBe(false));
      // The code of charts loads after the numbers are painted.
      if (viewer.getState().view?.kind === 'tiles')
        await waitFor(() => expect(hasCharts).toBe(true));
    },
    refresh: async () => {
      act(viewer.refresh);
      await waitFor(() => expect(viewer.getState().loading).toBe(false));
    },
    typesSent: () => sent.map(({ type }) => type),
  };
}
