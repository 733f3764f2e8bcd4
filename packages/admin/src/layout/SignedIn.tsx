import { Center, Loader, Modal } from '@mantine/core';

import { AdminError } from '../api/admin-error.ts';
import { useAnswer } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import { IdentityContext } from '../session/identity.ts';
import { ConfirmPassword } from '../sign-in/ConfirmPassword.tsx';
import { SignIn } from '../sign-in/SignIn.tsx';
import { OrganizationFormats } from './OrganizationFormats.tsx';
import { Shell } from './Shell.tsx';

/** The pages of a signed-in user. Without a session it shows the sign-in. */
export function SignedIn() {
  const { formatMessage } = useFormats();
  const identity = useAnswer('readIdentity', {});
  const { error } = identity;
  if (error instanceof AdminError && error.code === 'sign_in_required')
    return <SignIn notice={identity.data && formatMessage('error.sign_in_required')} />;
  if (identity.data)
    return (
      <IdentityContext value={identity.data}>
        <OrganizationFormats>
          {/* The confirmation of a sign-in covers the dialog that needs it. */}
          <Modal.Stack>
            <ConfirmPassword>
              <Shell />
            </ConfirmPassword>
          </Modal.Stack>
        </OrganizationFormats>
      </IdentityContext>
    );
  return (
    <Center mih="100vh" p="md">
      {error ? (
        <main>
          <Failure error={error} onRetry={() => void identity.refetch()} />
        </main>
      ) : (
        <Loader aria-label={formatMessage('state.loading')} />
      )}
    </Center>
  );
}
