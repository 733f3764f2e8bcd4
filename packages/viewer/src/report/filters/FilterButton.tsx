import { Suspense, useId, useRef, useState } from 'react';

import { lazyPart } from '../../lazy-part.tsx';
import type { FilterField } from '../../requests/reader-view.ts';
import type { TilesView } from '../../requests/viewer.ts';
import { useViewer } from '../../viewer-context.ts';
import { formatChosen, listChosen } from './chosen-values.ts';

const FilterChoices = lazyPart(() =>
  import('./FilterChoices.tsx').then((module) => module.FilterChoices),
);

/** Shows what is chosen of one field, and opens the choices. */
export function FilterButton({ field, view }: { field: FilterField; view: TilesView }) {
  const { readerView, formats } = useViewer();
  const { formatMessage } = formats;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const chosen = listChosen(field, view, readerView);

  /** Places the panel below the button, from the start of the document, so that both scroll. */
  const placePanel = () => {
    const { left, bottom } = button.current!.getBoundingClientRect();
    const most = document.documentElement.clientWidth - panel.current!.offsetWidth - 8;
    const x = Math.max(8, Math.min(left, most)) + window.scrollX;
    panel.current!.style.translate = `${x}px ${bottom + window.scrollY + 4}px`;
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className="filter-button"
        data-active={chosen.length > 0}
        popoverTarget={id}
      >
        {chosen.length === 0
          ? field.name
          : formatMessage('filters.entry', {
              column: field.name,
              values:
                chosen.length > 2
                  ? formatMessage('filters.selected', { count: chosen.length })
                  : formats.formatEither(
                      chosen.map((value) => formatChosen(field, value, view, formats)),
                    ),
            })}
      </button>
      <dialog
        ref={panel}
        id={id}
        popover="auto"
        className="filter-panel"
        aria-label={field.name}
        onToggle={({ newState }) => {
          setIsOpen(newState === 'open');
          if (newState === 'open') placePanel();
        }}
      >
        {isOpen && (
          <Suspense fallback={<p>{formatMessage('page.loading')}</p>}>
            <FilterChoices
              field={field}
              view={view}
              chosen={chosen}
              close={() => panel.current!.hidePopover()}
            />
          </Suspense>
        )}
      </dialog>
    </>
  );
}
