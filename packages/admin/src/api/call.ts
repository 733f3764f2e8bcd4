import type { Progress } from '../requests/endpoint.ts';
import {
  adminEndpoints,
  type AdminAnswer,
  type AdminEndpointName,
  type AdminRequest,
} from '../requests/endpoints.ts';
import { AdminError, createAdminError, readAdminError } from './admin-error.ts';
import { AnswerLines, linesType } from './answer-lines.ts';
import { sendFile } from './send-file.ts';

/** How far a request is: the bytes of its file that were sent, then how much was read. */
export type CallProgress = { phase: 'send'; sent: number; total: number } | Progress;

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
 * @param onProgress of an upload, and of a request that reads data files
 * @throws `AdminError`; the reason of `signal`
 */
export async function call<Name extends AdminEndpointName>(
  name: Name,
  request: AdminRequest<Name>,
  signal?: AbortSignal,
  onProgress: (progress: CallProgress) => void = () => {},
): Promise<AdminAnswer<Name>> {
  const row = adminEndpoints[name];
  const { address, rest } = fillPath(name, request);
  const { upload, ...query } = rest;
  const lines = new AnswerLines(onProgress);
  let response: Response;
  try {
    if ('isUpload' in row)
      response = await sendFile(address + formatQuery(query), row.method, upload as Blob, {
        signal,
        onSent: (sent, total) => onProgress({ phase: 'send', sent, total }),
        onText: (text) => lines.read(text),
      });
    else {
      response = await fetch('body' in row ? address : address + formatQuery(query), {
        method: row.method,
        ...(signal && { signal }),
        ...('body' in row && {
          headers: {
            'Content-Type': 'application/json',
            ...('hasProgress' in row && { Accept: linesType }),
          },
          body: JSON.stringify(rest),
        }),
      });
      if (isLines(response)) await readLines(response, lines);
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new AdminError('unreachable');
  }
  if (!isLines(response)) {
    if (!response.ok) throw await readAdminError(response);
    return (await response.json()) as AdminAnswer<Name>;
  }
  const { answer, problem } = lines.end;
  if (problem) throw createAdminError(problem);
  if (!answer) throw new AdminError('unreachable');
  return answer as AdminAnswer<Name>;
}

/** Whether an answer began with its progress. */
const isLines = ({ headers }: Response) =>
  headers.get('Content-Type')?.startsWith(linesType) === true;

async function readLines(response: Response, lines: AnswerLines): Promise<void> {
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    lines.read(text);
    if (done) return;
  }
}

function formatQuery(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return query && `?${query}`;
}
