import { ServiceError } from 'page-kit/service-error';
import { createViewer, type Viewer } from 'viewer/create-viewer';

import { AdminError } from '../api/admin-error.ts';
import { call } from '../api/call.ts';
import type { Formats } from '../messages/messages.ts';
import { loadPreviewFormats } from './preview-formats.ts';

/** Where a preview is computed: for which stored report, and as which reader. */
export interface PreviewSource {
  organizationId: string;
  reportId: string;
  /** Default: the author. */
  asUserId: string | undefined;
  /** Whether all rows are shown, and not those of a user. */
  hasAllRows: boolean;
}

export interface PreviewRequest extends PreviewSource {
  /** A definition without mistakes. */
  text: string;
}

/** Starts a viewer of the readers' pages that shows a text which is not saved. */
export async function openPreview(
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
const translate = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    if (error instanceof AdminError)
      throw new ServiceError(error.code === 'unreachable' ? 'unreachable' : error.code);
    throw error;
  });
