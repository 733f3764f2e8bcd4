import type { CallOptions } from './call.ts';
import type { PortalClient } from './client.ts';
import { PortalApiError } from './errors.ts';
import { applyStep } from './provision-user.ts';
import { copyState, planSync } from './user-state.ts';
import type { Difference, SyncStep, UserState } from './user-state.ts';

export interface SyncOptions {
  /** Returns the plan and changes nothing. Default: false. */
  dryRun?: boolean | undefined;
  /** Users or roles per page. Larger pages need fewer calls. Default: the portal's page size. */
  pageSize?: number | undefined;
  /**
   * Called after each step that succeeded, failed, or was skipped because its user could not be
   * created.
   */
  onProgress?: ((progress: { done: number; total: number; step: SyncStep }) => void) | undefined;
  /** Ends the synchronization. Completed steps are not reverted. */
  signal?: AbortSignal | undefined;
}

export interface SyncResult {
  /** The completed steps, or with `dryRun` the planned ones. */
  steps: SyncStep[];
  /** The failed steps. A failed step does not stop the others. */
  failures: { step: SyncStep; error: PortalApiError }[];
  /** Differences that the API cannot change. */
  differences: Difference[];
}

/**
 * Brings users to their declared states with the fewest calls. It does not change users who are not
 * in the list. It cannot remove a report that a user has through a group, so each run tries again.
 *
 * @throws PortalApiError if reading fails or the signal aborts.
 * @throws TypeError if the list contains different states for one user.
 */
export async function syncUsers(
  client: PortalClient,
  declared: readonly UserState[],
  { dryRun = false, pageSize, onProgress, signal }: SyncOptions = {},
): Promise<SyncResult> {
  const options: CallOptions = { signal };
  const wanted = declared.map(copyState);
  const declaresRoles = wanted.some(({ rlsRoles }) => rlsRoles !== undefined);
  const [users, roles] = await Promise.all([
    collect(client.users.iterate({ pageSize }, options)),
    declaresRoles ? collect(client.rls.iterate({ pageSize }, options)) : [],
  ]);
  const { steps: planned, differences } = planSync(wanted, { users, roles });
  if (dryRun) return { steps: planned, failures: [], differences };

  const steps: SyncStep[] = [];
  const failures: SyncResult['failures'] = [];
  const missing = new Set<string>();
  for (const [index, each] of planned.entries()) {
    const step = removeUsers(each, missing);
    try {
      if (step) {
        await applyStep(client, step, options);
        steps.push(step);
      }
    } catch (error) {
      if (!(error instanceof PortalApiError) || signal?.aborted) throw error;
      failures.push({ step: step!, error });
      if (step?.kind === 'create-user' && error.code !== 'user_exists') missing.add(step.email);
    }
    onProgress?.({ done: index + 1, total: planned.length, step: step ?? each });
  }
  return { steps, failures, differences };
}

/** Removes users who could not be created, because they would make the whole call fail. */
function removeUsers(step: SyncStep, missing: ReadonlySet<string>): SyncStep | undefined {
  if (!('emails' in step)) return missing.has(step.email) ? undefined : step;
  const emails = step.emails.filter((email) => !missing.has(email));
  return emails.length === 0 ? undefined : { ...step, emails };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
