import { ServiceError, readServiceError } from 'page-kit/service-error';

import type { FieldValues, ValuesRequest } from '../requests/reader-view.ts';
import type { FavoriteRequest, ReportList, ViewAnswer, ViewRequest } from '../requests/viewer.ts';

/** The viewer's calls to the service. A failed call throws a `ServiceError`. */
export interface PortalApi {
  listReports(signal: AbortSignal): Promise<ReportList>;
  viewReport(id: string, request: ViewRequest, signal: AbortSignal): Promise<ViewAnswer>;
  listValues(id: string, request: ValuesRequest, signal: AbortSignal): Promise<FieldValues>;
  setFavorite(id: string, request: FavoriteRequest, signal: AbortSignal): Promise<void>;
  /** Sends a request of `export`, which reads the answer. */
  send(id: string, action: 'export' | 'print', body: object): Promise<Response>;
}

const addressOf = (id: string, action: string) =>
  `/viewer/reports/${encodeURIComponent(id)}/${action}`;

/** Binds the calls to a session. Only this closure keeps the bearer. */
export function createPortalApi(bearer: string): PortalApi {
  async function send(
    path: string,
    { method = 'GET', body, signal }: { method?: string; body?: object; signal?: AbortSignal },
  ): Promise<Response> {
    const response = await fetch(path, {
      method,
      ...(signal && { signal }),
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new ServiceError('unreachable');
    });
    if (response.ok) return response;
    throw await readServiceError(response);
  }

  async function call<Answer>(...request: Parameters<typeof send>): Promise<Answer> {
    const response = await send(...request);
    return response.json().catch(() => {
      throw new ServiceError('unreachable');
    });
  }

  return {
    listReports: (signal) => call('/viewer/reports', { signal }),
    viewReport: (id, body, signal) => call(addressOf(id, 'view'), { method: 'POST', body, signal }),
    listValues: (id, body, signal) =>
      call(addressOf(id, 'values'), { method: 'POST', body, signal }),
    setFavorite: (id, body, signal) =>
      call(addressOf(id, 'favorite'), { method: 'PUT', body, signal }),
    send: (id, action, body) => send(addressOf(id, action), { method: 'POST', body }),
  };
}
