import type { FailedTile as Failed, Tile } from '@portal-embed/report-model';
import { Component, type ReactNode } from 'react';

import { FailedTile } from './FailedTile.tsx';

interface TileBoundaryProps {
  tile: Tile | Failed;
  children: ReactNode;
}

interface TileBoundaryState {
  /** The tile that failed. A tile with new data is drawn again. */
  tile: Tile | Failed;
  hasFailed: boolean;
}

/** Replaces a tile that cannot be drawn by a message, so that the other tiles stay. */
export class TileBoundary extends Component<TileBoundaryProps, TileBoundaryState> {
  override state: TileBoundaryState = { tile: this.props.tile, hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ tile }: TileBoundaryProps, state: TileBoundaryState) {
    return tile === state.tile ? null : { tile, hasFailed: false };
  }

  override render() {
    const { tile, children } = this.props;
    if (!this.state.hasFailed) return children;
    return <FailedTile tile={{ ...tile, failure: { code: 'not_drawn' } }} />;
  }
}
