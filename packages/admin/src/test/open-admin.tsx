import { notifications } from '@mantine/notifications';
import { render, screen } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';

import { AdminApp } from '../AdminApp.tsx';
import { loadFormats } from '../messages/messages.ts';
import {
  adminEndpoints,
  type AdminAnswer,
  type AdminEndpointName,
  type AdminRequest,
} from '../requests/endpoints.ts';
import type { AdminIdentity } from '../requests/sign-in.ts';

export const organization = {
  id: '0d9c0000-0000-4000-8000-000000000001',
  slug: 'acme',
  name: 'Acme',
  timeZone: 'UTC',
  language: null,
};

export const administrator: AdminIdentity = {
  kind: 'user',
  email: 'ada@acme.example',
  name: 'Ada',
  role: 1,
  organization,
  hasPassword: true,
  mayHavePassword: true,
  provider: null,
  freshForSeconds: 600,
  authenticatedSecondsAgo: 0,
};

/** An answer with an error, as the service sends it. */
export const refuse = (status: number, code: string, detail = '', headers = {}) =>
  Response.json({ code, detail, requestId: 'request-1' }, { status, headers });

/** Answers by the names of their endpoints. Without one, the service is unreachable. */
export type Answers = {
  [Name in AdminEndpointName]?:
    | AdminAnswer<Name>
    | Response
    | ((request: AdminRequest<Name>) => AdminAnswer<Name> | Response | Promise<Response>);
};

/** Opens a page below the home of the organization, or below `/admin`, in front of a simulated service. */
export async function openAdmin(path: string, answers: Answers) {
  const requests: { name: AdminEndpointName; request: Record<string, unknown> }[] = [];
  const known: Answers = { readIdentity: administrator, ...answers };
  const answerRequest = async (address: string, init: RequestInit): Promise<Response> => {
    const { name, request } = readRequest(address, init);
    const { organizationId, ...rest } = request;
    if (![undefined, organization.id].includes(organizationId))
      throw new Error(`${name} names the organization ${organizationId}.`);
    requests.push({ name, request: rest });
    const found: unknown = known[name];
    if (found === undefined) throw new TypeError(`The test has no answer to ${name}.`);
    const answer: unknown = await (typeof found === 'function' ? found(request) : found);
    return answer instanceof Response ? answer.clone() : Response.json(answer);
  };
  vi.stubGlobal('fetch', answerRequest);
  vi.stubGlobal('XMLHttpRequest', createRequests(answerRequest));
  // jsdom has no layout, media queries or fonts.
  Object.assign(HTMLElement.prototype, { scrollIntoView() {} });
  vi.stubGlobal('matchMedia', (query: string) => ({
    // Each frame of a transition would be drawn.
    matches: query.includes('prefers-reduced-motion'),
    addEventListener() {},
    removeEventListener() {},
  }));
  Object.assign(document, { fonts: new EventTarget() });
  const home = `/admin/organizations/${organization.id}`;
  history.replaceState(null, '', path.startsWith('/admin') ? path : home + path);
  // jsdom does not submit forms; a browser would leave the page.
  let left = 0;
  const countSubmit = ({ defaultPrevented }: Event) => void (left += defaultPrevented ? 0 : 1);
  window.addEventListener('submit', countSubmit);
  onTestFinished(() => {
    window.removeEventListener('submit', countSubmit);
    notifications.clean();
    vi.unstubAllGlobals();
    history.replaceState(null, '', '/');
    localStorage.clear();
    if (left > 0) throw new Error('A form would make the browser leave the page.');
  });
  render(<AdminApp formats={await loadFormats(['en-US'])} nonce="" />);
  await screen.findByRole('main');
  return {
    home,
    answers: known,
    /** The requests to an endpoint, without the organization. */
    sent: (name: AdminEndpointName) =>
      requests.filter((each) => each.name === name).map(({ request }) => request),
  };
}

/** Uploads, whose files are sent at once. */
const createRequests = (answerRequest: (address: string, init: RequestInit) => Promise<Response>) =>
  class extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    #method = '';
    #address = '';
    #headers = new Headers();

    open(method: string, address: string) {
      this.#method = method;
      this.#address = address;
    }

    getResponseHeader(name: string) {
      return this.#headers.get(name);
    }

    setRequestHeader() {}

    abort() {}

    send(file: File) {
      const { size } = file;
      this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: size, total: size }));
      void this.#answer(answerRequest(this.#address, { method: this.#method }));
    }

    async #answer(answering: Promise<Response>) {
      try {
        const answer = await answering;
        this.status = answer.status;
        this.#headers = answer.headers;
        this.responseText = await answer.text();
        this.dispatchEvent(new ProgressEvent('load'));
      } catch {
        this.dispatchEvent(new ProgressEvent('error'));
      }
    }
  };

/** Records the addresses that the page navigates to, because jsdom does not navigate. */
export function watchNavigation() {
  const opened: string[] = [];
  const open = (address: string) => void opened.push(address);
  const { href, pathname, search, hash } = location;
  vi.stubGlobal('location', { href, pathname, search, hash, assign: open, replace: open });
  return opened;
}

function readRequest(address: string, { method = 'GET', body }: RequestInit) {
  const { pathname, searchParams } = new URL(address, location.href);
  for (const [name, row] of Object.entries(adminEndpoints)) {
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param!);
    const found = new RegExp(`^/admin/api${row.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(
      pathname,
    );
    if (!found || row.method !== method) continue;
    const params = names.map((param, index) => [param, decodeURIComponent(found[index + 1]!)]);
    const sent: object = typeof body === 'string' ? JSON.parse(body) : {};
    return {
      name: name as AdminEndpointName,
      request: { ...Object.fromEntries([...searchParams, ...params]), ...sent },
    };
  }
  throw new Error(`No endpoint has the address ${method} ${address}.`);
}
