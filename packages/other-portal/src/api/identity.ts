import { randomBytes } from 'node:crypto';

import { json, Refusal, type Answer } from '../answer.ts';
import { findReport, sameText, type Grant } from '../state.ts';
import { timestamp } from './list.ts';
import { fields, flag, optionalString, stringField, type ApiRequest } from './request.ts';
import { userOr404 } from './users.ts';

const validityMs = 5 * 60_000;

function readFilters(value: unknown): Grant['filters'] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Refusal(400, 'customFilters must be an array.');
  return value.map((item) => {
    const filter = fields(item);
    return { key: stringField(filter, 'key'), value: stringField(filter, 'value') };
  });
}

/** A caller may name the portal's subdomain alone or with the rest of its address. */
function readAddress(subdomain: string, baseUrl: string, url: string): string {
  const { host, pathname, protocol } = new URL(url);
  const own = `${subdomain}.localhost:${host.split(':')[1]}`;
  const given = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
  if (given !== subdomain && given !== own)
    throw new Refusal(400, `baseUrl is not configured. Use ${subdomain}.`);
  return `${protocol}//${own}${pathname}`;
}

/**
 * Whether the user can open the report is decided when the URL is opened, not here: access can
 * change in five minutes.
 */
export function mintUrl({ state, body, now, url }: ApiRequest): Answer {
  const given = fields(body);
  const user = userOr404(state, stringField(given, 'userEmail'));
  const baseUrl = optionalString(given, 'baseUrl');
  const address = baseUrl === undefined ? url : readAddress(state.subdomain, baseUrl, url);
  const organizationId = optionalString(given, 'organizationId');
  const reportId = optionalString(given, 'reportId');
  if ((organizationId === undefined) !== (reportId === undefined))
    throw new Refusal(400, 'Send organizationId and reportId together.');
  if (organizationId && !sameText(organizationId, state.organizationId))
    throw new Refusal(404, 'Organization not found');
  const report = reportId ? findReport(state, reportId) : undefined;
  if (reportId && !report) throw new Refusal(404, 'Report not found');
  const embed = flag(given, 'embed');
  const expiresAt = new Date(now.getTime() + validityMs);
  const token = randomBytes(24).toString('base64url');
  const filters = readFilters(given['customFilters']);
  state.tokens.set(token, {
    userId: user.id,
    reportId: report?.id ?? null,
    hidden: {
      menu: flag(given, 'hideMenu') || embed,
      navbar: flag(given, 'hideNavbar') || embed,
      sidebar: flag(given, 'hideSidebar') || embed,
    },
    filters,
    expiresAt,
  });
  const embedUrl = new URL(`${address}/sign-in`);
  embedUrl.searchParams.set('token', token);
  if (report) embedUrl.searchParams.set('returnUrl', `/view/${report.id}`);
  return json({ embedUrl: embedUrl.href, expiresAt: timestamp(expiresAt), kind: 'single-use' });
}
