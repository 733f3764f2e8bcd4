import { useLayoutEffect, useRef } from 'react';

import { drawScaled } from '../../charts/draw-scaled.ts';

/** Draws into its container, and again when the width changes. */
export function PlotDrawing({ draw }: { draw: (width: number) => Element }) {
  const place = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = place.current!;
    let width = 0;
    const fit = () => {
      const now = element.clientWidth || 480;
      if (now === width) return;
      width = now;
      element.replaceChildren(drawScaled(draw, width));
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [draw]);

  return <div ref={place} />;
}
