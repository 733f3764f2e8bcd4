import { PortalEmbed, type EmbedHandle, type EmbedState } from '@portal-embed/react';
import { useRef, useState } from 'react';

import type { PageData } from '../src/page-data.ts';
import { noChoice, toProps, toSource, type Choice } from './choice.ts';
import { Controls } from './Controls.tsx';
import { useReportLink } from './report-link.ts';

const stateTexts: Record<EmbedState['status'], string> = {
  idle: 'Waiting',
  minting: 'Asking for a link',
  loading: 'Opening the report',
  ready: 'Ready',
  refreshing: 'Refreshing',
  failed: 'Failed',
};

export function Workbench({ data, user }: { data: PageData; user: { email: string } }) {
  const { reportId, view, openReport, keepView } = useReportLink(data.reports[0]?.id ?? null);
  const [display, setDisplay] = useState(noChoice);
  const [status, setStatus] = useState<EmbedState['status']>('idle');
  const embed = useRef<EmbedHandle>(null);
  const choice = { ...display, reportId };
  const props = toProps(choice);
  const handleChange = (next: Choice) => {
    setDisplay(next);
    if (next.reportId !== reportId) openReport(next.reportId);
  };

  return (
    <>
      <header className="host-bar">
        <h1>{data.tenant}</h1>
        <span className="host-user">
          {user.email}
          <form method="post" action="/logout">
            <button className="link">Sign in as somebody else</button>
          </form>
        </span>
      </header>
      <main className="workbench">
        <Controls
          reports={data.reports}
          choice={choice}
          onChange={handleChange}
          onRefresh={() => embed.current?.refresh()}
        />
        <section aria-label="Report" className="stage">
          <PortalEmbed
            ref={embed}
            {...props}
            view={view}
            onViewChange={keepView}
            className="embed"
            title="Reports of the portal"
            signedOut={<a href="/login">You are signed out. Sign in again to see your reports.</a>}
            onStateChange={(state) => setStatus(state.status)}
          />
          <footer className="stage-foot">
            <code>{toSource(choice)}</code>
            {/* The report announces itself; saying it twice helps nobody. */}
            <output aria-live="off" data-status={status}>
              {stateTexts[status]}
            </output>
          </footer>
        </section>
      </main>
    </>
  );
}
