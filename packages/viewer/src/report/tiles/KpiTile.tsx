import type { KpiTile as Kpi } from '@portal-embed/report-model';
import { useState } from 'react';

import { Message } from '../../Message.tsx';
import { useViewer } from '../../viewer-context.ts';
import { DataTable } from './DataTable.tsx';
import { createColumns } from './group-columns.ts';
import { judge } from './highlight.ts';
import { HighlightedNumber } from './HighlightedNumber.tsx';
import { Sparkline } from './Sparkline.tsx';
import { TableToggle } from './TableToggle.tsx';
import { TileFrame } from './TileFrame.tsx';

export function KpiTile({ tile }: { tile: Kpi }) {
  const { formats } = useViewer();
  const [isTable, setIsTable] = useState(false);
  const { metric, value, sparkline, period } = tile;
  const text = formats.formatNumber(value, metric.format);
  return (
    <TileFrame
      tile={tile}
      actions={
        sparkline && (
          <TableToggle title={tile.title} isTable={isTable} onToggle={() => setIsTable(!isTable)} />
        )
      }
    >
      <p className="kpi-value">
        <HighlightedNumber metric={metric} value={value} text={text} />
      </p>
      {period && (
        <p className="kpi-period">
          <Period period={period} />
        </p>
      )}
      {tile.comparison && <Comparison tile={tile} comparison={tile.comparison} />}
      {tile.target && <Target tile={tile} target={tile.target.value} />}
      {sparkline &&
        (isTable ? (
          <DataTable
            title={tile.title}
            columns={createColumns([sparkline], [metric], groupsOf(sparkline), formats)}
            rows={groupsOf(sparkline)}
            pageSize={12}
          />
        ) : (
          <Sparkline tile={tile} sparkline={sparkline} />
        ))}
    </TileFrame>
  );
}

const groupsOf = ({ points }: NonNullable<Kpi['sparkline']>) =>
  points.map(({ key, value }) => ({ keys: [key], values: [value] }));

function Period({ period }: { period: NonNullable<Kpi['period']> }) {
  const { formats } = useViewer();
  const name = formats.formatPeriod(period.from, period.to);
  return period.isIncomplete ? formats.formatMessage('time.incomplete', { period: name }) : name;
}

const signs = { up: '▲', down: '▼', same: '' };

/** The change since an earlier period: a sign, words for screen readers, and the earlier value. */
function Comparison({
  tile: { metric, value },
  comparison: { label, from, to, value: earlier },
}: {
  tile: Kpi;
  comparison: NonNullable<Kpi['comparison']>;
}) {
  const { formats } = useViewer();
  const change = formats.formatChange(value, earlier, metric.format);
  const period = formats.formatPeriod(from, to);
  if (change === null)
    return <p className="kpi-comparison">{formats.formatMessage(`kpi.no ${label}`, { period })}</p>;
  const difference = Number(value) - Number(earlier);
  const direction = difference > 0 ? 'up' : difference < 0 ? 'down' : 'same';
  const status = judge(metric, difference);
  return (
    <p className="kpi-comparison">
      <Message
        name={`kpi.${label}`}
        values={{
          change: (
            <span className="kpi-change judged" data-status={status}>
              <span aria-hidden="true">{signs[direction]} </span>
              <span className="visually-hidden">{formats.formatMessage(`kpi.${direction}`)} </span>
              {status === undefined ? change : formats.formatMessage(`kpi.${status}`, { change })}
            </span>
          ),
          earlier: formats.formatNumber(earlier, metric.format),
          period,
        }}
      />
    </p>
  );
}

function Target({ tile: { metric, value }, target }: { tile: Kpi; target: Kpi['value'] }) {
  const { formats } = useViewer();
  const share = shareOf(value, target);
  const text = formats.formatNumber(target, metric.format);
  const isMost = metric.better === 'lower';
  const isMet = isTargetMet(metric, value, target);
  return (
    <div className="kpi-target">
      {share !== null && <TargetBar share={share} isMissed={isMost && isMet === false} />}
      <p>
        <span>
          {share === null
            ? formats.formatMessage(isMost ? 'kpi.limit' : 'kpi.target', { target: text })
            : formats.formatMessage(isMost ? 'kpi.share_of_limit' : 'kpi.share_of_target', {
                share: formats.formatShare(share),
                target: text,
              })}
        </span>
        {isMet !== undefined && (
          <>
            {' · '}
            <span className="judged" data-status={isMet ? 'good' : 'bad'}>
              {formats.formatMessage(outcomes[`${isMost} ${isMet}`])}
            </span>
          </>
        )}
      </p>
    </div>
  );
}

/** By whether the target is a limit, and whether the number meets it. */
const outcomes = {
  'false true': 'kpi.reached',
  'false false': 'kpi.not_reached',
  'true true': 'kpi.within',
  'true false': 'kpi.exceeded',
} as const;

/** Whether the number reaches its target, or stays within it if a lower number is better. */
function isTargetMet(metric: Kpi['metric'], value: Kpi['value'], target: Kpi['value']) {
  if (value === null || target === null || metric.better === 'neither') return undefined;
  const difference = Number(value) - Number(target);
  return metric.better === 'lower' ? difference <= 0 : difference >= 0;
}

function shareOf(value: Kpi['value'], target: Kpi['value']): number | null {
  if (value === null || target === null || Number(target) <= 0 || Number(value) < 0) return null;
  return Number(value) / Number(target);
}

/** An SVG instead of a background, because forced colors replace backgrounds. */
const TargetBar = ({ share, isMissed }: { share: number; isMissed: boolean }) => (
  <svg className="target-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect width="100" height="4" fill="var(--track)" />
    <rect
      width={Math.min(share, 1) * 100}
      height="4"
      fill={isMissed ? 'var(--danger)' : 'var(--chart)'}
    />
  </svg>
);
