import type { ReportList, ReportView, ViewRequest } from '../../../wire/viewer.ts';
import { ServiceError, readServiceError } from '../../shared/service-error.ts';

/** The viewer's calls to the service. A failed call throws a `ServiceError`. */
export interface PortalApi {
  listReports(signal: AbortSignal): Promise<ReportList>;
  viewReport(id: string, request: ViewRequest, signal: AbortSignal): Promise<ReportView>;
}

/** Binds the calls to a session. Only this closure keeps the bearer. */
export function createPortalApi(bearer: string): PortalApi {
  async function call<Answer>(
    path: string,
    signal: AbortSignal,
    request?: ViewRequest,
  ): Promise<Answer> {
    let response: Response;
    try {
      response = await fetch(path, {
        signal,
        headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
        ...(request && { method: 'POST', body: JSON.stringify(request) }),
      });
      if (response.ok) return (await response.json()) as Answer;
    } catch {
      throw new ServiceError('unreachable');
    }
    throw await readServiceError(response);
  }

  return {
    listReports: (signal) => call('/viewer/reports', signal),
    viewReport: (id, request, signal) =>
      call(`/viewer/reports/${encodeURIComponent(id)}/view`, signal, request),
  };
}
