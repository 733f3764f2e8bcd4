import type { FieldValues, ValuesRequest } from '../../../wire/reader-view.ts';
import type { FavoriteRequest, ReportList, ReportView, ViewRequest } from '../../../wire/viewer.ts';
import { ServiceError, readServiceError } from '../../shared/service-error.ts';

/** The viewer's calls to the service. A failed call throws a `ServiceError`. */
export interface PortalApi {
  listReports(signal: AbortSignal): Promise<ReportList>;
  viewReport(id: string, request: ViewRequest, signal: AbortSignal): Promise<ReportView>;
  listValues(id: string, request: ValuesRequest, signal: AbortSignal): Promise<FieldValues>;
  setFavorite(id: string, request: FavoriteRequest, signal: AbortSignal): Promise<void>;
}

/** Binds the calls to a session. Only this closure keeps the bearer. */
export function createPortalApi(bearer: string): PortalApi {
  async function call<Answer>(
    path: string,
    { method = 'GET', body, signal }: { method?: string; body?: object; signal: AbortSignal },
  ): Promise<Answer> {
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        signal,
        headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (response.ok) return (await response.json()) as Answer;
    } catch {
      throw new ServiceError('unreachable');
    }
    throw await readServiceError(response);
  }

  return {
    listReports: (signal) => call('/viewer/reports', { signal }),
    viewReport: (id, body, signal) =>
      call(`/viewer/reports/${encodeURIComponent(id)}/view`, { method: 'POST', body, signal }),
    listValues: (id, body, signal) =>
      call(`/viewer/reports/${encodeURIComponent(id)}/values`, { method: 'POST', body, signal }),
    setFavorite: (id, body, signal) =>
      call(`/viewer/reports/${encodeURIComponent(id)}/favorite`, { method: 'PUT', body, signal }),
  };
}
