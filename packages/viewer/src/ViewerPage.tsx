import { useEffect, useLayoutEffect, useRef } from 'react';

import { Announcer } from './Announcer.tsx';
import { Home } from './home/Home.tsx';
import { Navbar } from './Navbar.tsx';
import { ReportScreen } from './report/ReportScreen.tsx';
import { SessionEnded } from './SessionEnded.tsx';
import { Sidebar } from './Sidebar.tsx';
import { ViewedAs } from './ViewedAs.tsx';
import { useViewer } from './viewer-context.ts';
import { ViewNotice } from './ViewNotice.tsx';

export function ViewerPage() {
  const { viewer, session, organization, display, ended, reports, reportId, view } = useViewer();
  const main = useRef<HTMLElement>(null);
  const name = view?.report.name ?? reports.find(({ id }) => id === reportId)?.name;

  useEffect(() => {
    document.title = name ?? organization.name;
  }, [name, organization.name]);

  // A layout effect, because a frame that the host keeps hidden may never paint.
  useLayoutEffect(() => {
    // Replaces the page that the service has drawn.
    document.getElementById('first-page')?.remove();
    viewer.handleDrawn();
  });

  const open = (id: string | null) => {
    viewer.open(id);
    window.scrollTo(0, 0);
    // The pressed button may be gone, so the focus moves to the new content.
    main.current?.focus({ preventScroll: true });
  };

  if (ended)
    return (
      <>
        <ViewedAs />
        <SessionEnded />
      </>
    );
  // One report needs no list.
  const hasSidebar = !display.hideSidebar && session.reportId === null;
  return (
    <div className="page">
      <ViewedAs />
      {!display.hideNavbar && <Navbar />}
      <div className="page-body">
        {hasSidebar && <Sidebar open={open} />}
        <main ref={main} className="page-main" tabIndex={-1}>
          <ViewNotice />
          {reportId === null ? (
            <Home open={open} />
          ) : (
            <ReportScreen openOverview={() => open(null)} />
          )}
        </main>
      </div>
      <Announcer />
    </div>
  );
}
