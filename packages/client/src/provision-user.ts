import type { CallOptions } from './call.ts';
import type { PortalClient } from './client.ts';
import { PortalApiError } from './errors.ts';
import { hasUser } from './has-user.ts';
import { planSync, readState } from './user-state.ts';
import type { SyncStep, UserState } from './user-state.ts';

/**
 * Brings a user whom the portal does not know to a declared state: one call to create, one for each
 * role, one for all reports. If a later call fails the user is deleted again, so that the next try
 * begins anew, but only if the portal has confirmed that this call created them. If it has not,
 * or if deleting fails, the user may be there with less than was declared, and the error says so in
 * `leftBehind`: then provision the user again.
 *
 * Several processes may provision one user at the same time: each makes the calls, and they come to
 * the same.
 *
 * @throws PortalApiError of the call that failed.
 */
export async function provisionUser(
  client: PortalClient,
  wanted: UserState,
  options: CallOptions = {},
): Promise<void> {
  const state = readState(wanted);
  const [creation, ...steps] = planSync([state], { users: [], roles: [] }).steps;
  const provision = async (isRepeated: boolean): Promise<void> => {
    const origin = await createUser(client, creation as UserState, options);
    try {
      for (const step of steps) await takeStep(client, step, options);
    } catch (error) {
      // Whoever created the user has failed and deleted them, as we would have done.
      if (origin === 'existed' && !isRepeated && isGone(error)) return provision(true);
      if (origin !== 'created') throw leavingBehind(error);
      // Not under the signal: it may be what has ended the calls.
      const undoing = { requestId: options.requestId };
      await client.users.delete({ userEmail: state.email }, undoing).catch(() => {
        throw leavingBehind(error);
      });
      throw error;
    }
  };
  await provision(false);
}

// A list that names an unknown user is refused with 422, and so is one with an unknown report.
function isGone(error: unknown): boolean {
  return error instanceof PortalApiError && (error.status === 404 || error.status === 422);
}

/** Whether the user is ours to take back. */
type Origin = 'created' | 'existed' | 'unknown';

async function createUser(
  client: PortalClient,
  { email, name, role }: UserState,
  options: CallOptions,
): Promise<Origin> {
  try {
    await client.users.create({ email, name, role }, options);
    return 'created';
  } catch (error) {
    if (!(error instanceof PortalApiError)) throw error;
    if (error.code === 'user_exists') return 'existed';
    // The request may have arrived and only its answer been lost, or somebody else was faster.
    const mayExist =
      error.retryable || error.code === 'aborted' || error.code === 'portal_answer_invalid';
    if (!mayExist) throw error;
    if (await hasUser(client, email, options).catch(() => false)) return 'unknown';
    // Not there yet does not say that the request will not be carried out.
    throw leavingBehind(error);
  }
}

function leavingBehind(error: unknown): unknown {
  if (!(error instanceof PortalApiError)) return error;
  const { code, message, status, codeFromStatus, requestId, retryAfterSeconds, errors } = error;
  const fields = { status, codeFromStatus, requestId, retryAfterSeconds, errors, leftBehind: true };
  return new PortalApiError(
    code,
    `${message} The user may be left half provisioned: provision them once more.`,
    fields,
  );
}

/** Makes the call of a step. */
export async function takeStep(
  client: PortalClient,
  step: SyncStep,
  options: CallOptions,
): Promise<void> {
  switch (step.kind) {
    case 'create-user': {
      const { email, name, role } = step;
      await client.users.create({ email, name, role }, options);
      return;
    }
    case 'link-role':
    case 'unlink-role': {
      const { datasetId, role, emails: usersEmails } = step;
      const method = step.kind === 'link-role' ? client.rls.linkUsers : client.rls.unlinkUsers;
      await method({ usersEmails, datasetId, role }, options);
      return;
    }
    case 'link-reports':
    case 'unlink-reports': {
      const { email: userEmail, reports } = step;
      const { linkReports, unlinkReports } = client.users;
      await (step.kind === 'link-reports' ? linkReports : unlinkReports)(
        { userEmail, reports },
        options,
      );
    }
  }
}
