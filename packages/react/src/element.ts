import type { CustomFilter } from '@portal-embed/contract';
import { areFilters } from '@portal-embed/contract/frame';

import { invokeCallback } from './core/callback.ts';
import { createEmbed } from './core/embed.ts';
import type { EmbedHandle } from './core/embed.ts';
import { createEmbedError } from './core/error.ts';
import type { EmbedError } from './core/error.ts';
import {
  schemeOf,
  type EmbedOptions,
  type EmbedState,
  type ExportEvent,
  type NavigateEvent,
  type ReadyEvent,
  type SelectEvent,
} from './core/options.ts';
import { findWindow } from './core/window.ts';
import { defaultTexts, pickAction, pickView } from './texts.ts';
import type { EmbedTexts } from './texts.ts';

export { createEmbedError };
export type { EmbedError, EmbedHandle, EmbedOptions, EmbedState, EmbedTexts };

/** The events of `<portal-embed>`. */
export interface PortalEmbedEvents {
  ready: CustomEvent<ReadyEvent>;
  refresh: CustomEvent<ReadyEvent>;
  navigate: CustomEvent<NavigateEvent>;
  viewchange: CustomEvent<string>;
  selection: CustomEvent<SelectEvent>;
  export: CustomEvent<ExportEvent>;
  failure: CustomEvent<EmbedError>;
  /** Needs `request-access`, or `onRequestAccess` in `options`. */
  requestaccess: CustomEvent<EmbedError>;
  statechange: CustomEvent<EmbedState>;
}

/**
 * `<portal-embed>`: the embed as a custom element. Its attributes are the options in kebab case
 * (`report-id`, `hide-menu`). `custom-filters` is a JSON list; other values fail with
 * `invalid_request`.
 *
 * Events: `ready`, `navigate`, `viewchange`, `selection`, `export`, `refresh`, `failure`,
 * `requestaccess` and `statechange`, with a `detail`. They do not bubble. A callback in `options` is called after its event. The button for
 * `requestaccess` needs `onRequestAccess` in `options`, or the attribute `request-access`. Slots:
 * `loading`, `error`, `refused` and `signed-out`.
 */
export interface PortalEmbedElement extends HTMLElement, EmbedHandle {
  /** Options without an attribute, such as `fetchIdentityUrl`. They take precedence over attributes. */
  options: EmbedOptions;
  texts: Partial<EmbedTexts>;

