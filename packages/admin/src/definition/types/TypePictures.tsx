import '../preview.css';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import type { Viewer } from 'viewer/create-viewer';
import { Tiles } from 'viewer/tiles';
import { useViewer, ViewerContext } from 'viewer/viewer-context';

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

/** Computes tiles from the data of a report. `undefined` until that has started. */
export function usePictures({ text, tiles, source }: PicturesProps): Viewer | undefined {
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
  return viewer;
}

/** A small picture of a computed tile, or the sign of its type if there is none. */
export function TypePicture({
  viewer,
  position,
  type,
}: {
  viewer: Viewer | undefined;
  /** The tile among those that are computed. */
  position: number;
  type: string;
}) {
  const sign = (
    <span className="type-picture-sign">
      <TypeIcon type={type} />
    </span>
  );
  return (
    <span className="type-picture" aria-hidden inert>
      {viewer && position !== -1 ? (
        <ViewerContext value={viewer}>
          <Computed position={position}>{sign}</Computed>
        </ViewerContext>
      ) : (
        sign
      )}
    </span>
  );
}

function Computed({ position, children }: { position: number; children: ReactNode }) {
  const { view } = useViewer();
  const [colors] = useState<ComponentProps<typeof Tiles>['colors']>(() => new Map());
  const tile = view?.kind === 'tiles' ? view.page.rows[position]?.[0] : undefined;
  if (!tile || 'failure' in tile) return children;
  return (
    <span className="preview type-picture-drawing">
      <span className="report-content">
        <Tiles rows={[[tile]]} colors={colors} />
      </span>
    </span>
  );
}
