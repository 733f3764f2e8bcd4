import type { Answer } from '../answer.ts';
import { listAnswer, matches, timestamp } from './list.ts';
import type { ApiRequest } from './request.ts';

/** The log, oldest entry first. `actionName` is this portal's further filter. */
export function listAudit({ state, query }: ApiRequest): Answer {
  const entries = state.audit.filter(
    ({ userEmail, reportName, actionName }) =>
      matches(query, 'userEmail', userEmail) &&
      matches(query, 'reportName', reportName) &&
      matches(query, 'actionName', actionName),
  );
  return listAnswer(
    entries.map(({ createdAt, ...entry }) =>
      Object.assign(entry, {
        createdAt: timestamp(createdAt),
        organizationId: state.organizationId,
        device: 'browser',
      }),
    ),
    query,
    'pageNumber',
  );
}
