import type { FailedTile, Tile } from '@portal-embed/report-model';
import { useId, useRef, type ReactNode } from 'react';

import { useViewer } from '../../viewer-context.ts';
import { TileMenu } from './TileMenu.tsx';

interface TileFrameProps {
  tile: Tile | FailedTile;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Notes about the numbers, such as an incomplete period. */
  notes?: readonly string[];
  children: ReactNode;
}

/** A tile's box, with its title and its notes. */
export function TileFrame({ tile, actions, notes, children }: TileFrameProps) {
  const { formatMessage } = useViewer().formats;
  const section = useRef<HTMLElement>(null);
  const titleId = useId();
  return (
    <section
      ref={section}
      className={`tile tile-${tile.type}`}
      data-columns={tile.width}
      data-tile={tile.id}
      {...(tile.title && { 'aria-labelledby': titleId })}
    >
      {(tile.title || actions) && (
        <div className="tile-header">
          <div className="tile-heading">
            {tile.title && (
              <h2 id={titleId} className="tile-title">
                {tile.title}
              </h2>
            )}
            {tile.description && <p className="tile-description">{tile.description}</p>}
          </div>
          <div className="tile-actions">
            {actions}
            {tile.type !== 'text' && !('failure' in tile) && <TileMenu tile={tile} />}
            <button
              type="button"
              className="tile-toggle tile-restore"
              aria-label={formatMessage('tile.restore', { title: tile.title })}
              onClick={() => section.current!.hidePopover()}
            >
              ✕
            </button>
          </div>
        </div>
      )}
      <div className="tile-body">{children}</div>
      {notes && notes.length > 0 && <p className="tile-notes">{notes.join(' ')}</p>}
    </section>
  );
}
