import type {
  ConnectMessage,
  FrameOptions,
  HostMessage,
  MarkValue,
  PortalFailureCause,
  PortalMessage,
  SessionRequiredReason,
} from '@portal-embed/contract/frame';

import type { MintedUrl } from './identity-urls.ts';
import { answerUrl, type PageScenario } from './scenario.ts';

/** What a page shows of a URL. */
interface PageRequest {
  userEmail?: string | undefined;
  reportId?: string | undefined;
  customFilters?: { key: string; value: string }[] | undefined;
}

interface PageHandlers<Request> {
  redeem: (url: string) => MintedUrl<Request> | SessionRequiredReason;
  /** Returns what the page does with the next URL. */
  scenario: () => PageScenario;
  /** Delivers a message to the component. */
  send: (message: PortalMessage) => void;
}

/**
 * The portal's page in the frame of an embed. It answers the component's messages by itself. Its methods
 * do what a reader or the portal would do.
 */
export class FakePage<Request extends PageRequest = PageRequest> {
  /** The messages of the component, in order. */
  readonly received: HostMessage[] = [];
  readonly #handlers: PageHandlers<Request>;
  /** The minted URL that the page shows, with its request. */
  url: MintedUrl<Request> | undefined;
  /** The theme, locale and other options of the component; `undefined` until it connects. */
  options: (FrameOptions & Pick<ConnectMessage, 'view' | 'scroll'>) | undefined;
  /** The number of the latest `open`. */
  #id: number | undefined;
  /** Why the URL that the document was loaded from is refused. */
  #refused: SessionRequiredReason | undefined;
  #isConnected = false;

  /** @param address the address that the document is loaded from: an identity URL, or the shell */
  constructor(address: string, handlers: PageHandlers<Request>) {
    this.#handlers = handlers;
    if (new URL(address).pathname.endsWith('/identity')) this.#redeem(address);
  }

  /** Whether the component is connected and has given the page a URL. */
  get isOpened(): boolean {
    return this.#isConnected && (!!this.url || !!this.#refused);
  }

  /** The text of the page. */
  get lines(): string[] {
    if (!this.url) return ['Fake portal'];
    const { reportId, userEmail, customFilters = [] } = this.url;
    return [
      reportId ? `Report ${reportId}` : 'Reports',
      ...(userEmail ? [userEmail] : []),
      ...customFilters.map(({ key, value }) => `${key}: ${value}`),
    ];
  }

  /** Takes a message of the component. The transport calls it. */
  receive(message: ConnectMessage | HostMessage): void {
    if (message.type === 'connect') {
      const { type: _, portalEmbed: __, ...options } = message;
      this.options = options;
      const isFirst = !this.#isConnected;
      this.#isConnected = true;
      if (isFirst && this.isOpened) this.#answer();
      return;
    }
    this.received.push(message);
    if (message.type === 'set-options') {
      const { type: _, ...options } = message;
      this.options = options;
    } else if (message.type === 'open') {
      this.#id = message.id;
      this.#redeem(message.url);
      this.#answer();
    }
  }

  /** Shows the report. The page of the scenario `loading` waits for this. */
  ready(unappliedFilters: string[] = []): void {
    this.send({ type: 'ready', unappliedFilters });
  }

  /** The report fails. Default: `report_failed`. */
  fail(cause: PortalFailureCause = 'report_failed'): void {
    this.send({ type: 'failed', cause });
  }

  /** The session ends, so the component fetches a new URL. Default: `session-ended`. */
  endSession(reason: SessionRequiredReason = 'session-ended'): void {
    this.send({ type: 'session-required', reason });
  }

  /** The reader opens another report, or the overview (`null`). */
  navigate(reportId: string | null): void {
    this.send({
      type: 'navigated',
      path: `/organizations/fake${reportId === null ? '' : `/reports/${reportId}`}`,
      reportId,
    });
  }

  /** The reader changes the page of the report, a filter or the order: any text. */
  changeView(view: string, scroll = 0): void {
    this.send({ type: 'view', view, scroll });
  }

  /** The reader selects marks of a chart. Without values, nothing is selected any more. */
  select(field: string, values: MarkValue[]): void {
    this.send({ type: 'selected', field, values });
  }

  /** Changes the height of the report, in CSS pixels. */
  resize(height: number): void {
    this.send({ type: 'resized', height });
  }

  /** Sends any message of the frame channel, about the URL that the page shows. */
  send(message: PortalMessage): void {
    const isAboutUrl = ['ready', 'failed', 'session-required', 'view'].includes(message.type);
    const id = isAboutUrl && this.#id !== undefined ? { id: this.#id } : {};
    this.#handlers.send({ ...id, ...message });
  }

  #redeem(url: string) {
    const result = this.#handlers.redeem(url);
    this.#refused = typeof result === 'string' ? result : undefined;
    this.url = typeof result === 'string' ? undefined : result;
  }

  #answer() {
    const answer = this.#refused
      ? ({ type: 'session-required', reason: this.#refused } as const)
      : answerUrl(this.#handlers.scenario());
    if (answer) this.send(answer);
  }
}
