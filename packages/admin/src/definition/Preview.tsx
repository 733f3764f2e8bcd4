import './preview.css';
import { ServiceError } from 'page-kit/service-error';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createViewer, type Viewer } from 'viewer/create-viewer';
import { ReportScreen } from 'viewer/report-screen';
import { ViewerContext } from 'viewer/viewer-context';

import { AdminError } from '../api/admin-error.ts';
import { call } from '../api/call.ts';
import { Loading } from '../kit/Loaded.tsx';
import { useFormats, type Formats } from '../messages/messages.ts';
import { loadPreviewFormats } from './preview-formats.ts';

interface PreviewRequest {
  organizationId: string;
  reportId: string;
  /** A definition without mistakes. */
  text: string;
  asUserId: string | undefined;
  /** Whether all rows are shown, and not those of a user. */
  hasAllRows: boolean;
}

interface PreviewProps extends PreviewRequest {
  /** What to do about a preview without rows. Default: the advice for a reader. */
  noRowsAdvice: ReactNode;
}

/**
 * The report as a reader sees it, drawn by the code of the viewer itself from a text that is not saved.
 */
export function Preview(props: PreviewProps) {
  const { formatMessage } = useFormats();
  const { organizationId, reportId, text, asUserId, hasAllRows, noRowsAdvice } = props;
  const [viewer, setViewer] = useState<Viewer>();
  const latest = useRef<PreviewRequest>(props);

  useEffect(() => {
    const gone = new AbortController();
    const open = async () => {
      const created = await openPreview(() => latest.current, formatMessage);
      gone.signal.addEventListener('abort', created.stop);
      if (gone.signal.aborted) created.stop();
      else setViewer(created);
    };
    void open();
    return () => gone.abort();
  }, [formatMessage]);

  useEffect(() => {
    const started = latest.current;
    latest.current = { organizationId, reportId, text, asUserId, hasAllRows };
    // The viewer loads the report when it starts. A second request would only cancel the first.
    if (started.text !== text || started.asUserId !== asUserId) viewer?.refresh();
  }, [viewer, organizationId, reportId, text, asUserId, hasAllRows]);

  if (!viewer) return <Loading />;
  return (
    <section className="preview" aria-label={formatMessage('definition.preview')}>
      <ViewerContext value={viewer}>
        <ReportScreen openOverview={() => {}} noRowsAdvice={noRowsAdvice} />
      </ViewerContext>
    </section>
  );
}

async function openPreview(
  latest: () => PreviewRequest,
  formatMessage: Formats['formatMessage'],
): Promise<Viewer> {
  const formats = await loadPreviewFormats(formatMessage, () => latest().hasAllRows);
  const { organizationId, reportId } = latest();
  const report = { id: reportId, name: '', description: null, workspaceName: '' };
  const request = () => {
    const { text, asUserId } = latest();
    return { organizationId, reportId, text, ...(asUserId !== undefined && { asUserId }) };
  };
  const viewer = createViewer({
    session: {
      bearer: '',
      path: '',
      organization: { id: organizationId, name: '', homeUrl: null, logo: null },
      user: { name: '', email: '' },
      display: { hideMenu: true, hideNavbar: true, hideSidebar: true },
      reportId,
      reports: [report],
      favorites: [],
      recent: [],
      view: null,
      viewedBy: null,
    },
    createApi: () => ({
      viewReport: (_id, { page, view }, signal) =>
        translate(call('previewReport', { ...request(), page, view }, signal)),
      listValues: (_id, { field, search, page, view }, signal) =>
        translate(call('previewValues', { ...request(), field, search, page, view }, signal)),
      listReports: () => Promise.reject(new ServiceError('not_found')),
      setFavorite: () => Promise.reject(new ServiceError('not_found')),
      send: () => Promise.reject(new ServiceError('not_found')),
    }),
    post: () => {},
    hasHost: () => false,
    showPath: () => {},
    loadCharts: () =>
      import('viewer/chart-code').then(
        (module) => module.chartCode,
        () => null,
      ),
    formats,
  });
  viewer.start();
  return viewer;
}

/** The viewer's own error of a failed request. */
const translate = <Answer,>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    if (error instanceof AdminError)
      throw new ServiceError(error.code === 'unreachable' ? 'unreachable' : error.code);
    throw error;
  });
