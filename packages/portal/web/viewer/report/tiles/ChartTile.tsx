import type { ChartTile as ChartData } from '@portal-embed/report-model';
import { useMemo, useState } from 'react';

import { emphasize, hideSeries } from '../../charts/emphasize.ts';
import { describePlace } from '../../charts/layouts/frame.ts';
import type { Palette } from '../../charts/palette.ts';
import { readChart, type Chart, type Panel, type Place } from '../../charts/read-chart.ts';
import type { Formats } from '../../format/create-formats.ts';
import { useViewer } from '../../viewer-context.ts';
import { MarkBar } from './marks/MarkBar.tsx';
import { MarkKeys } from './marks/MarkKeys.tsx';
import { useMarks } from './marks/use-marks.ts';
import { noteChart } from './notes.ts';
import { ToggledTile } from './ToggledTile.tsx';

export function ChartTile({ tile, palette }: { tile: ChartData; palette: Palette }) {
  const { formats } = useViewer();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<number | null>(null);
  const read = useMemo(() => readChart(tile, palette, formats), [tile, palette, formats]);
  const marks = useMarks(tile, read.x, read.places);
  const { selected, canSelect } = marks;
  const chart = useMemo(() => {
    const isSelected = ({ key, isOther }: Place) => !isOther && selected!.includes(key);
    return emphasize(hideSeries(read, hidden), selected && isSelected, active);
  }, [read, hidden, selected, active]);
  const describe = (place: number) =>
    chart.panels
      .map((panel) => describePlace({ chart, panel, width: 0, formats }, place))
      .join(' ')
      .replaceAll('\n', ' · ');
  return (
    <ToggledTile
      tile={tile}
      notes={noteChart(tile, chart, formats)}
      bar={<MarkBar {...marks} />}
      chart={chart}
      axisNames={(panel) => nameAxes(chart, panel as Panel, formats)}
      hidden={hidden}
      {...(chart.legend.length > 1 && {
        onToggle: (id: string) => setHidden(toggleMember(hidden, id)),
      })}
      onSelect={canSelect ? marks.toggle : undefined}
      keys={<MarkKeys marks={marks} active={active} onActive={setActive} describe={describe} />}
    />
  );
}

const toggleMember = (set: ReadonlySet<string>, member: string): ReadonlySet<string> =>
  new Set(set.has(member) ? [...set].filter((other) => other !== member) : [...set, member]);

function nameAxes({ type, stack, x }: Chart, { axis: metric }: Panel, { formatMessage }: Formats) {
  const hasShares = type !== 'line' && stack === 'percent';
  if (type === 'bar') {
    const key = hasShares ? 'axis.share_by' : 'axis.by';
    return { above: formatMessage(key, { metric, dimension: x.name }) };
  }
  return { above: hasShares ? formatMessage('axis.share', { metric }) : metric, below: x.name };
}
