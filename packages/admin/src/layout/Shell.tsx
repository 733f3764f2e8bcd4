import { Anchor, AppShell, Burger, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';

import { AccountPage } from '../account/AccountPage.tsx';
import { call } from '../api/call.ts';
import { useAnswer } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { useFormats } from '../messages/messages.ts';
import { useIdentity } from '../session/identity.ts';
import { navigation } from './navigation.ts';
import { NavigationGroups } from './NavigationGroups.tsx';
import { Notice } from './Notice.tsx';
import { OrganizationPages } from './OrganizationPages.tsx';
import { Organizations } from './Organizations.tsx';

/** The frame of all pages: header, navigation and content. */
export function Shell() {
  const { formatMessage } = useFormats();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  const { organization, role } = useIdentity();
  const organizationId = /^\/organizations\/([^/]+)/.exec(location)?.[1];
  const base = `/organizations/${organizationId}`;
  const isAdministrator = role === null || role === 1;
  const groups = navigation
    .map((group) => ({
      ...group,
      entries: group.entries.filter((entry) => isAdministrator || entry.isForContributors),
    }))
    .filter(({ entries }) => organizationId !== undefined && entries.length > 0);
  // The entry with the longest path that the address begins with.
  const current = navigation
    .flatMap(({ entries }) => entries)
    .filter(({ path }) => location === base + path || location.startsWith(`${base + path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  const isForbidden = current !== undefined && !isAdministrator && !current.isForContributors;
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{
        width: 240,
        breakpoint: 'sm',
        collapsed: { mobile: !isOpen, desktop: groups.length === 0 },
      }}
      padding="lg"
    >
      <a className="skip-link" href="#content">
        {formatMessage('app.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            {groups.length > 0 && (
              <Burger
                opened={isOpen}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={formatMessage('app.menu')}
              />
            )}
            <Place organizationId={organizationId} />
          </Group>
          <AccountActions />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className="navigation" aria-label={formatMessage('app.navigation')}>
        <NavigationGroups groups={groups} current={current} base={base} onLeave={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Switch>
          <Route path="/">
            {organization ? (
              <Redirect to={`/organizations/${organization.id}`} replace />
            ) : (
              <Organizations />
            )}
          </Route>
          <Route path="/account" component={AccountPage} />
          <Route path="/organizations/:organizationId/*?">
            {({ organizationId: id }) =>
              isForbidden ? <Notice about="forbidden" /> : <OrganizationPages organizationId={id} />
            }
          </Route>
          <Route>
            <Notice about="unknown" />
          </Route>
        </Switch>
      </AppShell.Main>
    </AppShell>
  );
}

/** The current organization, with a link to its home; for operators to all organizations. */
function Place({ organizationId }: { organizationId: string | undefined }) {
  const { formatMessage } = useFormats();
  const { organization } = useIdentity();
  const isOperator = organization === null;
  const opened = useAnswer(
    'readOrganization',
    { organizationId: organizationId ?? '' },
    { enabled: isOperator && organizationId !== undefined },
  );
  const name = isOperator
    ? organizationId === undefined
      ? formatMessage('app.title')
      : opened.data?.name
    : organization.name;
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      {isOperator && organizationId !== undefined && (
        <Anchor component={Link} href="/" flex="none" inherit={false} size="sm">
          {formatMessage('app.organizations')}
        </Anchor>
      )}
      {isOperator ? (
        <Text fw={600} truncate>
          {name}
        </Text>
      ) : (
        <Anchor component={Link} href="/" fw={600} c="inherit" truncate>
          {name}
        </Anchor>
      )}
    </Group>
  );
}

function AccountActions() {
  const { formatMessage } = useFormats();
  const { name } = useIdentity();
  // After a `useChange`, the page would load again and say that the session has ended.
  const signOut = useMutation({
    mutationFn: () => call('signOut', {}),
    onSuccess: () => location.assign('/admin'),
  });
  return (
    <Group gap="xs" wrap="nowrap" flex="none">
      <Button
        component={Link}
        href="/account"
        variant="subtle"
        size="xs"
        maw={{ base: 80, sm: 260 }}
        styles={{
          label: {
            display: 'block',
            height: 'auto',
            lineHeight: 1.5,
            textBoxTrim: 'none',
            textOverflow: 'ellipsis',
          },
        }}
        aria-label={formatMessage('app.account', { name })}
      >
        {name}
      </Button>
      <Button
        variant="default"
        size="xs"
        loading={signOut.isPending || signOut.isSuccess}
        onClick={() => signOut.mutate()}
      >
        {formatMessage('app.sign_out')}
      </Button>
      {signOut.error && (
        <Dialog
          title={formatMessage('app.sign_out')}
          submit={formatMessage('state.retry')}
          isBusy={false}
          error={signOut.error}
          onClose={() => signOut.reset()}
          onSubmit={() => signOut.mutate()}
        />
      )}
    </Group>
  );
}
