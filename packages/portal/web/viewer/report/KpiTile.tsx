import type { KpiTile as Kpi } from '@portal-embed/report-model';
import { useId } from 'react';

import { useViewer } from '../viewer-context.ts';

export function KpiTile({ tile: { title, value, format } }: { tile: Kpi }) {
  const { formats } = useViewer();
  const titleId = useId();
  return (
    <section className="tile tile-kpi" aria-labelledby={titleId}>
      <h2 id={titleId} className="tile-title">
        {title}
      </h2>
      <p className="kpi-value">{formats.formatNumber(value, format)}</p>
    </section>
  );
}
