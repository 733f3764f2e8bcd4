import { PortalApiError } from '@portal-embed/client';
import { endpoints } from '@portal-embed/contract';
import type { HostRequest } from '@portal-embed/contract';

import { CallbackFailure, HostConfigurationError } from './callback.ts';
import type { PortalUser } from './options.ts';
import { Refusal } from './refusal.ts';
import type { RefusalCode } from './refusal.ts';
import type { TenantInfo } from './tenant.ts';

/** A logger in pino's shape. A method may return a promise. */
export interface Logger {
  info: (fields: object, message: string) => unknown;
  warn: (fields: object, message: string) => unknown;
  error: (fields: object, message: string) => unknown;
}

/** What hooks learn about a request. Never contains a key, header or URL. */
export interface Exchange<User extends PortalUser> {
  /** Also in the answer and in the portal's log. */
  requestId: string;
  /** Milliseconds since the request arrived. */
  durationMs: number;
  tenant?: TenantInfo | undefined;
  user?: User | undefined;
}

export interface MintEvent<User extends PortalUser> extends Exchange<User> {
  tenant: TenantInfo;
  user: User;
  /** The request to the portal, after the policy was applied. */
  request: HostRequest;
  expiresAt: string;
}

export interface RefuseEvent<User extends PortalUser> extends Exchange<User> {
  code: RefusalCode;
  /** The reason, for the operators of the application. */
  reason: string;
}

export interface ErrorEvent<User extends PortalUser> extends Exchange<User> {
  /** `undefined` if a callback of the application failed. */
  code: RefusalCode | undefined;
  /** A `PortalApiError`, or what a callback threw. */
  error: unknown;
}

export interface Hooks<User extends PortalUser> {
  /** A URL was minted. */
  onMint?: ((event: MintEvent<User>) => unknown) | undefined;
  /** A request was refused, by the host endpoint or by the portal; nothing has failed. */
  onRefuse?: ((event: RefuseEvent<User>) => unknown) | undefined;
  /** The portal or a callback of the application failed. Only this hook gets the error. */
  onError?: ((event: ErrorEvent<User>) => unknown) | undefined;
  /**
   * Gets a line for each request, without the user and without the portal's own words. For a failed
   * callback it names the callback and what was wrong with its result, but not what it threw. Default:
   * no lines. Without `logger` and `onError`, failures are printed by `console.error`.
   */
  logger?: Logger | undefined;
}

export interface Observer<User extends PortalUser> {
  minted: (event: MintEvent<User>) => void;
  /** @param outcome what became of the sessions, for the log */
  sessionsEnded: (exchange: Exchange<User>, outcome: string) => void;
  /** @param work what failed, for the log. Default: `portal URL` */
  failed: (exchange: Exchange<User>, error: unknown, work?: string) => void;
}

/** Reports to hooks and logger. A hook that fails is logged and changes no answer. */
export function createObserver<User extends PortalUser>({
  onMint,
  onRefuse,
  onError,
  logger,
}: Hooks<User>): Observer<User> {
  const write = async (level: keyof Logger, fields: object, message: string) => {
    try {
      await logger?.[level](fields, message);
    } catch {
      // A failing logger must not change the answer, and there is no other place to report it.
    }
  };
  const log = (...line: Parameters<typeof write>) => void write(...line);
  /** Prints a failure that would otherwise be lost. */
  const printUnlessReported = (...details: unknown[]) => {
    // eslint-disable-next-line no-console -- There is no other place.
    if (!logger && !onError) console.error(...details);
  };
  const call = async <Event>(hook: ((event: Event) => unknown) | undefined, event: Event) => {
    try {
      await hook?.(event);
    } catch (error) {
      log('error', { hook: hook?.name, error: readErrorName(error) }, 'a portal embed hook failed');
    }
  };
  // Without the user's e-mail, which not every log may hold. Hooks get it.
  const createLine = ({ requestId, durationMs, tenant }: Exchange<User>) => ({
    requestId,
    tenant: tenant?.hostName,
    durationMs: Math.round(durationMs),
  });

  return {
    minted(event) {
      log('info', createLine(event), 'portal URL minted');
      void call(onMint, event);
    },
    sessionsEnded(exchange, outcome) {
      log('info', { ...createLine(exchange), outcome }, 'portal sign-out');
    },
    failed(exchange, error, work = 'portal URL') {
      const refusal = error instanceof Refusal ? error : undefined;
      if (!refusal) {
        const { thrown, ...fields } = readFailure(error);
        log('error', { ...createLine(exchange), ...fields }, 'a portal embed callback failed');
        void call(onError, { ...exchange, code: undefined, error: thrown });
        printUnlessReported(thrown);
        return;
      }
      const { code, reason } = refusal;
      const fields = { ...createLine(exchange), code, reason: readReasonForLog(refusal) };
      // Any page or program can cause it, and nothing has failed.
      if (refusal.status < 500 || code === 'navigation_required') {
        log('warn', fields, `${work} refused`);
        void call(onRefuse, { ...exchange, code, reason });
      } else {
        log('error', fields, `${work} failed`);
        printUnlessReported(`${work} failed`, fields);
        void call(onError, { ...exchange, code, error: refusal.cause ?? refusal });
      }
    },
  };
}

// The portal's own text may name the user, so only hooks get it.
function readReasonForLog({ cause, code, reason }: Refusal): string {
  if (!(cause instanceof PortalApiError) || cause.status === undefined) return reason;
  const answered = `the portal answered ${cause.status} (${cause.code})`;
  if (code !== 'portal_unavailable') return answered;
  if (linkEndpoints.has(cause.endpoint))
    return `${answered} to ${cause.endpoint}; check the reports and roles that provision returns`;
  return cause.code === 'not_found'
    ? `${answered}; check that apiUrl is the address in front of /api`
    : answered;
}

/** The calls with which `provision` links a new user. The user exists, so the address is right. */
const linkEndpoints = new Set<string | undefined>(
  [endpoints.linkReports, endpoints.linkRlsUsers].map(({ method, path }) => `${method} ${path}`),
);

/** Returns what a callback threw, and what of it may be logged. */
function readFailure(error: unknown) {
  const failure = error instanceof CallbackFailure ? error : undefined;
  const thrown = failure ? failure.cause : error;
  return {
    thrown,
    ...(failure && { callback: failure.callback }),
    error: readErrorName(thrown),
    ...(thrown instanceof HostConfigurationError && { reason: thrown.message }),
  };
}

// The text of the application's own error may hold secrets. It goes to `onError` only.
function readErrorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