  addEventListener<Name extends keyof PortalEmbedEvents>(
    type: Name,
    listener: (event: PortalEmbedEvents[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(...listener: Parameters<HTMLElement['addEventListener']>): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'portal-embed': PortalEmbedElement;
  }
}

const flags = ['hide-menu', 'hide-navbar', 'hide-sidebar', 'embed', 'lazy', 'auto-height'];
const numbers = ['refresh-interval', 'max-height', 'timeout'];
const words = [
  'endpoint',
  'portal-url',
  'report-id',
  'title',
  'theme',
  'accent-color',
  'locale',
  'view',
  'initial-view',
  'handshake',
];

const toCamelCase = (name: string) =>
  name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const createFilterError = (problem: string) =>
  createEmbedError(
    'invalid_request',
    `custom-filters ${problem}. Write a list such as [{"key":"Region","value":"West"}].`,
  );

const readFilters = (text: string): CustomFilter[] => {
  let filters: unknown;
  try {
    filters = JSON.parse(text);
  } catch (error) {
    throw createFilterError(`is not JSON (${(error as Error).message})`);
  }
  if (areFilters(filters)) return filters;
  throw createFilterError('is not a list of filters with a key and a value as text');
};

const readAttributes = (element: HTMLElement): EmbedOptions => {
  const filters = element.getAttribute('custom-filters');
  const read = (names: string[], parse: (value: string) => unknown) =>
    names.flatMap((name) => {
      const value = element.getAttribute(name);
      return value === null ? [] : [[toCamelCase(name), parse(value)]];
    });
  return {
    ...Object.fromEntries([
      ...read(flags, (value) => value !== 'false'),
      ...read(numbers, Number),
      ...read(words, String),
    ]),
    ...(filters && { customFilters: readFilters(filters) }),
  };
};

const minHeight = 'min-height: var(--portal-embed-min-height, 24rem);';
const style = `
  :host { display: block; position: relative; ${minHeight} }
  :host([hidden]) { display: none; }
  #frame { position: absolute; inset: 0; }
  #frame:empty { pointer-events: none; }
  #cover {
    position: absolute; inset: 0; display: grid; place-content: center; gap: 1rem;
    color: var(--portal-embed-color, CanvasText); background: var(--portal-embed-background, Canvas);
  }
  :host([data-portal-embed=ready]) #cover, :host([data-portal-embed=refreshing]) #cover { opacity: 0; }
  button { font: inherit; }`;

// The embed sets the height of #frame when it knows the height of the content.
const autoHeightStyle = `
  :host { min-height: 0; }
  #frame { position: relative; }
  #frame:not([style]) { ${minHeight} }`;
const fixedHeightStyle = '#frame { height: auto !important; }';

/** Returns a function that sets the style of a shadow root. */
function createStyle(shadow: ShadowRoot): (text: string) => void {
  // A document accepts only style sheets of its own window.
  const { CSSStyleSheet: Sheet } = findWindow(shadow.ownerDocument);
  if ('replaceSync' in Sheet.prototype) {
    const sheet = new Sheet();
    shadow.adoptedStyleSheets = [sheet];
    return (text) => sheet.replaceSync(text);
  }
  // For jsdom. A strict policy of a page would block the element.
  const element = shadow.querySelector('style') ?? document.createElement('style');
  shadow.prepend(element);
  return (text) => {
    element.textContent = text;
  };
}

// A server has no elements, and can import the module.
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

class Element extends Base implements PortalEmbedElement {
  static readonly observedAttributes = [
    ...flags,
    ...numbers,
    ...words,
    'custom-filters',
    'request-access',
  ];

  #options: EmbedOptions = {};
  #texts: Partial<EmbedTexts> = {};
  #state: EmbedState = { status: 'idle' };
  #embed = createEmbed((state) => this.#applyState(state));
  #isConnected = false;
  #unmount: (() => void) | undefined;
  #setStyle: (text: string) => void;
  #frame = document.createElement('div');
  #status = document.createElement('output');
  #slot = document.createElement('slot');
  #button = document.createElement('button');

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open', delegatesFocus: false });
    this.#setStyle = createStyle(shadow);
    this.#applyStyle({});
    const cover = document.createElement('div');
    cover.id = 'cover';
    this.#frame.id = 'frame';
    this.#button.addEventListener('click', () => this.#act());
    // A changed text fires `slotchange` too, so this handler must not change texts.
    this.#slot.addEventListener('slotchange', () => this.#renderButton());
    this.#status.append(this.#slot);
    this.#status.tabIndex = -1;
    cover.append(this.#status, this.#button);
    shadow.append(cover, this.#frame);
    this.#render();
    // Properties that were set before the upgrade hide the accessors.
    for (const property of ['options', 'texts'] as const)
      if (Object.hasOwn(this, property)) {
        const value = this[property];
        delete (this as Partial<PortalEmbedElement>)[property];
        Object.assign(this, { [property]: value });
      }
  }

  get options() {
    return this.#options;
  }
  set options(options) {
    this.#options = options;
    this.#update();
  }
  get texts() {
    return this.#texts;
  }
  set texts(texts) {
    this.#texts = texts;
    this.#render();
  }
  get iframe() {
    return this.#embed.iframe;
  }
  refresh = () => this.#embed.refresh();
  setFilters: EmbedHandle['setFilters'] = (filters) => this.#embed.setFilters(filters);
  export: EmbedHandle['export'] = (...request) => this.#embed.export(...request);
  print = () => this.#embed.print();

  connectedCallback() {
    this.#isConnected = true;
    this.#update();
  }
  disconnectedCallback() {
    this.#isConnected = false;
    this.#unmountEmbed();
  }
  /** Another document drops the style sheets. */
  adoptedCallback() {
    this.#setStyle = createStyle(this.shadowRoot!);
  }
  /** Without this method, `moveBefore` would disconnect the element and close the frame. */
  connectedMoveCallback() {}
  attributeChangedCallback() {
    this.#update();
  }

  #createCallbacks(): EmbedOptions {
    const { onRequestAccess, ...options } = this.#options;
    const emit =
      <Name extends keyof PortalEmbedEvents, Detail extends PortalEmbedEvents[Name]['detail']>(
        type: Name,
        callback: ((detail: Detail) => void) | undefined,
      ) =>
      (detail: Detail) => {
        this.dispatchEvent(new CustomEvent(type, { detail }));
        callback?.(detail);
      };
    return {
      onReady: emit('ready', options.onReady),
      onNavigate: emit('navigate', options.onNavigate),
      onViewChange: emit('viewchange', options.onViewChange),
      onSelect: emit('selection', options.onSelect),
      onExport: emit('export', options.onExport),
      onRefresh: emit('refresh', options.onRefresh),
      onError: emit('failure', options.onError),
      onStateChange: emit('statechange', options.onStateChange),
      // The button appears only if the host handles the request.
      ...((onRequestAccess || this.hasAttribute('request-access')) && {
        onRequestAccess: emit('requestaccess', onRequestAccess),
      }),
    };
  }

  #update() {
    if (!this.#isConnected) return;
    let attributes: EmbedOptions;
    try {
      attributes = readAttributes(this);
    } catch (thrown) {
      const error = thrown as EmbedError;
      // Emitted once, even if other attributes change meanwhile.
      if (this.#unmount || this.#state.error?.message !== error.message) {
        this.#unmountEmbed();
        this.#applyFilterError(error);
      }
      return;
    }
    const options = { ...attributes, ...this.#options, ...this.#createCallbacks() };
    this.#applyStyle(options);
    this.#renderButton();
    this.#embed.update(options);
    this.#unmount ??= this.#embed.mount(this.#frame);
  }

  #unmountEmbed() {
    this.#unmount?.();
    this.#unmount = undefined;
    this.#applyState({ status: 'idle' });
  }

  #applyState(state: EmbedState) {
    this.#state = state;
    this.dataset['portalEmbed'] = state.status;
    this.#render();
  }

  #applyFilterError(error: EmbedError) {
    const state = { status: 'failed', error } as const;
    const { onStateChange, onError } = this.#createCallbacks();
    this.#applyState(state);
    void invokeCallback(onStateChange, state);
    void invokeCallback(onError, error);
  }

