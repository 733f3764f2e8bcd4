import type { PortalFailureCause, PortalMessage } from '@portal-embed/contract/frame';

/**
 * What a fake page does with a fresh URL: `ready` shows the report, `loading` never finishes, `expired`
 * refuses the URL as expired, and a cause, such as `report_failed`, answers that failure.
 */
export type PageScenario = 'ready' | 'loading' | 'expired' | PortalFailureCause;

/** Returns the page's answer to a fresh URL; `undefined` for none. */
export function answerUrl(scenario: PageScenario): PortalMessage | undefined {
  if (scenario === 'loading') return undefined;
  if (scenario === 'ready') return { type: 'ready', unappliedFilters: [] };
  if (scenario === 'expired') return { type: 'session-required', reason: 'expired' };
  return { type: 'failed', cause: scenario };
}
