import { PortalApiError } from '@portal-embed/client';
import type { HostRequest } from '@portal-embed/contract';

import { CallbackFailure, ConfigurationError } from './callback.ts';
import type { PortalUser } from './options.ts';
import { Refusal } from './refusal.ts';
import type { RefusalCode } from './refusal.ts';
import type { TenantInfo } from './tenant.ts';

/** A logger in pino's shape. */
export interface Logger {
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
}

/** What is known of a request when something is reported of it. Never a key, header or URL. */
export interface Exchange<User extends PortalUser> {
  /** Also in the answer, and passed on to the portal's log. */
  requestId: string;
  /** Milliseconds since the request arrived. */
  durationMs: number;
  tenant?: TenantInfo | undefined;
  user?: User | undefined;
}

export interface MintEvent<User extends PortalUser> extends Exchange<User> {
  tenant: TenantInfo;
  user: User;
  /** What was asked of the portal, within the policy. */
  request: HostRequest;
  expiresAt: string;
}

export interface RefuseEvent<User extends PortalUser> extends Exchange<User> {
  code: RefusalCode;
  /** Why, for people who run the app. */
  reason: string;
}

export interface ErrorEvent<User extends PortalUser> extends Exchange<User> {
  /** `undefined` if a callback of the app failed. */
  code: RefusalCode | undefined;
  /** A `PortalApiError`, or what a callback threw. */
  error: unknown;
}

export interface Hooks<User extends PortalUser> {
  /** A URL was minted. */
  onMint?: ((event: MintEvent<User>) => unknown) | undefined;
  /** A request was refused, by us or by the portal: statuses below 500. */
  onRefuse?: ((event: RefuseEvent<User>) => unknown) | undefined;
  /** The portal failed, or a callback of the app; its error reaches nobody else. */
  onError?: ((event: ErrorEvent<User>) => unknown) | undefined;
  /**
   * Gets a line for each request, without the user and the portal's own words. Of a callback that fails
   * it says which, and what is not valid of what it returned, but not what the callback threw. Default:
   * no lines; but what `onError` would get is then printed by `console.error`, unless there is an
   * `onError`.
   */
  logger?: Logger | undefined;
}

export interface Observer<User extends PortalUser> {
  minted: (event: MintEvent<User>) => void;
  failed: (exchange: Exchange<User>, error: unknown) => void;
}

/** Tells hooks and logger what happened. A hook that fails is logged and harms nobody. */
export function createObserver<User extends PortalUser>({
  onMint,
  onRefuse,
  onError,
  logger,
}: Hooks<User>): Observer<User> {
  const log = (level: keyof Logger, fields: object, message: string) => {
    try {
      logger?.[level](fields, message);
    } catch {
      // A logger that fails harms nobody, and where else could that be said?
    }
  };
  /** As Express does: else nobody would ever know of it. */
  const printUnlessHeard = (...what: unknown[]) => {
    // eslint-disable-next-line no-console -- It is all that is left.
    if (!logger && !onError) console.error(...what);
  };
  const call = async <Event>(hook: ((event: Event) => unknown) | undefined, event: Event) => {
    try {
      await hook?.(event);
    } catch (error) {
      log('error', { hook: hook?.name, error: nameOf(error) }, 'a portal embed hook failed');
    }
  };
  // The user's e-mail is left to the hooks: not every log may hold it.
  const line = ({ requestId, durationMs, tenant }: Exchange<User>) => ({
    requestId,
    tenant: tenant?.hostName,
    durationMs: Math.round(durationMs),
  });

  return {
    minted(event) {
      log('info', line(event), 'portal URL minted');
      void call(onMint, event);
    },
    failed(exchange, error) {
      const refusal = error instanceof Refusal ? error : undefined;
      if (!refusal) {
        const { thrown, ...fields } = readFailure(error);
        log('error', { ...line(exchange), ...fields }, 'a portal embed callback failed');
        void call(onError, { ...exchange, code: undefined, error: thrown });
        printUnlessHeard(thrown);
        return;
      }
      const { code, reason } = refusal;
      const fields = { ...line(exchange), code, reason: reasonForLog(refusal) };
      if (refusal.status < 500) {
        log('warn', fields, 'portal URL refused');
        void call(onRefuse, { ...exchange, code, reason });
      } else {
        log('error', fields, 'portal URL failed');
        printUnlessHeard('portal URL failed', fields);
        void call(onError, { ...exchange, code, error: refusal.cause ?? refusal });
      }
    },
  };
}

// A portal's sentence may name the user; the hooks get it.
function reasonForLog({ cause, code, reason }: Refusal): string {
  if (!(cause instanceof PortalApiError) || cause.status === undefined) return reason;
  const isAddressWrong = cause.code === 'not_found' && code === 'portal_unavailable';
  const advice = isAddressWrong ? '; check that apiUrl is the address in front of /api' : '';
  return `the portal answered ${cause.status} (${cause.code})${advice}`;
}

/** What a callback threw, and what may be logged of it. */
function readFailure(error: unknown) {
  const failure = error instanceof CallbackFailure ? error : undefined;
  const thrown = failure ? failure.cause : error;
  return {
    thrown,
    ...(failure && { callback: failure.callback }),
    error: nameOf(thrown),
    ...(thrown instanceof ConfigurationError && { reason: thrown.message }),
  };
}

// What the app's own code throws may say anything; it goes to `onError`.
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
