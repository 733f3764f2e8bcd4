import type { CustomFilter } from '@portal-embed/contract';
import { send, type Answer } from 'test-support';

import type { ValuesRequest, ViewerSession, ViewRequest } from '#viewer/requests';

import type { TestOrganization } from './organization.ts';
import type { TestPortal } from './portal.ts';

export interface MintBody {
  userEmail: string;
  baseUrl?: string;
  organizationId?: string;
  reportId?: string;
  embed?: boolean;
  hideMenu?: boolean;
  hideNavbar?: boolean;
  hideSidebar?: boolean;
  customFilters?: CustomFilter[];
}

/** Mints a URL at the organization's own address, for one report if `reportId` is given. */
export async function mint(
  portal: Pick<TestPortal, 'api'>,
  organization: TestOrganization,
  body: MintBody,
): Promise<string> {
  const answer = await portal.api('POST', '/api/identity/url', {
    key: organization.apiKey,
    json: {
      baseUrl: organization.address,
      ...(body.reportId ? { organizationId: organization.id } : {}),
      ...body,
    },
  });
  if (answer.status !== 200) throw new Error(`The mint failed: ${answer.body}`);
  return answer.json().embedUrl;
}

/** Takes a user's access to the organization's report and gives it again: opening it is recorded then. */
export async function grantAgain(
  portal: Pick<TestPortal, 'api'>,
  { apiKey: key, reportId }: TestOrganization,
  userEmail: string,
): Promise<void> {
  for (const action of ['unlink-reports', 'link-reports'])
    await portal.api('PUT', `/api/user/${action}`, {
      key,
      json: { userEmail, reports: [reportId] },
    });
}

/** Opens a URL as a browser's navigation does. */
export const open = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(url, { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', ...headers } });

/** Reads the session from a redeemed page. */
export function readSession(answer: Answer): ViewerSession {
  const match = /<script type="application\/json" id="viewer-session">(.*?)<\/script>/s.exec(
    answer.body,
  );
  if (!match) throw new Error(`The page with status ${answer.status} has no session.`);
  return JSON.parse(match[1]!) as ViewerSession;
}

/** Mints a URL, opens it and returns the session in the page. */
export async function startSession(
  portal: Pick<TestPortal, 'api'>,
  organization: TestOrganization,
  body: MintBody,
): Promise<ViewerSession> {
  return readSession(await open(await mint(portal, organization, body)));
}

/** Requests a report's data as the viewer page does. */
export const view = (
  address: string,
  bearer: string,
  reportId: string,
  request: Partial<ViewRequest> = {},
): Promise<Answer> =>
  send(`${address}/viewer/reports/${reportId}/view`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    json: { intent: 'open', ...request },
  });

/** Requests the values of a field as the filter bar does. */
export const listValues = (
  address: string,
  bearer: string,
  reportId: string,
  json: ValuesRequest,
): Promise<Answer> =>
  send(`${address}/viewer/reports/${reportId}/values`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    json,
  });
