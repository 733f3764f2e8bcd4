import { PortalEmbed, type EmbedHandle, type EmbedState } from '@portal-embed/react';
import { useRef, useState } from 'react';

import type { PageData } from '../src/page-data.ts';
import { initialChoice, toProps, toSource } from './choice.ts';
import { Controls } from './Controls.tsx';

const stateTexts: Record<EmbedState['status'], string> = {
  idle: 'Waiting',
  minting: 'Asking for a link',
  loading: 'Opening the report',
  ready: 'Ready',
  refreshing: 'Refreshing',
  failed: 'Failed',
};

export function Workbench({ data, user }: { data: PageData; user: { email: string } }) {
  const [choice, setChoice] = useState(() => initialChoice(data.reports));
  const [status, setStatus] = useState<EmbedState['status']>('idle');
  const embed = useRef<EmbedHandle>(null);
  const props = toProps(choice);

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
          onChange={setChoice}
          onRefresh={() => embed.current?.refresh()}
        />
        <section aria-label="Report" className="stage">
          <PortalEmbed
            ref={embed}
            {...props}
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
