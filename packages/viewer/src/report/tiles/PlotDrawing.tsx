import { useEffect, useLayoutEffect, useRef } from 'react';

import { drawScaled } from '../../charts/draw-scaled.ts';
import { useFullHeight } from '../../full-view.tsx';
import { isToAdd, keepText } from './marks/use-selection.ts';

interface PlotDrawingProps {
  /** Draws for a width and, in the full view of its tile, a height. */
  draw: (width: number, height?: number) => Element;
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

/** Height of what stands below the drawings of a tile: names of axes, buttons and notes. */
const belowDrawings = 120;
const leastHeight = 240;

/** The height of a drawing that fills the full view of its tile together with its small multiples. */
function fitHeight(element: Element, windowHeight: number): number {
  const panels = element.closest('.panels');
  const tile = element.closest('.tile');
  const first = (panels ?? element).getBoundingClientRect();
  const above = first.top - (tile?.getBoundingClientRect().top ?? 0) + (tile?.scrollTop ?? 0);
  const room = windowHeight - above - belowDrawings;
  if (!panels) return Math.max(leastHeight, room);
  const columns = Math.max(1, Math.round(panels.clientWidth / (element.clientWidth || 1)));
  const rows = Math.ceil(panels.childElementCount / columns);
  return Math.max(leastHeight, room / rows - belowPanel);
}

/** Height of the names and gaps around one of several drawings. */
const belowPanel = 72;

/** Draws a chart into its container, and draws it again when the width changes and for print. */
export function PlotDrawing({ draw, onSelect, isPrinting = false }: PlotDrawingProps) {
  const place = useRef<HTMLDivElement>(null);
  const fullHeight = useFullHeight();

  useLayoutEffect(() => {
    const element = place.current!;
    let width = 0;
    const fit = () => {
      const now = widthOf(element);
      if (now === width) return;
      width = now;
      const height = fullHeight === undefined ? undefined : fitHeight(element, fullHeight);
      const size = isPrinting ? { zoom: sheetZoom } : { height };
      element.replaceChildren(drawScaled(draw, width, size));
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [draw, isPrinting, fullHeight]);

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
