import {
  createProblem,
  errorTable,
  hostErrorCodes,
  hostRequestSchema,
} from '@portal-embed/contract';
import type { HostErrorCode, HostRequest, HostResponse } from '@portal-embed/contract';

import type { MintedUrl } from '../page/identity-urls.ts';
import type { PageScenario } from '../page/scenario.ts';

/**
 * What happens to an embed: an error of the host endpoint, such as `not_signed_in`, an endpoint that
 * cannot be reached, or what the page does with the URL.
 */
export type Scenario = HostErrorCode | 'endpoint_unreachable' | PageScenario;

export interface EndpointHandlers {
  scenario: () => Scenario;
  /** Time until the answer, in milliseconds. */
  delay: () => number;
  mint: (request: HostRequest) => MintedUrl<HostRequest>;
}

const isHostError = (scenario: Scenario): scenario is HostErrorCode =>
  (hostErrorCodes as readonly string[]).includes(scenario);

/** Answers a request of the component as the host endpoint does. */
export async function answerRequest(
  request: unknown,
  { scenario, delay, mint }: EndpointHandlers,
  signal?: AbortSignal | null,
): Promise<Response> {
  await wait(delay(), signal);
  const current = scenario();
  if (current === 'endpoint_unreachable') throw new TypeError('Failed to fetch');
  if (isHostError(current)) return refuse(current, `The fake host endpoint answers ${current}.`);
  const parsed = hostRequestSchema.safeParse(request);
  if (!parsed.success) return refuse('invalid_request', parsed.error.message);
  const { embedUrl, expiresAt } = mint(parsed.data);
  const expiresIn = Math.round((Date.parse(expiresAt) - Date.now()) / 1_000);
  return respond(200, {
    embedUrl,
    expiresAt,
    expiresIn,
    frameChannel: true,
  } satisfies HostResponse);
}

const refuse = (code: HostErrorCode, detail: string) =>
  respond(errorTable[code].status, createProblem(code, detail, 'fake-request'));

/** jsdom has no `Response` of its own, and Jest does not provide that of Node. */
function respond(status: number, body: object): Response {
  if (typeof Response !== 'undefined') return Response.json(body, { status });
  const answer = { status, ok: status < 400, bodyUsed: false, json: async () => body };
  return answer as Response;
}

function wait(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new DOMException('The request was aborted.', 'AbortError'));
    if (signal?.aborted) return fail();
    signal?.addEventListener('abort', fail);
    if (ms > 0) setTimeout(resolve, ms);
    else resolve();
  });
}
