import type { SessionRequiredReason } from '@portal-embed/contract';

import { findMessage, type Language } from './languages.ts';

/** Pages without a report: what happened and what to do. The texts are messages of `notice.*`. */
export const notices = {
  used: 'used',
  expired: 'expired',
  unknown: 'unknown',
  reloaded: 'reloaded',
  root: 'unknown',
  address: 'unknown',
  limited: 'unknown',
  failed: 'unknown',
} as const satisfies Record<string, SessionRequiredReason>;

export type NoticeName = keyof typeof notices;

/** Texts of a notice. `shell` is for a reader who opens the shell outside of an application. */
export const describeNotice = (
  language: Language,
  name: NoticeName | 'shell',
): { title: string; text: string } => ({
  title: findMessage(language, `notice.${name}.title`),
  text: findMessage(language, `notice.${name}.text`),
});
