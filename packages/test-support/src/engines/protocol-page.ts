import type { EngineKey, EnginePage } from './engine.ts';

interface Credentials {
  username: string;
  password: string;
}

interface Target {
  evaluate: (expression: string) => Promise<unknown>;
}

/** The methods that pages of playwright and puppeteer share. */
interface ProtocolPage extends Target {
  goto: (url: string) => Promise<unknown>;
  waitForSelector: (selector: string) => Promise<unknown>;
  click: (selector: string) => Promise<void>;
  frames: () => Target[];
  /** Only puppeteer has it. */
  authenticate?: (credentials: Credentials) => Promise<void>;
  mouse: {
    move: (x: number, y: number, options?: { steps: number }) => Promise<void>;
    click: (x: number, y: number) => Promise<void>;
    down: () => Promise<void>;
    up: () => Promise<void>;
  };
  keyboard: {
    type: (text: string) => Promise<void>;
    press: (key: EngineKey) => Promise<void>;
  } & Record<'down' | 'up', (key: 'Alt' | 'Control' | 'Shift') => Promise<void>>;
}

interface ProtocolBrowser {
  /** Only playwright has it. */
  setHTTPCredentials?: (credentials: Credentials) => Promise<void>;
  newPage: () => Promise<ProtocolPage>;
  pages: () => ProtocolPage[] | Promise<ProtocolPage[]>;
  close: () => Promise<void>;
}

/** Opens a page in a browser context, which the page owns. */
export async function openProtocolPage(context: ProtocolBrowser): Promise<EnginePage> {
  return createPage(context, await context.newPage());
}

function createPage(context: ProtocolBrowser, page: ProtocolPage): EnginePage {
  const runIn =
    (findTarget: () => Target | undefined): EnginePage['evaluate'] =>
    async (script, ...args) => {
      const target = findTarget();
      if (!target) throw new Error('The page has no frame.');
      return (await target.evaluate(`(${String(script)})(...${JSON.stringify(args)})`)) as never;
    };
  return {
    open: async (url) => void (await page.goto(url)),
    evaluate: runIn(() => page),
    evaluateInFrame: runIn(() => page.frames()[1]),
    evaluateAt: (depth) => runIn(() => page.frames()[depth]),
    async click(selector) {
      await page.waitForSelector(selector);
      await page.click(selector);
    },
    async clickAt(x, y) {
      await page.mouse.move(x, y);
      await page.mouse.click(x, y);
    },
    type: (text) => page.keyboard.type(text),
    async press(key, modifier) {
      if (modifier) await page.keyboard.down(modifier);
      await page.keyboard.press(key);
      if (modifier) await page.keyboard.up(modifier);
    },
    async drag(from, to) {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 12 });
      await page.mouse.up();
    },
    // Puppeteer does not notice a return through Firefox's back/forward cache.
    back: async () => void (await page.evaluate('void setTimeout(() => history.back())')),
    async failAuthentication() {
      const credentials = { username: 'reader', password: 'wrong' };
      await page.authenticate?.(credentials);
      await context.setHTTPCredentials?.(credentials);
    },
    openedPage: async () => createPage(context, (await context.pages()).at(-1)!),
    close: () => context.close(),
  };
}
