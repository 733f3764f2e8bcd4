import { DirectionProvider, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Route, Router, Switch } from 'wouter';

import { AdminError } from './api/admin-error.ts';
import { SignedIn } from './layout/SignedIn.tsx';
import { FormatsContext, type Formats } from './messages/messages.ts';
import { Invitation } from './sign-in/Invitation.tsx';
import { ProviderConfirmation } from './sign-in/ProviderConfirmation.tsx';
import { ProviderReturn } from './sign-in/ProviderReturn.tsx';
import { adminTheme, adminVariables } from './styles/theme.ts';

/** Retries only requests without an answer, because a refusal would be repeated. */
const shouldRetry = (failures: number, error: Error) =>
  failures < 2 && error instanceof AdminError && error.code === 'unreachable';

/** When a request is refused because the session has ended, the page reloads the identity and shows the sign-in. */
function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof AdminError && error.code === 'sign_in_required')
      void client.invalidateQueries({ queryKey: ['readIdentity'] });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => queryKey[0] !== 'readIdentity' && onError(error),
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: shouldRetry, staleTime: 5_000 } },
  });
  return client;
}

/** @param nonce the policy's nonce for the styles that Mantine adds */
export function AdminApp({ formats, nonce }: { formats: Formats; nonce: string }) {
  const [client] = useState(createQueryClient);
  return (
    // Mantine follows the direction of the document only inside its provider.
    <DirectionProvider>
      <MantineProvider
        theme={adminTheme}
        cssVariablesResolver={adminVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <FormatsContext value={formats}>
          <QueryClientProvider client={client}>
            <Notifications position="bottom-right" />
            <Router base="/admin">
              <Switch>
                <Route path="/invitation" component={Invitation} />
                <Route path="/oidc" component={ProviderReturn} />
                <Route path="/oidc/confirm" component={ProviderConfirmation} />
                <Route component={SignedIn} />
              </Switch>
            </Router>
          </QueryClientProvider>
        </FormatsContext>
      </MantineProvider>
    </DirectionProvider>
  );
}
