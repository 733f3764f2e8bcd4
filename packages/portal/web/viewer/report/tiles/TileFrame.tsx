import type { FailedTile, Tile } from '@portal-embed/report-model';
import { useId, type CSSProperties, type ReactNode } from 'react';

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
  const titleId = useId();
  const style = { '--columns': tile.width } as CSSProperties;
  return (
    <section
      className={`tile tile-${tile.type}`}
      style={style}
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
          {actions}
        </div>
      )}
      <div className="tile-body">{children}</div>
      {notes && notes.length > 0 && <p className="tile-notes">{notes.join(' ')}</p>}
    </section>
  );
}
