import type { ServiceError } from 'page-kit/service-error';

import { describeProblem } from '../describe-problem.ts';
import type { Formats } from '../format/create-formats.ts';

/** What happened, and what to do. */
export function describeFailure(error: ServiceError, format: string, formats: Formats): string {
  const { formatMessage } = formats;
  if (error.code === 'export_too_large')
    return formatMessage(format === 'xlsx' ? 'take.too_large.xlsx' : 'take.too_large.csv');
  if (error.code === 'session_required')
    return `${formatMessage('session_ended.title')}. ${formatMessage('session_ended.text')}`;
  const { title, advice } = describeProblem(error, formats);
  return `${title}. ${advice}`;
}
