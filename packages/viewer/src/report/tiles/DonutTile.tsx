import type { ChartTile as ChartData } from '@portal-embed/report-model';
import { useState } from 'react';

import { describeChart } from '../../charts/describe-chart.ts';
import type { Emphasis } from '../../charts/emphasize.ts';
import { filterBy } from '../../charts/filter-by.ts';
import { createKeyReaders, type KeyReader } from '../../charts/key-readers.ts';
import { restColor, type Palette } from '../../charts/palette.ts';
import { compareRanks } from '../../format/compare.ts';
import { writeTip } from '../../tips.ts';
import { useViewer } from '../../viewer-context.ts';
import { ChartTable } from './ChartTable.tsx';
import { isInTitle } from './in-title.ts';
import { Swatch } from './Legend.tsx';
import { MarkBar } from './marks/MarkBar.tsx';
import { MarkKeys } from './marks/MarkKeys.tsx';
import { MarkPath } from './marks/MarkPath.tsx';
import { useMarks } from './marks/use-marks.ts';
import { isToAdd } from './marks/use-selection.ts';
import { noteLimit } from './notes.ts';
import { TableToggle } from './TableToggle.tsx';
import { TileFrame } from './TileFrame.tsx';

/** A donut chart. */
export function DonutTile({ tile, palette }: { tile: ChartData; palette: Palette }) {
  const { formats } = useViewer();
  const [isTable, setIsTable] = useState(false);
  const [metric] = tile.metrics;
  const [{ dimension, name, isOther }] = createKeyReaders(
    tile.dimensions,
    tile.groups,
    formats,
  ) as [KeyReader];
  const groups = tile.groups.toSorted((one, other) =>
    compareRanks(dimension, one.keys[0]!, other.keys[0]!),
  );
  const parts = groups.map((group) => ({
    filters: isOther(group) ? [] : filterBy([dimension], group.keys),
    name: name(group),
    value: group.values[0] ?? null,
    color: isOther(group) ? restColor : palette(dimension, group.keys[0]!),
  }));
  const total = parts.reduce((sum, { value }) => sum + Number(value), 0);
  const isWhole = total > 0 && parts.every(({ value }) => Number(value) >= 0);
  const shares = parts.map((part) => ({ ...part, share: Number(part.value) / total }));
  const describe = (index: number) => {
    const { name: part, value } = parts[index]!;
    return formats.describeValue(part, value, metric!.format, isWhole ? total : undefined);
  };
  const { emphasisOf, selectedText, ...marks } = useMarks(tile, parts, describe);
  const drawn = shares.map((part, index) => {
    const emphasis = emphasisOf(index);
    return Object.assign(part, { emphasis, tip: writeTip(describe(index), emphasis.action) });
  });
  const notes = [
    ...noteLimit(tile, formats, formats.nameDimension(dimension)),
    ...(isWhole || parts.length === 0 ? [] : [formats.formatMessage('note.no_ring')]),
  ];
  return (
    <TileFrame
      tile={tile}
      notes={notes}
      actions={
        <TableToggle title={tile.title} isTable={isTable} onToggle={() => setIsTable(!isTable)} />
      }
    >
      <MarkPath tile={tile} />
      {isTable ? (
        <ChartTable tile={tile} />
      ) : (
        <figure className="donut" aria-label={tile.title}>
          {isWhole && <Ring shares={drawn} onSelect={marks.canSelect ? marks.toggle : undefined} />}
          <div className="donut-legend" aria-hidden="true">
            {!isInTitle(tile.title, `${metric!.name} ${formats.nameDimension(dimension)}`) && (
              <p className="axis-name">
                {formats.formatMessage('axis.by', {
                  metric: metric!.name,
                  dimension: formats.nameDimension(dimension),
                })}
              </p>
            )}
            <ul>
              {drawn.map(({ name: part, value, color, share, tip }) => (
                <li key={part} className="donut-entry" data-tip={tip}>
                  <Swatch color={color} />
                  <span className="donut-name">{part}</span>
                  <span className="number">{formats.formatNumber(value, metric!.format)}</span>
                  {isWhole && <span className="donut-share">{formats.formatShare(share)}</span>}
                </li>
              ))}
            </ul>
          </div>
          <MarkKeys {...marks} />
          <figcaption className="visually-hidden">{describeChart(tile, formats)}</figcaption>
        </figure>
      )}
      <MarkBar tile={tile} dimensions={[dimension]} text={selectedText} />
    </TileFrame>
  );
}

interface RingProps {
  shares: readonly {
    name: string;
    color: string;
    share: number;
    emphasis: Emphasis;
    tip: string;
  }[];
  onSelect: ((index: number, toAdd: boolean) => void) | undefined;
}

/** Each share is a dash of a circle. */
function Ring({ shares, onSelect }: RingProps) {
  const gap = shares.filter(({ share }) => share > 0).length > 1 ? 0.6 : 0;
  return (
    <svg
      className="ring"
      data-selectable={onSelect !== undefined}
      viewBox="0 0 100 100"
      aria-hidden="true"
    >
      {shares.map(({ name, color, share, emphasis, tip }, index) => {
        const before = shares.slice(0, index).reduce((sum, part) => sum + part.share, 0) * 100;
        const length = share * 100;
        if (length === 0) return null;
        return (
          <circle
            key={name}
            data-tip={tip}
            cx="50"
            cy="50"
            r="38"
            pathLength="100"
            fill="none"
            stroke={color}
            strokeWidth={emphasis.isActive ? 22 : 18}
            strokeOpacity={emphasis.isSelected === false ? 0.25 : 1}
            onClick={onSelect && ((event) => onSelect(index, isToAdd(event)))}
            strokeDasharray={`${Math.max(length - gap, length / 2)} 100`}
            strokeDashoffset={-before}
            transform="rotate(-90 50 50)"
          />
        );
      })}
    </svg>
  );
}
