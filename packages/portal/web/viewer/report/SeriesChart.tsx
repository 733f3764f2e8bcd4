import type { SeriesTile } from '@portal-embed/report-model';
import { useLayoutEffect, useRef } from 'react';

import { describeSeries } from '../charts/describe-series.ts';
import type { DrawSeries } from '../charts/draw-series.ts';
import type { Formats } from '../charts/format.ts';

interface SeriesChartProps {
  tile: SeriesTile;
  drawSeries: DrawSeries;
  formats: Formats;
}

/** Fits the SVG to its container and describes it in words. */
export function SeriesChart({ tile, drawSeries, formats }: SeriesChartProps) {
  const place = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = place.current!;
    let width = 0;
    const draw = () => {
      const now = element.clientWidth || 480;
      if (now === width) return;
      width = now;
      element.replaceChildren(drawSeries(tile, width, formats));
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [tile, drawSeries, formats]);

  return (
    <figure className="chart" aria-label={tile.title}>
      <div ref={place} aria-hidden="true" />
      <figcaption className="visually-hidden">{describeSeries(tile, formats)}</figcaption>
    </figure>
  );
}
