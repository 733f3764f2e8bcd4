import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import { Builder, By, Capabilities, Key, Origin, until } from 'selenium-webdriver';
import type { WebDriver, WebElement } from 'selenium-webdriver';

import { findFreePort } from '../free-port.ts';
import { send } from '../localhost.ts';
import type { Engine, EnginePage } from './engine.ts';

const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** Starts the system's WebKitGTK through selenium-webdriver, on its own virtual display. */
export async function startWebKit(): Promise<Engine> {
  const display = await startDisplay();
  const port = await findFreePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: display.name,
      NO_AT_BRIDGE: '1',
      LC_ALL: 'en_US.UTF-8',
      // WebKitGTK has no constructor without this option, unlike Safari.
      JSC_useSharedArrayBuffer: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const server = `http://127.0.0.1:${port}`;
  await waitForServer(`${server}/status`, driver);
  return {
    openPage: () => openPage(server),
    async close() {
      await stop(driver);
      await stop(display.process);
    },
  };
}

/** Starts a virtual display on a free number. */
async function startDisplay() {
  // Without `-noreset` the display restarts when a browser ends, and the next one may find none.
  const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-noreset'];
  const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = (await once(child.stdio[3] as Readable, 'data')) as [Buffer];
  return { process: child, name: `:${String(number).trim()}` };
}

async function waitForServer(url: string, server: ChildProcess) {
  for (;;) {
    if (server.exitCode !== null) throw new Error('WebKitWebDriver ended. Read its output above.');
    const answer = await send(url).catch(() => undefined);
    if (answer?.status === 200) return;
    await setTimeout(20);
  }
}

async function stop(child: ChildProcess) {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Runs in the page. */
const findFrame = () => {
  const trees = Array.from(document.querySelectorAll('portal-embed'), (each) => each.shadowRoot);
  return [document, ...trees].map((tree) => tree?.querySelector('iframe')).find(Boolean);
};

const keys = {
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Backspace: Key.BACK_SPACE,
  Delete: Key.DELETE,
  Tab: Key.TAB,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowRight: Key.ARROW_RIGHT,
  ArrowUp: Key.ARROW_UP,
  ArrowDown: Key.ARROW_DOWN,
  z: 'z',
};

const modifiers = { Alt: Key.ALT, Control: Key.CONTROL, Shift: Key.SHIFT };

const pointAt = (session: WebDriver, x: number, y: number) =>
  session.actions().move({ origin: Origin.VIEWPORT, x: Math.round(x), y: Math.round(y) });

/** Opens a page in a new session, which has a fresh profile. */
async function openPage(server: string): Promise<EnginePage> {
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': {
      binary: process.env['WEBKIT_PATH'] ?? miniBrowser,
      args: ['--automation'],
    },
  });
  const session = await new Builder().usingServer(server).withCapabilities(capabilities).build();
  // A script never ends if its document is replaced meanwhile.
  await session.manage().setTimeouts({ script: 5_000 });
  return createPage(session, { handle: await session.getWindowHandle() });
}

/** The page of a window. A session runs its commands in one window at a time, the selected one. */
function createPage(session: WebDriver, selected: { handle: string }): EnginePage {
  const { handle } = selected;
  const select = async () => {
    // Selecting moves the focus, even if the window is already selected.
    if (selected.handle !== handle) await session.switchTo().window(handle);
    selected.handle = handle;
  };
  const run = (script: unknown, args: unknown[] = []) =>
    session.executeScript(`return (${String(script)})(...arguments)`, ...args);
  return {
    async open(url) {
      await select();
      await session.get(url);
    },
    async evaluate(script, ...args) {
      await select();
      return (await run(script, args)) as never;
    },
    async evaluateInFrame(script, ...args) {
      await select();
      const frame = (await run(findFrame)) as WebElement | null;
      if (!frame) throw new Error('The page has no frame.');
      await session.switchTo().frame(frame);
      try {
        return (await run(script, args)) as never;
      } finally {
        await session.switchTo().defaultContent();
      }
    },
    async click(selector) {
      await select();
      await session.wait(until.elementLocated(By.css(selector))).click();
    },
    async clickAt(x, y) {
      await select();
      await pointAt(session, x, y).click().perform();
    },
    async type(text) {
      await select();
      await session.actions().sendKeys(text).perform();
    },
    async press(key, modifier) {
      await select();
      const actions = session.actions();
      if (modifier) actions.keyDown(modifiers[modifier]);
      actions.keyDown(keys[key]).keyUp(keys[key]);
      if (modifier) actions.keyUp(modifiers[modifier]);
      await actions.perform();
    },
    async drag(from, to) {
      await select();
      const actions = pointAt(session, from.x, from.y).press();
      const steps = 12;
      for (let step = 1; step <= steps; step += 1)
        actions.move({
          origin: Origin.VIEWPORT,
          x: Math.round(from.x + ((to.x - from.x) * step) / steps),
          y: Math.round(from.y + ((to.y - from.y) * step) / steps),
          duration: 20,
        });
      await actions.release().perform();
    },
    async back() {
      await select();
      await session.navigate().back();
    },
    async openedPage() {
      selected.handle = (await session.getAllWindowHandles()).at(-1)!;
      await session.switchTo().window(selected.handle);
      return createPage(session, selected);
    },
    close: () => session.quit(),
  };
}
