import { useEffect, useState, type ComponentType } from 'react';

import type { FrameView } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { Skeleton } from './Skeleton.tsx';

/** A report in a frame of another product. The code for it loads with the first such report. */
export function FramePlace({ view }: { view: FrameView }) {
  const { viewer, frame } = useViewer();
  const [FramedReport, setPart] = useState<ComponentType<{ view: FrameView }>>();

  useEffect(() => {
    let isGone = false;
    void import('../frames/FramedReport.tsx').then(
      (module) => isGone || setPart(() => module.FramedReport),
      () => isGone || viewer.failFrame('frame_failed'),
    );
    return () => {
      isGone = true;
    };
  }, [viewer]);

  return (
    <div className="framed">
      {FramedReport && <FramedReport view={view} />}
      {!frame && (
        <div className="framed-cover">
          <Skeleton />
        </div>
      )}
    </div>
  );
}
