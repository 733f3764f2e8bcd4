import './preview.css';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { Viewer } from 'viewer/create-viewer';
import { ReportScreen } from 'viewer/report-screen';
import { useViewer, ViewerContext } from 'viewer/viewer-context';

import { Loading } from '../kit/Loaded.tsx';
import { useFormats } from '../messages/messages.ts';
import type { TilePlace } from './document/steps.ts';
import { openPreview, type PreviewRequest } from './open-preview.ts';

interface PreviewProps extends PreviewRequest {
  /** The page to show. The reader's tabs change it, too. */
  page: number;
  onPage: (page: number) => void;
  selected: TilePlace | undefined;
  /** Called with the tile that is clicked. */
  onSelect: (place: TilePlace) => void;
  /** What to do about a preview without rows. Default: the advice for a reader. */
  noRowsAdvice: ReactNode;
}

/**
 * The report as a reader sees it, drawn by the code of the viewer itself from a text that is not saved.
 */
export function Preview(props: PreviewProps) {
  const { formatMessage } = useFormats();
  const { organizationId, reportId, text, asUserId, hasAllRows, noRowsAdvice } = props;
  const { page, onPage, selected, onSelect } = props;
  const section = useRef<HTMLElement>(null);
  const [viewer, setViewer] = useState<Viewer>();
  const latest = useRef<PreviewRequest>(props);

  useEffect(() => {
    const gone = new AbortController();
    const open = async () => {
      const created = await openPreview(() => latest.current, formatMessage);
      gone.signal.addEventListener('abort', created.stop);
      if (gone.signal.aborted) created.stop();
      else setViewer(created);
    };
    void open();
    return () => gone.abort();
  }, [formatMessage]);

  useEffect(() => {
    const started = latest.current;
    latest.current = { organizationId, reportId, text, asUserId, hasAllRows };
    // The viewer loads the report when it starts. A second request would only cancel the first.
    if (started.text !== text || started.asUserId !== asUserId) viewer?.refresh();
  }, [viewer, organizationId, reportId, text, asUserId, hasAllRows]);

  if (!viewer) return <Loading />;
  return (
    // A click is a shortcut: the layout of the page selects tiles by keyboard, too.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={section}
      className="preview"
      aria-label={formatMessage('definition.preview')}
      onClick={({ target }) => {
        const id = (target as Element).closest('[data-tile]')?.getAttribute('data-tile');
        if (id) onSelect(readPlace(id));
      }}
    >
      <ViewerContext value={viewer}>
        <FollowPage page={page} onPage={onPage} />
        <MarkTile selected={selected} section={section} />
        <ReportScreen openOverview={() => {}} noRowsAdvice={noRowsAdvice} />
      </ViewerContext>
    </section>
  );
}

/** The place of a tile, which is its id in the preview. */
function readPlace(id: string): TilePlace {
  const [page = 0, row = 0, index = 0] = id.split('.').map(Number);
  return { page, row, index };
}

/** Shows the page that is edited, and edits the page that is shown. */
function FollowPage({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const { viewer, view, pageIndex } = useViewer();
  const asked = useRef(0);
  const count = view?.kind === 'tiles' ? view.pages.length : 0;
  const follow = useEffectEvent(onPage);
  useEffect(() => {
    // A new page is shown as soon as the preview has it.
    if (page >= count) return;
    asked.current = page;
    if (viewer.getState().pageIndex !== page) viewer.selectPage(page);
  }, [viewer, page, count]);
  useEffect(() => {
    if (pageIndex === asked.current) return;
    asked.current = pageIndex;
    follow(pageIndex);
  }, [pageIndex]);
  return null;
}

/** Marks the selected tile in the preview. */
function MarkTile({
  selected,
  section,
}: {
  selected: TilePlace | undefined;
  section: RefObject<HTMLElement | null>;
}) {
  useViewer();
  const id = selected && `${selected.page}.${selected.row}.${selected.index}`;
  // Another view and the code of charts draw other elements, so it is marked after each drawing.
  useEffect(() => {
    const tile = section.current!.querySelector(`[data-tile="${id}"]`);
    tile?.setAttribute('data-edited', '');
    return () => tile?.removeAttribute('data-edited');
  });
  return null;
}
