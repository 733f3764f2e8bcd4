import type { Drill, Key } from '@portal-embed/report-model';
import type { MouseEvent } from 'react';

import { useViewer } from '../../../viewer-context.ts';
import { drillTo } from '../../filters/drill.ts';
import { moveToMarks } from './move-to-marks.ts';

interface MarkPathProps {
  tile: { id: string; title: string; drill?: Drill | undefined };
}

/** The levels to which the reader has drilled down. Each one is a button that returns to it. */
export function MarkPath({ tile }: MarkPathProps) {
  const { viewer, readerView, formats } = useViewer();
  const { path = [] } = tile.drill ?? {};
  if (path.length === 0) return null;
  const goTo = (event: MouseEvent, to: readonly Key[]) => {
    moveToMarks(event);
    viewer.changeView(drillTo(readerView, tile.id, to));
  };
  return (
    <nav aria-label={formats.formatMessage('mark.path', { title: tile.title })}>
      <ol className="mark-path">
        <li>
          <button type="button" className="why" onClick={(event) => goTo(event, [])}>
            {formats.formatMessage('mark.top')}
          </button>
        </li>
        {path.map(({ dimension: level, key }, index) => (
          <li key={level.name}>
            <button
              type="button"
              className="why"
              disabled={index === path.length - 1}
              onClick={(event) =>
                goTo(
                  event,
                  path.slice(0, index + 1).map((each) => each.key),
                )
              }
            >
              {formats.formatterOf(level, [key])(key)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
