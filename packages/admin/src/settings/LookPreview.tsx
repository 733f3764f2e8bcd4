import './look-preview.css';
import type { Look } from '@portal-embed/contract/frame';
import type { CSSProperties } from 'react';

import { listLookVariables, paletteSizes } from '#viewer/requests';

import { useFormats } from '../messages/messages.ts';
import { contrastOf } from './contrast.ts';

/** Surfaces of the viewer in light and dark mode. */
const surfaces = { light: '#ffffff', dark: '#171c23' } as const;

/** The contrast that text needs (WCAG 2.2, level AA). */
const readable = 4.5;

/**
 * A number and a chart as readers see them, with a remark if the accent color is hard to read there.
 */
export function LookPreview({
  scheme,
  accentColor,
  look,
}: {
  scheme: 'light' | 'dark';
  accentColor: string;
  look: Look;
}) {
  const { formatMessage, formatNumber } = useFormats();
  const variables = {
    ...Object.fromEntries(listLookVariables(look)),
    '--accent': accentColor,
  } as CSSProperties;
  return (
    <section
      className="look"
      data-tokens={scheme}
      style={variables}
      aria-label={formatMessage(`appearance.preview.${scheme}`)}
    >
      <p className="look-scheme">{formatMessage(`appearance.preview.${scheme}`)}</p>
      <div className="look-tile">
        <p className="look-title">{formatMessage('appearance.preview.metric')}</p>
        <p className="look-number">{formatNumber(128_460)}</p>
        <Sparkline />
      </div>
      <div className="look-tile">
        <p className="look-title">{formatMessage('appearance.preview.sample')}</p>
        <Columns />
        <ul className="look-legend">
          {shares.map((_, index) => (
            // The series are numbered.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <svg viewBox="0 0 10 10" aria-hidden>
                <rect width="10" height="10" rx="2" fill={colorOf(index)} />
              </svg>
              {formatMessage('appearance.preview.series', { number: index + 1 })}
            </li>
          ))}
        </ul>
        <p className="look-link">{formatMessage('appearance.preview.link')}</p>
      </div>
      {contrastOf(accentColor, surfaces[scheme]) < readable && (
        <p className="look-scheme">{formatMessage(`appearance.preview.${scheme}.changed`)}</p>
      )}
    </section>
  );
}

const colorOf = (index: number) => `var(--series-${index + 1})`;

/** The heights of the ten series of a column, and how high each column is. */
const shares = [9, 8, 7, 6.5, 6, 5, 5, 4.5, 4, 3].slice(0, paletteSizes.most);
const columns = [0.62, 0.74, 0.7, 0.86, 0.8, 1];

function Columns() {
  return (
    <svg className="look-chart" viewBox="0 0 120 60" preserveAspectRatio="none" aria-hidden>
      {columns.map((height, column) =>
        shares.map((share, index) => {
          const below = shares.slice(0, index).reduce((sum, each) => sum + each, 0);
          return (
            <rect
              key={colorOf(index)}
              x={column * 20 + 3}
              width="14"
              y={60 - (below + share) * height}
              height={share * height - 0.6}
              fill={colorOf(index)}
            />
          );
        }),
      )}
    </svg>
  );
}

function Sparkline() {
  const points = columns.map((height, index) => `${index * 24},${28 - height * 24}`);
  return (
    <svg className="look-sparkline" viewBox="0 0 120 28" preserveAspectRatio="none" aria-hidden>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--chart)"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
