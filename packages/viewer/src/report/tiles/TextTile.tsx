import type { TextTile as TextData } from '@portal-embed/report-model';
import { useEffect, useState, type ReactNode } from 'react';

import { TileFrame } from './TileFrame.tsx';

/** A Markdown text. It shows the source until the Markdown code has loaded, or if that fails. */
export function TextTile({ tile }: { tile: TextData }) {
  const [render, setRender] = useState<((text: string) => ReactNode) | null>(null);
  useEffect(() => {
    let isGone = false;
    import('../../markdown/render-markdown.tsx').then(
      ({ renderMarkdown }) => isGone || setRender(() => renderMarkdown),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <TileFrame tile={tile}>
      {render ? (
        <div className="markdown">{render(tile.text)}</div>
      ) : (
        <p className="markdown-source">{tile.text}</p>
      )}
    </TileFrame>
  );
}
