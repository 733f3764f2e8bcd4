import { useEffect, useLayoutEffect, useRef } from 'react';

import type { FrameView } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { connectFrame, type FrameConnection } from './connect-frame.ts';
import { framePath } from './frame-messages.ts';
import { FrameMenu } from './FrameMenu.tsx';
import { maxFrameViewLength } from './held.ts';
import { keepConfirmed } from './keep-confirmed.ts';
import type { ShownFrame } from './shown-frame.ts';
import { useTheme } from './use-theme.ts';

/** Longest time, in milliseconds, in which the product draws a report. */
const drawTimeoutMs = 30_000;

/** Shortest time, in milliseconds, between two copies that a product reports. */
const copyPauseMs = 1_000;

/** The page in the frame is the portal's own, but the product in it must not navigate those around it. */
const sandbox = [
  'allow-downloads',
  'allow-scripts',
  'allow-same-origin',
  'allow-forms',
  'allow-modals',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
].join(' ');

/** The service sends an embedder policy, so the browser shows only isolated frames of others. */
const isIsolated = () => document.querySelector('#portal-boot[data-isolated]') !== null;

/** The page half of a platform, in a frame of the portal's own origin that holds no session. */
export function FramedReport({ view }: { view: FrameView }) {
  const { viewer, frame, viewedAt, formats } = useViewer();
  const theme = useTheme();
  const element = useRef<HTMLIFrameElement>(null);
  const connection = useRef<FrameConnection>(undefined);
  const isBlocked = isIsolated() && !('credentialless' in HTMLIFrameElement.prototype);
  const { platform } = view;

  // A layout effect, so that it listens before the page in the frame has loaded.
  useLayoutEffect(() => {
    if (isBlocked) {
      viewer.failFrame('isolated');
      return undefined;
    }
    const { change, noteView: noteChanged, noteSelected } = viewer.frameParts;
    // The new frame has not drawn its report yet.
    change({ frame: null });
    const exportAs: ShownFrame['exportAs'] = (format) =>
      shown.send(format === 'print' ? { type: 'print' } : { type: 'export', format });
    const noteView = (text: string) => {
      const frameView = text.length <= maxFrameViewLength ? text : '';
      if (frameView === viewer.getState().frameView) return;
      change({ frameView });
      noteChanged();
    };
    const lifetime = new AbortController();
    const { signal } = lifetime;
    const shown = connectFrame(element.current!, signal, (message) => {
      if (message.type === 'ready') change({ frame: { ...message, Menu: FrameMenu, exportAs } });
      else if (message.type === 'failed') viewer.failFrame('frame_failed');
      else if (message.type === 'view') noteView(message.view);
      else if (message.type === 'selected') noteSelected(message);
      else if (message.type === 'exported') void noteExported();
      else if (message.type === 'expired') renew();
      // The product's frame has the focus, so this document does not get the key itself.
      else window.dispatchEvent(new KeyboardEvent('keydown', { key: message.key }));
    });
    let copiedAt = 0;
    const noteExported = async () => {
      const { view: current } = viewer.getState();
      if (current?.kind !== 'frame' || !current.canTakeAway) return;
      // Each one counts toward the reader's requests, and so do the confirmations of the frame.
      if (Math.abs(Date.now() - copiedAt) < copyPauseMs) return;
      copiedAt = Date.now();
      await viewer.requestCopy('print', {}).then(() => viewer.noteExported('other'), viewer.fail);
    };
    const renew = keepConfirmed(viewer, signal);
    connection.current = shown;
    return () => lifetime.abort();
  }, [viewer, isBlocked]);

  const isDrawn = frame !== null;
  useEffect(() => {
    if (isDrawn || isBlocked) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => {
        // Products draw nothing in a tab that is not visible.
        if (document.hidden) wait();
        else viewer.failFrame('frame_timeout');
      }, drawTimeoutMs);
    };
    wait();
    return () => clearTimeout(timer);
  }, [viewer, isDrawn, isBlocked]);

  const { locale } = formats;
  useEffect(() => {
    const { url, token, expiresAt, settings } = view;
    connection.current?.show({
      url,
      token,
      expiresAt,
      settings,
      view: viewer.getState().frameView || undefined,
      theme,
      locale,
      isIsolated: isIsolated(),
      canTakeAway: view.canTakeAway,
    });
  }, [viewer, view, theme, locale]);

  const loadedAt = useRef(viewedAt);
  useEffect(() => {
    if (viewedAt !== loadedAt.current) connection.current?.send({ type: 'refresh' });
    loadedAt.current = viewedAt;
  }, [viewedAt]);

  if (isBlocked) return null;
  return (
    <iframe
      ref={element}
      className="framed-page"
      title={view.report.name}
      // Hidden by opacity only, because a frame that is not painted may never become ready.
      inert={!isDrawn}
      data-drawn={isDrawn}
      allow="fullscreen; clipboard-write"
      sandbox={sandbox}
      src={framePath(platform, isIsolated())}
    />
  );
}
