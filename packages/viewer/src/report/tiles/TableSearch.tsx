import type { TableTile } from '@portal-embed/report-model';
import { useEffect, useState } from 'react';

import { useViewer } from '../../viewer-context.ts';
import { setSearch } from '../filters/change-view.ts';

/** The service searches when the reader pauses, in milliseconds. */
const pauseMs = 350;

/** As the service allows. */
const maxLength = 200;

/** Searches all rows of a table, of which the page may have only some. */
export function TableSearch({ tile }: { tile: TableTile }) {
  const { viewer, readerView, isPrinting, formats } = useViewer();
  const { id, title, groupCount } = tile;
  const sent = readerView.searches?.find((search) => search.tile === id)?.text ?? '';
  const [typed, setTyped] = useState({ text: sent, sent });
  // Another view, such as one of the host, replaces what is typed.
  const isOwn = typed.sent === sent || typed.text.trim() === sent;
  const text = isOwn ? typed.text : sent;
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent) return undefined;
    const timer = setTimeout(() => {
      setTyped({ text, sent: wanted });
      viewer.changeView(setSearch(viewer.getState().readerView, { tile: id, text: wanted }));
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [viewer, id, text, sent]);
  const values = { text: sent, count: groupCount };
  return (
    <>
      {!isPrinting && (
        <input
          type="search"
          className="filter-search"
          aria-label={formats.formatMessage('filters.search', { field: title })}
          placeholder={formats.formatMessage('table.search')}
          maxLength={maxLength}
          value={text}
          onChange={({ target }) => setTyped({ text: target.value, sent })}
        />
      )}
      <output>
        {sent !== '' &&
          formats.formatMessage(groupCount === 0 ? 'table.none' : 'table.found', values)}
      </output>
    </>
  );
}
