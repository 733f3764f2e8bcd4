import type { RequestListener } from 'node:http';

import type { SequenceStage } from './sequence-stage.ts';

interface PortalPage {
  say: (message: unknown) => void;
  openId?: number;
}

export interface Step {
  /** How often the step is chosen, relative to the others. */
  weight: number;
  /** The step needs a mounted embed. */
  needsMount?: boolean;
  run: (stage: SequenceStage, random: () => number) => Promise<unknown>;
}

export const pick = <Value>(values: readonly Value[], random: () => number): Value =>
  values[Math.floor(random() * values.length)]!;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const endSession = () => {
  const { say, openId } = window as unknown as PortalPage;
  say({ type: 'session-required', ...(openId && { id: openId }), reason: 'session-ended' });
};

/** Answers that are not from the host endpoint. */
const foreignAnswers: RequestListener[] = [
  ...[200, 401, 404, 429, 503].map(
    (status): RequestListener =>
      (_, response) =>
        response.writeHead(status, { 'content-type': 'text/html' }).end('<p>Page</p>'),
  ),
  ...['/sign-in', 'http://closed.localhost:9/'].map(
    (location): RequestListener =>
      (_, response) =>
        response.writeHead(307, { location }).end(),
  ),
  (request) => request.socket.resetAndDestroy(),
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{', () => response.destroy());
  },
];

const chooseFilters = (random: () => number) => pick([undefined, 'west', 'east'], random);
const toFilters = (value: string | undefined) => (value ? [{ key: 'Region', value }] : undefined);

/** Actions of hosts, readers, networks and operators that affect an embed. */
export const steps: Record<string, Step> = {
  pause: { weight: 4, run: (_, random) => pause(random() * 120) },
  settle: {
    weight: 3,
    needsMount: true,
    async run(stage) {
      const end = Date.now() + 600;
      while ((await stage.readOutcome()) === undefined && Date.now() < end) await pause(10);
    },
  },
  mount: { weight: 3, run: (stage) => stage.render() },
  unmount: { weight: 1, needsMount: true, run: (stage) => stage.unmount() },
  remount: {
    weight: 1,
    needsMount: true,
    run(stage) {
      stage.key++;
      stage.ownFilters = undefined;
      return stage.render();
    },
  },
  'change the report': {
    weight: 3,
    run: (stage, random) => stage.changeProps({ reportId: pick(['a', 'b', 'c'], random) }),
  },
  'change a flag': {
    weight: 1,
    run: (stage) => stage.changeProps({ hideMenu: !stage.props.hideMenu }),
  },
  'change the filters': {
    weight: 2,
    run: (stage, random) => stage.changeProps({ customFilters: toFilters(chooseFilters(random)) }),
  },
  'set filters': {
    weight: 2,
    needsMount: true,
    async run(stage, random) {
      const filters = toFilters(chooseFilters(random)) ?? [];
      stage.ownFilters = filters;
      await stage.page.evaluate((set) => window.app.handle!.setFilters(set), filters);
    },
  },
  refresh: { weight: 2, needsMount: true, run: (stage) => stage.refresh() },
  'go offline': { weight: 1, run: (stage) => stage.setOffline(true) },
  'go online': { weight: 2, run: (stage) => stage.setOffline(false) },
  hide: { weight: 1, run: (stage) => stage.setHidden(true) },
  show: { weight: 2, run: (stage) => stage.setHidden(false) },
  'move the frame': {
    weight: 1,
    needsMount: true,
    run: (stage) =>
      stage.page.evaluate(() => {
        const iframe = (window.app.place ?? document).querySelector('iframe');
        iframe?.parentElement!.append(iframe);
      }),
  },
  'move the embed': {
    weight: 1,
    run: (stage) =>
      stage.page.evaluate(() => {
        const box = document.createElement('section');
        const { place } = window.app;
        (place?.ownerDocument ?? document).body.append(box);
        box.append(place ?? document.querySelector('#root')!);
      }),
  },
  'reload the frame': {
    weight: 1,
    needsMount: true,
    run: (stage) => stage.inFrame(() => location.reload()),
  },
  'end the session': { weight: 1, needsMount: true, run: (stage) => stage.inFrame(endSession) },
  'sign out': {
    weight: 0.5,
    async run(stage) {
      stage.user = undefined;
      await stage.inFrame(endSession);
    },
  },
  'sign in': { weight: 1, run: (stage, random) => stage.signIn(pick(['anna', 'ben'], random)) },
  'let a middleware answer': {
    weight: 1,
    async run(stage, random) {
      stage.middleware = pick(foreignAnswers, random);
    },
  },
  'remove the middleware': {
    weight: 2,
    async run(stage) {
      stage.middleware = undefined;
    },
  },
  'stop the portal': { weight: 1, run: (stage) => stage.breakPortal() },
  'start the portal': { weight: 2, run: (stage) => stage.restartPortal() },
  'restart the portal': {
    weight: 1,
    async run(stage) {
      await stage.breakPortal();
      await stage.restartPortal();
    },
  },
  'add or remove the shell': {
    weight: 0.5,
    async run({ portal }) {
      portal.hasShell = !portal.hasShell;
    },
  },
};

/** Chooses a step that is possible, by weight. */
export function chooseStep({ isMounted }: SequenceStage, random: () => number): string {
  const possible = Object.entries(steps).filter(([, step]) => isMounted || !step.needsMount);
  let at = random() * possible.reduce((sum, [, { weight }]) => sum + weight, 0);
  const [name] = possible.find(([, { weight }]) => (at -= weight) < 0)!;
  return name;
}
