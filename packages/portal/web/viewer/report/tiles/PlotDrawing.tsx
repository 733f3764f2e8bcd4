import { useEffect, useLayoutEffect, useRef } from 'react';

import { drawScaled } from '../../charts/draw-scaled.ts';
import { usualHeight } from '../../charts/heights.ts';

interface PlotDrawingProps {
  draw: (width: number) => Element;
  /** Called with the place that the reader clicks. */
  onSelect?: ((place: number) => void) | undefined;
}

/** In the full view of its tile, a drawing of usual size fills about two thirds of the height. */
function zoomOf(element: Element, width: number): number {
  const isFull = element.closest('[popover]')?.matches(':popover-open') ?? false;
  return isFull ? Math.max(1, Math.min((innerHeight * 0.7) / usualHeight, width / 640)) : 1;
}

/** Draws into its container, and again when the width changes. */
export function PlotDrawing({ draw, onSelect }: PlotDrawingProps) {
  const place = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = place.current!;
    let width = 0;
    const fit = () => {
      const now = element.clientWidth || 480;
      if (now === width) return;
      width = now;
      element.replaceChildren(drawScaled(draw, width, zoomOf(element, width)));
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [draw]);

  useEffect(() => {
    const element = place.current!;
    // For clicks only: `MarkKeys` handles the keyboard.
    const handleClick = () => {
      // Plot stores the datum at the pointer in `value`.
      const { value } = element.firstElementChild as Element & { value?: { place?: number } };
      if (value?.place !== undefined) onSelect?.(value.place);
    };
    element.addEventListener('click', handleClick);
    return () => element.removeEventListener('click', handleClick);
  }, [onSelect]);

  return <div ref={place} data-selectable={onSelect !== undefined} />;
}