  #applyStyle({ theme, autoHeight }: EmbedOptions) {
    const scheme = schemeOf(theme);
    this.#setStyle(
      style +
        (scheme ? `:host { color-scheme: ${scheme}; }` : '') +
        (autoHeight ? autoHeightStyle : fixedHeightStyle),
    );
  }

  #render() {
    const { error } = this.#state;
    const texts = { ...defaultTexts, ...this.#texts };
    const view = pickView(this.#state);
    this.#slot.name = view === 'signedOut' ? 'signed-out' : view;
    this.#slot.textContent = error && !this.#unmount ? error.message : texts[view];
    this.#renderButton();
  }

  #pickAction() {
    return pickAction(pickView(this.#state), this.#createCallbacks());
  }

  #act() {
    if (this.#pickAction() === 'retry') this.refresh();
    else this.#createCallbacks().onRequestAccess?.(this.#state.error!);
  }

  /** Shows the button of a failed load, unless a slot replaces it. */
  #renderButton() {
    const action = this.#pickAction();
    const isVisible = action && this.#unmount && this.#slot.assignedElements().length === 0;
    if (isVisible) this.#button.textContent = { ...defaultTexts, ...this.#texts }[action];
    // Hiding the button would move the focus to the start of the page.
    if (!isVisible && this.shadowRoot!.activeElement === this.#button)
      this.#status.focus({ preventScroll: true });
    this.#button.hidden = !isVisible;
  }
}

/**
 * Registers the custom element. The import registers nothing. If the name is already registered, for
 * example by another part of the page, this does nothing.
 */
export function definePortalEmbed(name = 'portal-embed'): void {
  // A constructor defines one name only.
  if (!customElements.get(name)) customElements.define(name, class extends Element {});
}
