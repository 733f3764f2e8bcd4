import type { Metric, Value } from '@portal-embed/report-model';

import { useViewer } from '../../viewer-context.ts';
import { findHighlight, type HighlightOptions, type Status } from './highlight.ts';

interface HighlightedNumberProps extends HighlightOptions {
  metric: Metric;
  value: Value;
  text: string;
}

const signs = { good: '✓', warning: '!', bad: '✗', up: '▲', down: '▼' };

/** A number with its highlight: a sign and a word, or a shape behind it. */
export function HighlightedNumber({ metric, value, text, ...options }: HighlightedNumberProps) {
  const highlight = findHighlight(metric, value, options);
  switch (highlight?.type) {
    case undefined:
      return text;
    case 'status':
      return (
        <Judged status={highlight.status} sign={signs[highlight.status]}>
          {text}
        </Judged>
      );
    case 'arrow':
      return (
        <Judged
          status={highlight.status}
          sign={signs[highlight.direction]}
          direction={highlight.direction}
        >
          {text}
        </Judged>
      );
    case 'bar': {
      const { start, end, zero } = highlight;
      const color = Number(value) < 0 ? 'var(--negative)' : 'var(--chart)';
      return (
        <>
          {/* An SVG instead of a background, because forced colors replace backgrounds. */}
          <svg
            className="cell-fill"
            viewBox="0 0 100 10"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect x={start} y="1" width={end - start} height="8" fill={color} fillOpacity="0.35" />
            {zero > 0 && <rect x={Math.min(zero, 99.5)} width="0.5" height="10" fill={color} />}
          </svg>
          <span className="cell-text">{text}</span>
        </>
      );
    }
    case 'scale':
      return (
        <>
          <svg
            className="cell-fill"
            viewBox="0 0 1 1"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect width="1" height="1" fill="var(--chart)" fillOpacity={0.4 * highlight.depth} />
          </svg>
          <span className="cell-text">{text}</span>
        </>
      );
  }
}

interface JudgedProps {
  status: Status | undefined;
  sign: string;
  direction?: 'up' | 'down';
  children: string;
}

/** A text with a sign, whose meaning screen readers say. */
function Judged({ status, sign, direction, children }: JudgedProps) {
  const { formatMessage } = useViewer().formats;
  const words = [
    direction && (`kpi.${direction}` as const),
    status && (`status.${status}` as const),
  ]
    .filter((name) => name !== undefined)
    .map((name) => formatMessage(name));
  return (
    <span className="judged" data-status={status}>
      <span aria-hidden="true">{sign} </span>
      <span className="visually-hidden">{words.join(', ')} </span>
      {children}
    </span>
  );
}
