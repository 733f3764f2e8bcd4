import type { CustomFilter } from '@portal-embed/contract';
import { areFilters } from '@portal-embed/contract/frame';

import { call, createEmbed } from './core/embed.ts';
import type { EmbedHandle } from './core/embed.ts';
import { createEmbedError } from './core/error.ts';
import type { EmbedError } from './core/error.ts';
import type { EmbedOptions, EmbedState } from './core/options.ts';
import { defaultTexts, pickView } from './texts.ts';
import type { EmbedTexts } from './texts.ts';

export { createEmbedError };
export type { EmbedError, EmbedHandle, EmbedOptions, EmbedState, EmbedTexts };

/**
 * `<portal-embed>`: the same embed as an element. Attributes are the options in kebab case
 * (`report-id`, `hide-menu`). `custom-filters` is a list as JSON; what is not fails as
 * `invalid_request`.
 * Events, none of which bubbles: `ready`, `navigate`, `refresh`, `failure` and `statechange`, each
 * with its subject as `detail`; a callback among the options is called after its event. Slots: `loading`, `error`, `refused`, `signed-out`.
 */
export interface PortalEmbedElement extends HTMLElement, EmbedHandle {
  /** Options that are no attributes, such as `fetchIdentityUrl`; they win over the attributes. */
  options: EmbedOptions;
  texts: Partial<EmbedTexts>;
}

const flags = ['hide-menu', 'hide-navbar', 'hide-sidebar', 'embed', 'lazy', 'auto-height'];
const numbers = ['refresh-interval', 'max-height', 'timeout'];
const words = ['endpoint', 'report-id', 'title', 'theme', 'handshake'];

const toCamelCase = (name: string) =>
  name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const refuseFilters = (what: string) =>
  createEmbedError(
    'invalid_request',
    `custom-filters is ${what}. Write a list such as [{"key":"Region","value":"West"}].`,
  );

const readFilters = (text: string): CustomFilter[] => {
  let filters: unknown;
  try {
    filters = JSON.parse(text);
  } catch (error) {
    throw refuseFilters(`no JSON (${(error as Error).message})`);
  }
  if (areFilters(filters)) return filters;
  throw refuseFilters('no list of filters, each with a key and a value in quotes');
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
  :host([data-portal-embed^=re]) #cover { opacity: 0; }
  button { font: inherit; }`;

// Of the frame, which the embed gives the height of its content once it knows.
const autoHeightStyle = `
  :host { min-height: 0; }
  #frame { position: relative; }
  #frame:not([style]) { ${minHeight} }`;
const fixedHeightStyle = '#frame { height: auto !important; }';

/**
 * Registers `<portal-embed>`, or the name you give. Nothing is registered on import, so the module
 * can be imported on a server.
 *
 * @throws {DOMException} `NotSupportedError` if another element has the name already.
 */
export function definePortalEmbed(name = 'portal-embed'): void {
  class Element extends HTMLElement implements PortalEmbedElement {
    static readonly observedAttributes = [...flags, ...numbers, ...words, 'custom-filters'];

    #options: EmbedOptions = {};
    #texts: Partial<EmbedTexts> = {};
    #state: EmbedState = { status: 'idle' };
    #embed = createEmbed((state) => this.#show(state));
    #isConnected = false;
    #unmount: (() => void) | undefined;
    #sheet = new CSSStyleSheet();
    #frame = document.createElement('div');
    #status = document.createElement('output');
    #slot = document.createElement('slot');
    #button = document.createElement('button');

    constructor() {
      super();
      this.#dress({});
      const shadow = this.attachShadow({ mode: 'open', delegatesFocus: false });
      shadow.adoptedStyleSheets = [this.#sheet];
      const cover = document.createElement('div');
      cover.id = 'cover';
      this.#frame.id = 'frame';
      this.#button.addEventListener('click', this.refresh);
      // Told of a changed text too, so it may change none.
      this.#slot.addEventListener('slotchange', () => this.#drawButton());
      this.#status.append(this.#slot);
      this.#status.tabIndex = -1;
      cover.append(this.#status, this.#button);
      shadow.append(cover, this.#frame);
      this.#draw();
      // What was set before this class was there hides its accessors.
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
      this.#draw();
    }
    get iframe() {
      return this.#embed.iframe;
    }
    refresh = () => this.#embed.refresh();
    setFilters: EmbedHandle['setFilters'] = (filters) => this.#embed.setFilters(filters);

    connectedCallback() {
      this.#isConnected = true;
      this.#update();
    }
    disconnectedCallback() {
      this.#isConnected = false;
      this.#end();
    }
    /** Keeps the frame as it is in a `moveBefore`, which would else be a disconnection. */
    connectedMoveCallback() {}
    attributeChangedCallback() {
      this.#update();
    }

    #listeners(): EmbedOptions {
      const { onReady, onNavigate, onRefresh, onError, onStateChange } = this.#options;
      const tell =
        <Detail>(type: string, callback: ((detail: Detail) => void) | undefined) =>
        (detail: Detail) => {
          this.dispatchEvent(new CustomEvent(type, { detail }));
          callback?.(detail);
        };
      return {
        onReady: tell('ready', onReady),
        onNavigate: tell('navigate', onNavigate),
        onRefresh: tell('refresh', onRefresh),
        onError: tell('failure', onError),
        onStateChange: tell('statechange', onStateChange),
      };
    }

    #update() {
      if (!this.#isConnected) return;
      let attributes: EmbedOptions;
      try {
        attributes = readAttributes(this);
      } catch (thrown) {
        const error = thrown as EmbedError;
        // Told once, whatever other attributes change until it is corrected.
        if (this.#unmount || this.#state.error?.message !== error.message) {
          this.#end();
          this.#refuse(error);
        }
        return;
      }
      const options = { ...attributes, ...this.#options, ...this.#listeners() };
      this.#dress(options);
      this.#embed.update(options);
      this.#unmount ??= this.#embed.mount(this.#frame);
    }

    #end() {
      this.#unmount?.();
      this.#unmount = undefined;
      this.#show({ status: 'idle' });
    }

    #show(state: EmbedState) {
      this.#state = state;
      this.dataset['portalEmbed'] = state.status;
      this.#draw();
    }

    /** Fails by itself: there is nothing to ask for before an attribute is corrected. */
    #refuse(error: EmbedError) {
      const state = { status: 'failed', error } as const;
      const { onStateChange, onError } = this.#listeners();
      this.#show(state);
      void call(onStateChange, state);
      void call(onError, error);
    }

    #dress({ theme, autoHeight }: EmbedOptions) {
      this.#sheet.replaceSync(
        style +
          (theme === 'light' || theme === 'dark' ? `:host { color-scheme: ${theme}; }` : '') +
          (autoHeight ? autoHeightStyle : fixedHeightStyle),
      );
    }

    #draw() {
      const { error } = this.#state;
      const texts = { ...defaultTexts, ...this.#texts };
      const view = pickView(this.#state);
      this.#slot.name = view === 'signedOut' ? 'signed-out' : view;
      this.#slot.textContent = error && !this.#unmount ? error.message : texts[view];
      this.#button.textContent = texts.retry;
      this.#drawButton();
    }

    /** Where a slot says nothing, and another try is not for nothing. */
    #drawButton() {
      const isOffered =
        this.#state.error && this.#unmount && this.#slot.assignedElements().length === 0;
      // The focus of a button that goes would be lost to the beginning of the page.
      if (!isOffered && this.shadowRoot!.activeElement === this.#button)
        this.#status.focus({ preventScroll: true });
      this.#button.hidden = !isOffered;
    }
  }
  customElements.define(name, Element);
}
