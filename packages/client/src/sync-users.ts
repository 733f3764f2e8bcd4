import type { CallOptions } from './call.ts';
import type { PortalClient } from './client.ts';
import { PortalApiError } from './errors.ts';
import { takeStep } from './provision-user.ts';
import { planSync, readState } from './user-state.ts';
import type { Difference, SyncStep, UserState } from './user-state.ts';

export interface SyncOptions {
  /** Reads and plans, and changes nothing. Default false. */
  dryRun?: boolean | undefined;
  /** How many users and roles a page holds; a larger one saves calls. Default: the portal's own. */
  pageSize?: number | undefined;
  /**
   * Called after each step that was taken, failed, or was left out because it was for a user who
   * could not be created.
   */
  onProgress?: ((progress: { done: number; total: number; step: SyncStep }) => void) | undefined;
  /** Ends the synchronization; the steps taken so far stay. */
  signal?: AbortSignal | undefined;
}

export interface SyncResult {
  /** What was done, or with `dryRun` what would be. */
  steps: SyncStep[];
  /** Steps that failed, each with its error; the others were taken nevertheless. */
  failures: { step: SyncStep; error: PortalApiError }[];
  /** What the API cannot change. */
  differences: Difference[];
}

/**
 * Brings users to their declared states with the fewest calls; run again, it has nothing to do.
 * Users who are not in the list are left alone. A report that a user has through a group is not
 * taken away; the attempt is repeated by each run.
 *
 * @throws PortalApiError if the portal cannot be read, or the signal fires.
 * @throws TypeError if a user is declared twice, and differently.
 */
export async function syncUsers(
  client: PortalClient,
  declared: readonly UserState[],
  { dryRun = false, pageSize, onProgress, signal }: SyncOptions = {},
): Promise<SyncResult> {
  const options: CallOptions = { signal };
  const wanted = declared.map(readState);
  const needsRoles = wanted.some(({ rlsRoles }) => rlsRoles !== undefined);
  const [users, roles] = await Promise.all([
    collect(client.users.iterate({ pageSize }, options)),
    needsRoles ? collect(client.rls.iterate({ pageSize }, options)) : [],
  ]);
  const { steps: planned, differences } = planSync(wanted, { users, roles });
  if (dryRun) return { steps: planned, failures: [], differences };

  const steps: SyncStep[] = [];
  const failures: SyncResult['failures'] = [];
  const absent = new Set<string>();
  for (const [index, each] of planned.entries()) {
    const step = withoutUsers(each, absent);
    try {
      if (step) {
        await takeStep(client, step, options);
        steps.push(step);
      }
    } catch (error) {
      if (!(error instanceof PortalApiError) || signal?.aborted) throw error;
      failures.push({ step: step!, error });
      if (step?.kind === 'create-user' && error.code !== 'user_exists') absent.add(step.email);
    }
    onProgress?.({ done: index + 1, total: planned.length, step: step ?? each });
  }
  return { steps, failures, differences };
}

/** One user who could not be created must not spoil a call that names many. */
function withoutUsers(step: SyncStep, absent: ReadonlySet<string>): SyncStep | undefined {
  if (!('emails' in step)) return absent.has(step.email) ? undefined : step;
  const emails = step.emails.filter((email) => !absent.has(email));
  return emails.length === 0 ? undefined : { ...step, emails };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
