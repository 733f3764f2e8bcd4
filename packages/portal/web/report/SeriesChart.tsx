import { useLayoutEffect, useRef } from 'react';

import type { SeriesTile } from '../../wire/viewer.ts';
import type { DrawSeries } from '../charts/draw-series.ts';

interface SeriesChartProps {
  tile: SeriesTile;
  drawSeries: DrawSeries;
}

/** Keeps the SVG as wide as its place. */
export function SeriesChart({ tile, drawSeries }: SeriesChartProps) {
  const place = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = place.current!;
    let width = 0;
    const draw = () => {
      const now = Math.floor(element.clientWidth) || 480;
      if (now === width) return;
      width = now;
      element.replaceChildren(drawSeries(tile, width));
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [tile, drawSeries]);

  return <div ref={place} className="chart" />;
}
