import { useEffect, useLayoutEffect, useRef } from 'react';

import { drawScaled } from '../../charts/draw-scaled.ts';
import { usualHeight } from '../../charts/heights.ts';
import { isToAdd, keepText } from './marks/use-selection.ts';

interface PlotDrawingProps {
  draw: (width: number) => Element;
  /** Called with the place that the reader clicks. */
  onSelect?: ((place: number, toAdd: boolean) => void) | undefined;
  /** Whether the chart is drawn for print. */
  isPrinting?: boolean;
}

/** Smaller than on a screen, so that more charts fit below the heading of the first sheet. */
const sheetZoom = 0.75;

/** The width to draw for: the usual one if the element is not laid out, as in a hidden frame. */
const widthOf = (element: Element): number =>
  element.clientWidth || (element.getClientRects().length > 0 ? 1 : 480);

/** In the full view of its tile, a drawing of usual size fills about two thirds of the height. */
function zoomOf(element: Element, width: number): number {
  const isFull = element.closest('[popover]')?.matches(':popover-open') ?? false;
  return isFull ? Math.max(1, Math.min((innerHeight * 0.7) / usualHeight, width / 640)) : 1;
}

/** Draws a chart into its container, and draws it again when the width changes and for print. */
export function PlotDrawing({ draw, onSelect, isPrinting = false }: PlotDrawingProps) {
  const place = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = place.current!;
    let width = 0;
    const fit = () => {
      const now = widthOf(element);
      if (now === width) return;
      width = now;
      const zoom = isPrinting ? sheetZoom : zoomOf(element, width);
      element.replaceChildren(drawScaled(draw, width, zoom));
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [draw, isPrinting]);

  useEffect(() => {
    const element = place.current!;
    let tapped: number | undefined;
    // For clicks only: `MarkKeys` handles the keyboard.
    const handleClick = (event: MouseEvent) => {
      // Plot stores the datum at the pointer in `value`.
      const { value } = element.firstElementChild as Element & { value?: { place?: number } };
      if (value?.place === undefined) return;
      // A finger cannot hover, so the first tap on a mark only shows its tooltip.
      const isSecond = tapped === value.place;
      tapped = value.place;
      if ((event as PointerEvent).pointerType !== 'touch' || isSecond)
        onSelect?.(value.place, isToAdd(event));
    };
    element.addEventListener('click', handleClick);
    element.addEventListener('mousedown', keepText);
    return () => {
      element.removeEventListener('click', handleClick);
      element.removeEventListener('mousedown', keepText);
    };
  }, [onSelect]);

  return <div ref={place} data-selectable={onSelect !== undefined} />;
}
