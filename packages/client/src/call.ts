import { setTimeout as sleep } from 'node:timers/promises';

import { endpoints, fieldErrors } from '@portal-embed/contract';
import type { EndpointInput, EndpointName } from '@portal-embed/contract';

import { parseJson, PortalApiError } from './errors.ts';
import { createNoAnswerFailure } from './failed-attempt.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import { keepSpelling } from './keep-spelling.ts';
import type { ClientSettings } from './options.ts';
import { createRetryBucket } from './retry-bucket.ts';
import { computeRetryDelay } from './retry-delay.ts';
import { createTransport } from './transport.ts';
import type { PortalAnswer, PortalRequest } from './transport.ts';

export interface CallOptions {
  /** Ends the call, its pauses and its retries. */
  signal?: AbortSignal | undefined;
  /**
   * Sent as `X-Request-Id`, to find the call in the portal's log: 1 to 200 visible ASCII characters.
   * The portal uses it if `isRequestId` of the contract accepts it; otherwise it creates an id.
   */
  requestId?: string | undefined;
}

export interface CallResult {
  /** The parsed body; `undefined` if it is empty or not JSON. */
  body: unknown;
  answer: PortalAnswer;
}

export type Call = <Name extends EndpointName>(
  name: Name,
  input: EndpointInput<Name>,
  options?: CallOptions,
) => Promise<CallResult>;

/** Calls an endpoint: checks the input, sends the request with retries and parses the answer. */
export function createCall(settings: ClientSettings): { call: Call; close: () => Promise<void> } {
  const transport = createTransport(settings);
  const bucket = createRetryBucket();

  async function callWithRetries(
    name: EndpointName,
    request: PortalRequest,
    signal: AbortSignal | undefined,
  ): Promise<PortalAnswer> {
    // A repeated creation would answer `user_exists`. All other calls can be repeated.
    const isRepeatable = (failed: FailedAttempt) => name !== 'createUser' || !failed.mayHaveArrived;
    const deadline = performance.now() + settings.totalTimeoutMs;
    let mayHaveArrived = false;
    bucket.deposit();
    for (let attempt = 1; ; attempt += 1) {
      const remaining = deadline - performance.now();
      const timeout = Math.min(settings.attemptTimeoutMs, remaining);
      const outcome = await transport.attempt(request, timeout, signal);
      if (!('error' in outcome)) return outcome;
      const { error } = outcome;
      // An earlier attempt has deleted the user, and its answer was lost.
      if (name === 'deleteUser' && mayHaveArrived && error.status === 404)
        return { status: 204, text: '', portalTime: undefined, requestId: error.requestId };
      mayHaveArrived ||= outcome.mayHaveArrived;
      const delay = computeRetryDelay(attempt, error.retryAfterSeconds);
      const shouldRetry =
        error.retryable &&
        !signal?.aborted &&
        attempt < settings.maxAttempts &&
        isRepeatable(outcome);
      const isInTime = delay !== undefined && delay < deadline - performance.now();
      if (!shouldRetry || !isInTime || !bucket.take()) throw error;
      await sleep(delay, undefined, { signal }).catch(() => {
        const { requestId, label } = request;
        throw createNoAnswerFailure(label, 'unknown', { signal, timedOut: false, requestId }).error;
      });
    }
  }

  const call: Call = async (name, input, options = {}) => {
    const request = createRequest(name, input, settings.fieldNames, options.requestId);
    const answer = await callWithRetries(name, request, options.signal);
    const body = answer.text === '' ? undefined : parseJson(answer.text);
    return { body, answer };
  };
  return { call, close: transport.close };
}

function createRequest(
  name: EndpointName,
  given: unknown,
  fieldNames: ClientSettings['fieldNames'],
  requestId: string | undefined,
): PortalRequest {
  const endpoint = endpoints[name];
  const { method, path } = endpoint;
  const label = `${method} ${path}`;
  const { schema, fields, content } = readUpload(endpoint, given);
  const { data, error } = schema.safeParse(fields);
  const errors = error ? fieldErrors(error) : [];
  if (requestId !== undefined && !fitsInHeader(requestId))
    errors.push({ path: 'requestId', message: 'must be 1 to 200 visible ASCII characters' });
  if ('isUpload' in endpoint && typeof content !== 'string' && !(content instanceof Uint8Array))
    errors.push({ path: 'content', message: 'must be text or a Uint8Array' });
  if (errors.length > 0) {
    const list = errors.map((each) => `${each.path || 'the input'} ${each.message}`).join('; ');
    throw new PortalApiError('invalid_request', `${label} was not sent: ${list}`, { errors });
  }
  const input = keepSpelling(data, fields) as Record<string, unknown>;
  const openName = openNames[name];
  if (openName && openName in input) {
    const { [openName]: value } = input;
    delete input[openName];
    input[fieldNames[openName]] = value;
  }
  if ('body' in endpoint)
    return { method, target: path, label, body: JSON.stringify(input), requestId };
  const target = path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(input[key]);
    delete input[key];
    return encodeURIComponent(value);
  });
  const body = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { method, target: target + toQueryString(input), label, body, requestId };
}

/** The field of an endpoint whose name the specification leaves open. */
const openNames: Partial<Record<EndpointName, keyof ClientSettings['fieldNames']>> = {
  listUsers: 'pageNumber',
  listReports: 'pageNumber',
  listRlsRoles: 'pageNumber',
  linkRlsGroups: 'groups',
  unlinkRlsGroups: 'groups',
};

type AnyObject = typeof endpoints.listUsers.query;

/** Takes the bytes of a file out of the input, which has the fields of the path and of the query. */
function readUpload(
  endpoint: (typeof endpoints)[EndpointName],
  given: unknown,
): { schema: AnyObject; fields: unknown; content?: string | Uint8Array } {
  if ('isUpload' in endpoint) {
    const { content, ...fields } = given as { content: string | Uint8Array };
    const { params, query } = endpoint;
    return { schema: params.extend(query.shape) as unknown as AnyObject, fields, content };
  }
  // Other endpoints take all their input in one of these places.
  const part = 'params' in endpoint ? 'params' : 'query' in endpoint ? 'query' : 'body';
  return { schema: (endpoint as unknown as Record<string, AnyObject>)[part]!, fields: given };
}

// Other characters are not valid in a header, or start a second header.
const fitsInHeader = (value: unknown) =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);

/** Omits parameters without a value, because other portals may not know the paging parameters. */
function toQueryString(input: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input) as [
    string,
    string | number | boolean | undefined,
  ][])
    if (value !== undefined && value !== '') query.set(key, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
