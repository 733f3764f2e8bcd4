import type { ChartTile as ChartData } from '@portal-embed/report-model';
import { useMemo, useState } from 'react';

import { emphasize, hideSeries } from '../../charts/emphasize.ts';
import { filterBy } from '../../charts/filter-by.ts';
import { foldPlaces } from '../../charts/fold.ts';
import { describePanels } from '../../charts/layouts/frame.ts';
import type { Palette } from '../../charts/palette.ts';
import { readChart, type Chart, type Panel } from '../../charts/read-chart.ts';
import type { Formats } from '../../format/create-formats.ts';
import { useFullHeight } from '../../full-view.tsx';
import { useViewer } from '../../viewer-context.ts';
import { noteChart } from './chart-notes.ts';
import { isInTitle } from './in-title.ts';
import { useMarks } from './marks/use-marks.ts';
import { ToggledTile } from './ToggledTile.tsx';

export function ChartTile({ tile, palette }: { tile: ChartData; palette: Palette }) {
  const { formats } = useViewer();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [isUnfolded, setUnfolded] = useState(false);
  const whole = useMemo(() => readChart(tile, palette, formats), [tile, palette, formats]);
  const room = useFullHeight() === undefined ? 'page' : 'full';
  const folded = useMemo(() => foldPlaces(whole, formats, room), [whole, formats, room]);
  const read = isUnfolded ? whole : folded;
  const marks = useMemo(
    () =>
      read.places.map(({ key, name, isOther, folded: count }) => ({
        name,
        filters: isOther || count !== undefined ? [] : filterBy([read.x], [key]),
        ...(count !== undefined && { onUnfold: () => setUnfolded(true) }),
      })),
    [read],
  );
  const visible = useMemo(() => hideSeries(read, hidden), [read, hidden]);
  const { emphasisOf, selectedText, ...selecting } = useMarks(tile, marks, (place) =>
    describePanels(visible, place, formats),
  );
  const chart = useMemo(() => emphasize(visible, emphasisOf), [visible, emphasisOf]);
  return (
    <ToggledTile
      tile={tile}
      notes={noteChart(tile, chart, formats)}
      chart={chart}
      {...(folded !== whole && {
        fold: { isUnfolded, count: whole.places.length, toggle: () => setUnfolded(!isUnfolded) },
      })}
      axisNames={(panel) => nameAxes(tile.title, chart, panel as Panel, formats)}
      hidden={hidden}
      {...(chart.legend.length > 1 && {
        onToggle: (id: string) => setHidden(toggleSeries(chart, hidden, id)),
      })}
      marks={selecting}
      selectedText={selectedText}
    />
  );
}

/** Hides a series, or shows it again. Hiding the last one shows all. */
function toggleSeries(
  { legend }: Chart,
  hidden: ReadonlySet<string>,
  series: string,
): ReadonlySet<string> {
  const toggled = new Set(hidden);
  if (!toggled.delete(series)) toggled.add(series);
  return legend.every(({ id }) => toggled.has(id)) ? new Set() : toggled;
}

/** The names of the axes, without those that the title of the tile repeats. */
function nameAxes(
  title: string,
  { type, stack, x, panels }: Chart,
  { axis: metric }: Panel,
  formats: Formats,
) {
  const { formatMessage } = formats;
  const dimension = formats.nameDimension(x);
  const hasShares = type !== 'line' && stack === 'percent';
  // The drawings of several metrics differ by this name alone.
  const isOnly = panels.every(({ axis }) => axis === metric);
  const isMetricKnown = !hasShares && isOnly && isInTitle(title, metric);
  const below = isInTitle(title, dimension) ? undefined : dimension;
  if (type !== 'bar') {
    const above = hasShares ? formatMessage('axis.share', { metric }) : metric;
    return { above: isMetricKnown ? undefined : above, below };
  }
  if (isMetricKnown) return { above: below };
  if (below === undefined && !hasShares) return { above: metric };
  const key = hasShares ? 'axis.share_by' : 'axis.by';
  return { above: formatMessage(key, { metric, dimension }) };
}
