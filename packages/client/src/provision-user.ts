import type { CallOptions } from './call.ts';
import type { PortalClient } from './client.ts';
import { PortalApiError } from './errors.ts';
import { hasUser } from './has-user.ts';
import { copyState, pickNewUser, planSync } from './user-state.ts';
import type { SyncStep, UserState } from './user-state.ts';

/**
 * Creates a user in a declared state: one call for the user, one per role and one for all reports.
 * If a later call fails, it deletes the user, but only if the portal has confirmed that this call
 * created them. If the user may remain incomplete, the error has `leftBehind`: provision them again.
 *
 * Several processes may provision the same user at the same time, because every call can be repeated.
 *
 * @throws PortalApiError if a call fails.
 */
export async function provisionUser(
  client: PortalClient,
  wanted: UserState,
  options: CallOptions = {},
): Promise<void> {
  const state = copyState(wanted);
  const [_creation, ...steps] = planSync([state], { users: [], roles: [] }).steps;
  const provision = async (isRepeated: boolean): Promise<void> => {
    const origin = await createUser(client, state, options);
    try {
      for (const step of steps) await applyStep(client, step, options);
    } catch (error) {
      // Another process has created the user, failed and deleted them.
      if (origin === 'existed' && !isRepeated && isUserMissing(error)) return provision(true);
      if (origin !== 'created') throw markLeftBehind(error);
      // Without the signal: if it has aborted, the user must still be deleted.
      const deleteOptions = { requestId: options.requestId };
      await client.users.delete({ userEmail: state.email }, deleteOptions).catch(() => {
        throw markLeftBehind(error);
      });
      throw error;
    }
  };
  await provision(false);
}

// Calls with a list answer 422 to an unknown user, but also to an unknown report.
function isUserMissing(error: unknown): boolean {
  return error instanceof PortalApiError && (error.status === 404 || error.status === 422);
}

/** Whether this call created the user and may delete them. */
type Origin = 'created' | 'existed' | 'unknown';

async function createUser(
  client: PortalClient,
  state: UserState,
  options: CallOptions,
): Promise<Origin> {
  try {
    await client.users.create(pickNewUser(state), options);
    return 'created';
  } catch (error) {
    if (!(error instanceof PortalApiError)) throw error;
    if (error.code === 'user_exists') return 'existed';
    // The request may have succeeded without an answer, or another process was faster.
    const mayExist =
      error.retryable || error.code === 'aborted' || error.code === 'portal_answer_invalid';
    if (!mayExist) throw error;
    if (await hasUser(client, state.email, options).catch(() => false)) return 'unknown';
    // The portal may still execute the request.
    throw markLeftBehind(error);
  }
}

function markLeftBehind(error: unknown): unknown {
  if (!(error instanceof PortalApiError)) return error;
  const { code, message, status, codeFromStatus, requestId, retryAfterSeconds, errors, endpoint } =
    error;
  return new PortalApiError(code, `${message} The user may be incomplete. Provision them again.`, {
    status,
    codeFromStatus,
    requestId,
    retryAfterSeconds,
    errors,
    endpoint,
    leftBehind: true,
  });
}

export async function applyStep(
  client: PortalClient,
  step: SyncStep,
  options: CallOptions,
): Promise<void> {
  switch (step.kind) {
    case 'create-user':
      await client.users.create(pickNewUser(step), options);
      return;
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
