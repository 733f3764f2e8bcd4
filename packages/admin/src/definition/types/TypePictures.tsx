import '../preview.css';
import { useEffect, useState, useSyncExternalStore, type ComponentProps } from 'react';
import type { Viewer } from 'viewer/create-viewer';
import { Tiles } from 'viewer/tiles';
import { ViewerContext } from 'viewer/viewer-context';

import { useFormats } from '../../messages/messages.ts';
import type { Tile } from '../document/read-document.ts';
import { openPreview, type PreviewSource } from '../open-preview.ts';
import { TypeIcon } from './TypeIcon.tsx';
import { writePictureReport } from './write-picture-report.ts';

interface PicturesProps {
  text: string;
  tiles: readonly Tile[];
  source: PreviewSource;
}

/** A tile that was computed from the data of the report, or that could not be. */
type Computed = ComponentProps<typeof Tiles>['rows'][number][number];

/** The tiles with the data of a report, once they are computed. */
export function usePictures({ text, tiles, source }: PicturesProps): {
  viewer: Viewer | undefined;
  computed: readonly Computed[];
} {
  const { formatMessage } = useFormats();
  const [viewer, setViewer] = useState<Viewer>();
  // The dialog is opened again for other tiles.
  const [request] = useState(() => ({ ...source, text: writePictureReport(text, tiles) }));
  useEffect(() => {
    const gone = new AbortController();
    const open = async () => {
      const created = await openPreview(() => request, formatMessage);
      gone.signal.addEventListener('abort', created.stop);
      if (gone.signal.aborted) created.stop();
      else {
        created.startCharts();
        setViewer(created);
      }
    };
    void open();
    return () => gone.abort();
  }, [request, formatMessage]);
  const view = useSyncExternalStore(
    viewer?.subscribe ?? subscribeToNothing,
    () => viewer?.getState().view,
  );
  const rows = view?.kind === 'tiles' ? view.page.rows : [];
  return { viewer, computed: rows.flat() };
}

const subscribeToNothing = () => () => {};

/** A small picture of a computed tile, or the sign of its type if there is none. */
export function TypePicture({
  viewer,
  tile,
  type,
}: {
  viewer: Viewer | undefined;
  tile: Computed | undefined;
  type: string;
}) {
  const [colors] = useState<ComponentProps<typeof Tiles>['colors']>(() => new Map());
  const isDrawn = viewer && tile && !('failure' in tile);
  return (
    <span className="type-picture" aria-hidden inert>
      {isDrawn ? (
        <span className="preview type-picture-drawing">
          <span className="report-content">
            <ViewerContext value={viewer}>
              <Tiles rows={[[tile]]} colors={colors} />
            </ViewerContext>
          </span>
        </span>
      ) : (
        <span className="type-picture-sign">
          <TypeIcon type={type} />
        </span>
      )}
    </span>
  );
}
