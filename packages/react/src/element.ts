import { createEmbed } from './core/embed.ts';
import type { EmbedHandle } from './core/embed.ts';
import type { EmbedOptions, EmbedState } from './core/options.ts';
import { defaultTexts, pickView } from './texts.ts';
import type { EmbedTexts } from './texts.ts';

export { createEmbedError } from './core/error.ts';
export type { EmbedError } from './core/error.ts';
export type { EmbedHandle, EmbedOptions, EmbedState, EmbedTexts };

/**
 * `<portal-embed>`: the same embed as an element. Attributes are the options in kebab case
 * (`report-id`, `hide-menu`, `custom-filters` as JSON). Events, none of which bubbles: `ready`,
 * `navigate`, `refresh`, `failure` and `statechange`, each with its subject as `detail`. Slots:
 * `loading`, `error`, `refused`, `signed-out`.
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
    ...(filters && { customFilters: JSON.parse(filters) as EmbedOptions['customFilters'] }),
  };
};

const style = `
  :host { display: block; position: relative; min-height: var(--portal-embed-min-height, 24rem); }
  :host([theme=light]) { color-scheme: light; }
  :host([theme=dark]) { color-scheme: dark; }
  :host([theme=auto]) { color-scheme: light dark; }
  #frame { position: absolute; inset: 0; }
  #frame:empty { pointer-events: none; }
  :host([auto-height]) #frame { position: relative; min-height: inherit; }
  #cover {
    position: absolute; inset: 0; display: grid; place-content: center; gap: 1rem;
    color: var(--portal-embed-color, CanvasText); background: var(--portal-embed-background, Canvas);
  }
  :host([data-portal-embed^=re]) #cover { opacity: 0; }
  button { font: inherit; }`;

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
    #embed = createEmbed((state) => {
      this.#state = state;
      this.dataset['portalEmbed'] = state.status;
      this.#draw();
    });
    #unmount: (() => void) | undefined;
    #frame = document.createElement('div');
    #status = document.createElement('output');
    #slot = document.createElement('slot');
    #button = document.createElement('button');

    constructor() {
      super();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      const shadow = this.attachShadow({ mode: 'open', delegatesFocus: false });
      shadow.adoptedStyleSheets = [sheet];
      const cover = document.createElement('div');
      cover.id = 'cover';
      this.#frame.id = 'frame';
      this.#button.addEventListener('click', this.refresh);
      this.#status.append(this.#slot);
      cover.append(this.#status, this.#button);
      shadow.append(cover, this.#frame);
      this.#draw();
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
      this.#unmount = this.#embed.mount(this.#frame, this.#read());
    }
    disconnectedCallback() {
      this.#unmount?.();
      this.#unmount = undefined;
    }
    /** Keeps the frame as it is in a `moveBefore`, which would else be a disconnection. */
    connectedMoveCallback() {}
    attributeChangedCallback() {
      this.#update();
    }

    #read(): EmbedOptions {
      const tell = (type: string) => (detail: unknown) => {
        this.dispatchEvent(new CustomEvent(type, { detail }));
      };
      return {
        ...readAttributes(this),
        onReady: tell('ready'),
        onNavigate: tell('navigate'),
        onRefresh: tell('refresh'),
        onError: tell('failure'),
        onStateChange: tell('statechange'),
        ...this.#options,
      };
    }

    #update() {
      if (this.#unmount) this.#embed.update(this.#read());
    }

    #draw() {
      const texts = { ...defaultTexts, ...this.#texts };
      const view = pickView(this.#state);
      this.#slot.name = view === 'signedOut' ? 'signed-out' : view;
      this.#slot.textContent = texts[view];
      this.#button.textContent = texts.retry;
      this.#button.hidden = !this.#state.error || this.#slot.assignedElements().length > 0;
    }
  }
  customElements.define(name, Element);
}
