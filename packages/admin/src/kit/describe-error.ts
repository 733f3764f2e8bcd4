import type { AdminError, AdminErrorCode } from '../api/admin-error.ts';
import { isMessageKey, type Formats } from '../messages/messages.ts';

/** Codes whose explanation by the service names what is wrong. */
const explained: ReadonlySet<AdminErrorCode> = new Set([
  'content_conflict',
  'data_conflict',
  'invalid_content',
  'invalid_request',
  'missing_permission',
  'unknown_references',
]);

/** Why a request failed, and what to do. */
export interface ErrorText {
  text: string;
  /** What the service adds in English on pages in another language. */
  english?: string;
}

/** The service explains errors in English. Pages in another language have words of their own for a code. */
export function describeError(
  { code, detail }: Pick<AdminError, 'code' | 'detail'>,
  { language, formatMessage }: Pick<Formats, 'language' | 'formatMessage'>,
): ErrorText {
  if (code === 'unreachable') return { text: formatMessage('error.unreachable') };
  if (code === 'stale_version') return { text: formatMessage('error.stale') };
  if (language === 'en' && detail) return { text: detail };
  const english = detail && formatMessage('error.in_english', { detail });
  const key = `error.of.${code}`;
  if (!isMessageKey(key)) return { text: english || formatMessage('error.unexplained') };
  return { text: formatMessage(key), ...(english && explained.has(code) && { english }) };
}
