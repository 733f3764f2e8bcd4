import { launchHeadless } from 'test-support';
import { chooseRepetitions } from 'test-support/repetitions';
import { createRandom, readSeed } from 'test-support/seed';
import { expect, it } from 'vitest';

import { openSequenceStage } from './sequence-stage.ts';
import type { SequenceStage } from './sequence-stage.ts';
import { chooseStep, pick, steps } from './sequence-steps.ts';
import { bundle } from './sites.ts';

const seed = readSeed();
const sequences = chooseRepetitions(8, 1_000);
/** A sequence mostly waits, so several run at once. */
const stagesAtOnce = 4;
const outcomeTimeoutMs = 15_000;

/** Waits until the outcome stays the same. */
async function waitForOutcome(stage: SequenceStage, accept: (outcome: string) => boolean) {
  const end = Date.now() + outcomeTimeoutMs;
  let previous: string | undefined;
  for (;;) {
    const outcome = await stage.readOutcome();
    const isLasting = outcome !== undefined && outcome === previous;
    if ((isLasting && accept(outcome)) || Date.now() > end) return outcome ?? 'no outcome';
    previous = outcome;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Runs the sequence of a seed. Returns what is wrong; `undefined` if nothing is. */
async function runSequence(stage: SequenceStage, ownSeed: number): Promise<string | undefined> {
  const random = createRandom(ownSeed);
  const { page, portal, host } = stage;
  const log: string[] = [];
  const isLikely = (part: number) => random() < part;
  portal.hasShell = isLikely(0.7);
  host.frameChannel = isLikely(0.5) || undefined;
  stage.user = undefined;
  stage.isInOtherWindow = isLikely(0.3);
  stage.fixedProps = {
    strict: isLikely(0.3),
    portalUrl: isLikely(0.7) ? portal.origin : undefined,
    refreshInterval: isLikely(0.2) ? 60 : undefined,
    timeout: isLikely(0.2) ? 400 : undefined,
    lazy: isLikely(0.2),
    handshake: pick(['auto', 'required'] as const, random),
  };
  const before = await stage.begin();
  log.push(
    JSON.stringify({
      hasShell: portal.hasShell,
      isInOtherWindow: stage.isInOtherWindow,
      ...stage.fixedProps,
    }),
  );
  await stage.signIn('anna');
  const length = 4 + Math.floor(random() * 12);
  for (let count = 0; count < length; count++) {
    const name = chooseStep(stage, random);
    await steps[name]!.run(stage, random);
    const { at, state } = await page.evaluate(() => ({
      at: Math.round(performance.now()),
      state: window.app.states.at(-1),
    }));
    log.push(`${at} ms: ${name} (${state})`);
  }

  const problems: string[] = [];
  await stage.recover();
  const { expected, user } = stage;
  let outcome = await waitForOutcome(
    stage,
    (found) => found === expected || found.startsWith('failed') || !user,
  );
  log.push(`recovered: ${outcome}`);
  // A failure with a cause may stay until the reader tries again. The report of a user who has signed
  // out may stay until its next request.
  if (outcome.startsWith('failed: ') || !user) {
    await stage.refresh();
    outcome = await waitForOutcome(stage, (found) => found === expected);
  }
  if (outcome !== expected) problems.push(`${outcome} instead of: ${expected}`);
  const description = await stage.describe();
  const { violations } = await page.evaluate(() => window.sampler);
  problems.push(...violations);
  const left = await stage.findLeftovers(before);
  if (left) problems.push(`left behind: ${left}`);
  if (problems.length === 0) return undefined;
  return [
    ...problems,
    `Repeat: PORTAL_TEST_SEED=${ownSeed} PORTAL_TEST_REPETITIONS=1`,
    ...log,
    ...description,
  ].join('\n  ');
}

it(
  'after any sequence of events one report of the current user is visible, or a cause is named',
  { timeout: 60_000 + sequences * 5_000 },
  async () => {
    const scripts = {
      script: await bundle('metered-app.ts'),
      meter: await bundle('meter.ts'),
    };
    const browser = await launchHeadless();
    const problems: string[] = [];
    let next = 0;
    const runSome = async () => {
      const random = createRandom(seed);
      const stage = await openSequenceStage(() => browser.newPage(), scripts, random);
      while (next < sequences && problems.length < 5) {
        const problem = await runSequence(stage, (seed + next++) | 0);
        if (problem) problems.push(problem);
      }
      await stage.close();
    };
    try {
      await Promise.all(Array.from({ length: stagesAtOnce }, runSome));
    } finally {
      await browser.close();
    }
    expect(problems.join('\n\n')).toBe('');
  },
);
