import {
  adminEndpoints,
  type AdminAnswer,
  type AdminEndpointName,
  type AdminRequest,
} from '../requests/endpoints.ts';
import { AdminError, readAdminError } from './admin-error.ts';

/**
 * The address of a request, and the fields that are not in its path. Those of a GET are the query.
 */
function fillPath<Name extends AdminEndpointName>(name: Name, request: AdminRequest<Name>) {
  const rest: Record<string, unknown> = { ...(request as object) };
  const path = adminEndpoints[name].path.replace(/\{(\w+)\}/g, (_, param: string) => {
    const value = String(rest[param]);
    delete rest[param];
    return encodeURIComponent(value);
  });
  return { address: `/admin/api${path}`, rest };
}

/** The address of a file, for a link. */
export function formatAddress<Name extends AdminEndpointName>(
  name: Name,
  request: AdminRequest<Name>,
): string {
  const { address, rest } = fillPath(name, request);
  return address + formatQuery(rest);
}

/**
 * Sends a request of the table. Fields that the path names go there; the rest is the body, or the query
 * of a GET.
 *
 * @throws `AdminError`
 */
export async function call<Name extends AdminEndpointName>(
  name: Name,
  request: AdminRequest<Name>,
  signal?: AbortSignal,
): Promise<AdminAnswer<Name>> {
  const row = adminEndpoints[name];
  const { address, rest } = fillPath(name, request);
  const { upload, ...query } = rest;
  let response: Response;
  try {
    response = await fetch('body' in row ? address : address + formatQuery(query), {
      method: row.method,
      ...('isUpload' in row && { body: upload as Blob }),
      ...(signal && { signal }),
      ...('body' in row && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(rest),
      }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new AdminError('unreachable');
  }
  if (!response.ok) throw await readAdminError(response);
  return (await response.json()) as AdminAnswer<Name>;
}

function formatQuery(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return query && `?${query}`;
}
