import { useState, type ReactNode } from 'react';

import { useViewer } from '../viewer-context.ts';

interface FolderProps {
  name: string;
  /** Id of the heading. */
  titleId: string;
  className: string;
  count: number;
  /** Whether it is open before the reader toggles it. */
  isOpen: boolean;
  children: ReactNode;
}

/** A workspace that collapses. */
export function Folder({ name, titleId, className, count, isOpen, children }: FolderProps) {
  const { formats } = useViewer();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const shown = chosen ?? isOpen;
  return (
    <details
      className="folder"
      open={shown}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== shown) setChosen(currentTarget.open);
      }}
    >
      <summary>
        <h2 id={titleId} className={className}>
          {name}
        </h2>
        <span className="folder-count">{formats.formatCount(count)}</span>
      </summary>
      {children}
    </details>
  );
}
