import type { MouseEvent } from 'react';

import { useViewer } from '../../viewer-context.ts';

interface CellLinkProps {
  address: string | undefined;
  text: string;
  /** Whether the link is a sign beside the text, because the text itself selects the row. */
  isSign?: boolean;
}

/** A click on a link does not select its row. */
const keepSelection = (event: MouseEvent) => event.stopPropagation();

/** The text of a cell that opens an address in a new tab. Without an address, the text alone. */
export function CellLink({ address, text, isSign = false }: CellLinkProps) {
  const { formatMessage } = useViewer().formats;
  if (address === undefined) return isSign ? null : text;
  return (
    <a
      className={isSign ? 'cell-link cell-link-sign' : 'cell-link'}
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      onClick={keepSelection}
    >
      {isSign ? <span className="visually-hidden">{text}</span> : text}
      <span className="visually-hidden"> {formatMessage('link.new_tab')}</span>
    </a>
  );
}
