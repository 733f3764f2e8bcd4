import { randomBytes } from 'node:crypto';

import { page, type Answer } from '../answer.ts';
import { findReport, newId, type Grant, type PortalState, type User } from '../state.ts';
import { document, escapeHtml } from './html.ts';
import { applyFilters, visibleRows } from './rows.ts';

export interface PageRequest {
  state: PortalState;
  url: string;
  now: Date;
}

const notice = (status: number, title: string, advice: string): Answer =>
  page(
    document(title, `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(advice)}</p></main>`),
    status,
  );

export const pageNotFound = (): Answer => notice(404, 'Page not found', 'Check the address.');

/**
 * Redeems a token and goes on to the portal's pages. The session id is in their address, so no
 * browser's rule about cookies in frames matters.
 */
export function signIn({ state, url, now }: PageRequest, token: string): Answer {
  const grant = state.tokens.get(token);
  state.tokens.delete(token);
  if (!grant || grant.expiresAt <= now)
    return notice(410, 'This address was used or is too old', 'Go back and open the report again.');
  const session = randomBytes(24).toString('base64url');
  state.sessions.set(session, grant);
  const path = grant.reportId ? `/view/${grant.reportId}` : '';
  return {
    status: 302,
    headers: {
      location: `${new URL(url).pathname}/s/${session}${path}`,
      'referrer-policy': 'no-referrer',
    },
  };
}

/** The pages of an opened URL: `/s/{session}` and `/s/{session}/view/{reportId}`. */
export function portalPage(request: PageRequest, session: string, reportId?: string): Answer {
  const grant = request.state.sessions.get(session);
  const user = request.state.users.find(({ id }) => id === grant?.userId);
  if (!grant || !user) return notice(401, 'Signed out', 'Go back and open the report again.');
  if (user.expirationDate && user.expirationDate <= request.now)
    return notice(403, 'Your access has expired', 'Ask your administrator.');
  const home = `${new URL(request.url).pathname}/s/${session}`;
  return reportId === undefined
    ? homePage(request.state, grant, user, home)
    : reportPage(request, grant, user, home, reportId);
}

function homePage(state: PortalState, grant: Grant, user: User, home: string): Answer {
  if (grant.reportId) return notice(403, 'No access', 'This address opens one report only.');
  const links = state.reports
    .filter(({ id }) => user.reports.has(id))
    .map(({ id, name }) => `<li><a href="${home}/view/${id}">${escapeHtml(name)}</a></li>`);
  return page(
    document(
      'Reports',
      `${grant.hidden.sidebar ? '' : '<aside id="sidebar">Folders</aside>'}
<main><h1>Reports</h1><ul>${links.join('')}</ul></main>`,
    ),
  );
}

const cells = (tag: string, values: unknown[]): string =>
  `<tr>${values.map((value) => `<${tag}>${escapeHtml(value)}</${tag}>`).join('')}</tr>`;

function reportPage(
  { state, now }: PageRequest,
  grant: Grant,
  user: User,
  home: string,
  reportId: string,
): Answer {
  const report = findReport(state, reportId);
  const dataset = state.datasets.find(({ id }) => id === report?.datasetId);
  if (!report || !dataset || !user.reports.has(report.id))
    return notice(403, 'No access', 'You cannot open this report. Ask your administrator.');
  if (grant.reportId && grant.reportId !== report.id)
    return notice(403, 'No access', 'This address opens one report only.');
  state.audit.push({
    id: newId(),
    createdAt: now,
    userId: user.id,
    userEmail: user.email,
    reportId: report.id,
    reportName: report.name,
    action: 1,
    actionName: 'TokenRequested',
  });
  const columns = Object.keys(dataset.rows[0] ?? {});
  const { rows, ignored } = applyFilters(visibleRows(state, dataset, user), columns, grant.filters);
  return page(
    document(
      report.name,
      `${grant.hidden.navbar ? '' : `<nav id="navbar"><a href="${home}">All reports</a></nav>`}
${grant.hidden.menu ? '' : '<menu id="menu"><li><a href="">Reload</a></li></menu>'}
<main><h1>${escapeHtml(report.name)}</h1>
<p id="viewer">${escapeHtml(user.email)}</p>
${ignored.map((key) => `<p class="ignored">No column ${escapeHtml(key)}: filter ignored</p>`).join('')}
<table><thead>${cells('th', columns)}</thead><tbody>${rows
        .map((row) =>
          cells(
            'td',
            columns.map((column) => row[column]),
          ),
        )
        .join('')}</tbody></table></main>`,
    ),
  );
}
