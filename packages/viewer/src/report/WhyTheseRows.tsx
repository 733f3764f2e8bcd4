import { Suspense, useId, useRef, useState } from 'react';

import { lazyPart } from '../lazy-part.tsx';
import type { ReportView } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';

const RowReasons = lazyPart(() => import('./RowReasons.tsx').then((module) => module.RowReasons));

/** Shows which roles and filters select the rows, and how many rows are left. */
export function WhyTheseRows({ view }: { view: ReportView }) {
  const { formats } = useViewer();
  const { formatMessage } = formats;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [isOpened, setIsOpened] = useState(false);

  const open = (button: HTMLButtonElement) => {
    const { current } = dialog;
    if (!current) return;
    // If the frame is as tall as the report, its middle can be outside the visible part.
    current.style.setProperty('--top', `${Math.max(0, button.getBoundingClientRect().bottom)}px`);
    current.showModal();
    setIsOpened(true);
  };

  return (
    <>
      <button
        type="button"
        className="why"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => open(currentTarget)}
      >
        {formatMessage('why.title')}
      </button>
      <dialog ref={dialog} className="dialog" aria-labelledby={titleId}>
        <div className="dialog-header">
          <h2 id={titleId} className="dialog-title">
            {formatMessage('why.title')}
          </h2>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {formatMessage('why.close')}
          </button>
        </div>
        {isOpened && (
          <Suspense fallback={<p>{formatMessage('page.loading')}</p>}>
            <RowReasons view={view} />
          </Suspense>
        )}
      </dialog>
    </>
  );
}
