import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import {
  administrator,
  openAdmin,
  refuse,
  watchNavigation,
  type Answers,
} from '../test/open-admin.tsx';

const signedOut = refuse(401, 'sign_in_required');
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(new RegExp(`^${label}`)), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

function signIn() {
  fill('Organization', 'acme');
  fill('E-mail', 'ada@acme.example');
  fill('Password', 'correct horse');
  press('Sign in');
}

describe('the sign-in', () => {
  const openSignIn = (answers: Answers = {}) =>
    openAdmin('/admin', { readIdentity: signedOut, ...answers });

  it.each([
    [refuse(401, 'sign_in_failed'), 'Organization, e-mail or password is wrong.'],
    [
      refuse(429, 'rate_limited', '', { 'Retry-After': '61' }),
      'There were too many attempts. Try again in 2 min.',
    ],
    [refuse(429, 'rate_limited'), 'There were too many attempts. Try again in 1 min.'],
    [
      () => Promise.reject(new TypeError('no network')),
      'This did not workThe portal did not answer. Check your connection, then try again.',
    ],
    [
      refuse(500, 'internal_error', 'An error happened.'),
      'This did not workAn error happened.Reference for the operator of the portal: request-1What this error means (opens in a new tab)',
    ],
    [
      refuse(503, 'overloaded', 'Try again later.'),
      'This did not workTry again later.What this error means (opens in a new tab)',
    ],
    [
      new Response('<h1>Bad gateway</h1>', { status: 502 }),
      'This did not workThe portal did not answer. Check your connection, then try again.',
    ],
  ])('a sign-in that fails shows the reason: %#', async (answer, text) => {
    await openSignIn({ signIn: answer });
    expect(screen.queryByRole('alert')).toBeNull();
    signIn();
    expect((await screen.findByRole('alert')).textContent).toBe(text);
    expect(screen.getByLabelText('Password')).toHaveFocus();
  });

  it('the reason for a failed sign-in disappears while another one is sent', async () => {
    const { answers } = await openSignIn({ signIn: refuse(401, 'sign_in_failed') });
    signIn();
    await screen.findByRole('alert');
    answers.signIn = () => new Promise<Response>(() => {});
    press('Sign in');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('a button shows the typed password, and the Tab key reaches it', async () => {
    await openSignIn();
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
    screen.getByLabelText('Password').focus();
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Show password' })).toHaveFocus();
    await userEvent.keyboard(' ');
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
  });

  it('is the heading and the window title of its page', async () => {
    await openSignIn();
    expect(screen.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible();
    expect(document.title).toBe('Sign in · Portal administration');
  });

  it('a sign-in without a value is not sent', async () => {
    const { sent } = await openSignIn();
    press('Sign in');
    expect(await screen.findAllByText('Enter a value.')).toHaveLength(3);
    expect(sent('signIn')).toEqual([]);
  });

  it('without an organization, the sign-in neither looks for a provider nor offers one', async () => {
    const { sent } = await openSignIn();
    fireEvent.blur(screen.getByLabelText('Organization'));
    expect(screen.queryByRole('button', { name: /^Sign in with/ })).toBeNull();
    expect(sent('readSignInMethods')).toEqual([]);
  });

  it('the organization of the last sign-in is filled in', async () => {
    localStorage.setItem('portal-organization', 'globex');
    await openSignIn({ readSignInMethods: { passwords: true, provider: null } });
    expect(screen.getByLabelText('Organization')).toHaveValue('globex');
  });

  it('an operator signs in without an organization', async () => {
    const { answers, sent } = await openSignIn({ signIn: refuse(401, 'sign_in_failed') });
    press('Sign in as an operator of the portal');
    expect(screen.queryByLabelText('Organization')).toBeNull();
    fill('E-mail', 'olga@portal.example');
    fill('Password', 'correct horse');
    press('Sign in');
    await screen.findByRole('alert');
    expect(sent('signIn')).toEqual([
      { organization: null, email: 'olga@portal.example', password: 'correct horse' },
    ]);
    press('Sign in as a user of an organization');
    expect(screen.getByLabelText('Organization')).toBeVisible();
    press('Sign in as an operator of the portal');
    fill('E-mail', 'olga@portal.example');
    fill('Password', 'correct horse');
    answers.signIn = { ...administrator, kind: 'operator', role: null, organization: null };
    answers.listOrganizations = { organizations: [] };
    press('Sign in');
    expect(await screen.findByRole('heading', { name: 'Organizations' })).toBeVisible();
    expect(localStorage.getItem('portal-organization')).toBeNull();
  });

  it('an operator signs in with a password, whatever the last organization of the device uses', async () => {
    localStorage.setItem('portal-organization', 'acme');
    await openSignIn({ readSignInMethods: { passwords: false, provider: 'login.acme.example' } });
    await screen.findByRole('button', { name: 'Sign in with login.acme.example' });
    expect(screen.queryByLabelText('Password')).toBeNull();
    press('Sign in as an operator of the portal');
    expect(screen.getByLabelText('Password')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Sign in with/ })).toBeNull();
  });

  it('a sign-in with the identity provider opens the provider’s page, or shows the reason if it cannot', async () => {
    localStorage.setItem('portal-organization', 'acme');
    const { answers, sent } = await openSignIn({
      readSignInMethods: { passwords: false, provider: 'login.acme.example' },
      startOidc: refuse(401, 'sign_in_failed'),
    });
    const button = await screen.findByRole('button', { name: 'Sign in with login.acme.example' });
    fireEvent.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent(/has no identity provider any more/);
    localStorage.clear();
    answers.startOidc = { url: 'https://login.acme.example/start' };
    const opened = watchNavigation();
    fireEvent.click(button);
    await waitFor(() => expect(opened).toEqual(['https://login.acme.example/start']));
    expect(localStorage.getItem('portal-organization')).toBe('acme');
    expect(sent('startOidc')).toEqual([{ organization: 'acme' }, { organization: 'acme' }]);
  });

  it('a session that could not be read is read again on request', async () => {
    const listCompanies = { companies: [] };
    const answers = [refuse(500, 'internal_error', 'An error happened.'), administrator];
    const opening = openAdmin('/companies', {
      readIdentity: () => answers.shift()!,
      listCompanies,
    });
    expect(await screen.findByText('An error happened.')).toBeVisible();
    press('Try again');
    await opening;
    expect(await screen.findByRole('heading', { name: 'Companies' })).toBeVisible();
  });

  it.each([
    [false, 0],
    [true, 1],
  ])('an organization whose passwords are %s has %d fields for one', async (passwords, count) => {
    const { sent } = await openSignIn({
      readSignInMethods: { passwords, provider: 'login.acme.example' },
    });
    fill('Organization', ' acme ');
    fireEvent.blur(screen.getByLabelText('Organization'));
    await screen.findByRole('button', { name: 'Sign in with login.acme.example' });
    expect(screen.queryAllByLabelText('Password')).toHaveLength(count);
    expect(sent('readSignInMethods')).toEqual([{ organization: 'acme' }]);
  });

  it('the end of a session leads to the sign-in, and from there back to the page', async () => {
    const { answers, sent } = await openAdmin('/companies', {
      listCompanies: { companies: [] },
      createCompany: signedOut,
      signIn: administrator,
    });
    answers.readIdentity = signedOut;
    fireEvent.click(screen.getByRole('button', { name: 'New company' }));
    fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: 'Initech' } });
    press('Save');
    expect(await screen.findByText('Your session has ended. Sign in again.')).toBeVisible();
    answers.readIdentity = administrator;
    signIn();
    expect(await screen.findByRole('heading', { name: 'Companies' })).toBeVisible();
    expect(sent('readIdentity')).toHaveLength(2);
    expect(localStorage.getItem('portal-organization')).toBe('acme');
  });

  it('a sign-in does not show what the last user of the device has loaded', async () => {
    const { answers } = await openAdmin('/companies', {
      listCompanies: { companies: [{ id: 'c1', name: 'Initech', users: 1 }] },
      createCompany: signedOut,
      signIn: administrator,
    });
    expect(await screen.findByText('Initech')).toBeVisible();
    answers.readIdentity = signedOut;
    press('New company');
    fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: 'Globex' } });
    press('Save');
    await screen.findByText('Your session has ended. Sign in again.');
    answers.readIdentity = administrator;
    answers.listCompanies = () => new Promise<Response>(() => {});
    signIn();
    expect(await screen.findByRole('heading', { name: 'Companies' })).toBeVisible();
    expect(screen.queryByText('Initech')).toBeNull();
  });

  it('a session that ends while a page loads leads to the sign-in', async () => {
    const identities = [administrator, signedOut];
    await openAdmin('/companies', {
      readIdentity: () => identities.shift() ?? signedOut,
      listCompanies: signedOut,
    });
    expect(await screen.findByText('Your session has ended. Sign in again.')).toBeVisible();
  });

  it('a page that fails for another reason keeps the session', async () => {
    const { sent } = await openAdmin('/companies', {
      listCompanies: refuse(500, 'internal_error', 'An error happened.'),
    });
    expect(await screen.findByText('An error happened.')).toBeVisible();
    expect(sent('readIdentity')).toHaveLength(1);
    expect(sent('listCompanies')).toHaveLength(1);
  });
});

describe('the return from the identity provider', () => {
  const finish = { isConfirmation: true, organization: 'acme' };

  it('a refusal of the provider is shown, and sent for the activity log', async () => {
    const { sent } = await openAdmin('/admin/oidc?error=access_denied&state=s', {
      finishOidc: refuse(401, 'sign_in_failed', 'It failed.'),
    });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /^The sign-in with the identity provider failed/,
    );
    expect(screen.getByRole('link', { name: 'Back to the sign-in' })).toHaveAttribute(
      'href',
      '/admin',
    );
    expect(screen.queryByLabelText('Loading…')).toBeNull();
    await waitFor(() =>
      expect(sent('finishOidc')).toEqual([{ error: 'access_denied', state: 's' }]),
    );
    expect(screen.queryByText('It failed.')).toBeNull();
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });

  it('a return without a state is shown as refused, and no request is sent', async () => {
    const { sent } = await openAdmin('/admin/oidc?code=c', {});
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(sent('finishOidc')).toEqual([]);
  });

  it('a confirmation is sent once, removed from the address, and announced to other windows', async () => {
    const close = vi.spyOn(window, 'close').mockReturnValue();
    const channel = new BroadcastChannel('portal-confirmation');
    const heard = new Promise((resolve) => channel.addEventListener('message', resolve));
    const { sent } = await openAdmin('/admin/oidc?code=c&state=s&iss=i', { finishOidc: finish });
    expect(await screen.findByText(/^Your sign-in is confirmed/)).toBeVisible();
    await heard;
    channel.close();
    expect(close).toHaveBeenCalledOnce();
    close.mockRestore();
    expect(sent('finishOidc')).toEqual([{ code: 'c', state: 's', iss: 'i' }]);
    expect(location.search).toBe('');
    expect(screen.queryByLabelText('Loading…')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Back to the sign-in' })).toBeNull();
    expect(localStorage.getItem('portal-organization')).toBe('acme');
  });

  it('a return from the provider opens the administration', async () => {
    let answer!: (response: Response) => void;
    const answered = new Promise<Response>((resolve) => (answer = resolve));
    await openAdmin('/admin/oidc?code=c&state=s', { finishOidc: () => answered });
    const opened = watchNavigation();
    answer(Response.json({ ...finish, isConfirmation: false }));
    await waitFor(() => expect(opened).toEqual(['/admin']));
    expect(localStorage.getItem('portal-organization')).toBe('acme');
    expect(screen.queryByText(/^Your sign-in is confirmed/)).toBeNull();
    expect(screen.queryByText('This did not work')).toBeNull();
  });

  it('a sign-in that the portal refuses is sent once, and leads back', async () => {
    const { sent } = await openAdmin('/admin/oidc?code=c&state=s', {
      finishOidc: refuse(401, 'sign_in_failed', 'The code has ended.'),
    });
    expect(await screen.findByText('The code has ended.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to the sign-in' })).toBeVisible();
    expect(sent('finishOidc')).toHaveLength(1);
  });

  it('a window that cannot reach the provider tries again', async () => {
    const { answers, sent } = await openAdmin('/admin/oidc/confirm', {
      confirmWithOidc: refuse(503, 'overloaded', 'Try again later.'),
    });
    expect(await screen.findByText('Try again later.')).toBeVisible();
    expect(sent('confirmWithOidc')).toHaveLength(1);
    answers.confirmWithOidc = { url: 'https://login.acme.example/confirm' };
    const opened = watchNavigation();
    press('Try again');
    await waitFor(() => expect(opened).toEqual(['https://login.acme.example/confirm']));
  });
});

describe('an invitation', () => {
  const invited = { email: 'ivo@acme.example', name: 'Ivo', organizationName: 'Acme' };

  it.each([
    ['Acme', 'You will sign in to Acme as ivo@acme.example.'],
    [null, 'You will sign in as the operator ivo@acme.example.'],
  ])('to %s says who will sign in', async (organizationName, text) => {
    const { sent } = await openAdmin('/admin/invitation#the-token', {
      checkInvitation: { ...invited, organizationName },
    });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Choose a password', level: 1 })).toBeVisible();
    expect(sent('checkInvitation')).toEqual([{ token: 'the-token' }]);
  });

  it('an accepted invitation opens the administration', async () => {
    await openAdmin('/admin/invitation#the-token', {
      checkInvitation: invited,
      acceptInvitation: administrator,
    });
    await screen.findByLabelText(/^New password/);
    fill('New password', 'correct horse battery');
    const opened = watchNavigation();
    press('Save password and sign in');
    await waitFor(() => expect(opened).toEqual(['/admin']));
  });

  it.each([
    ['weak_password', 'This password is too easy to guess. Choose another one.'],
    ['invalid_request', 'This invitation has ended'],
    ['invitation_ended', 'This invitation has ended'],
    ['overloaded', 'Try again later.'],
  ])('a password that is refused with %s leads to: %s', async (code, text) => {
    const { sent } = await openAdmin('/admin/invitation#the-token', {
      checkInvitation: invited,
      acceptInvitation: refuse(400, code, 'Try again later.'),
    });
    await screen.findByLabelText(/^New password/);
    fill('New password', 'password1234');
    press('Save password and sign in');
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryAllByText('Try again later.')).toHaveLength(code === 'overloaded' ? 1 : 0);
    expect(sent('acceptInvitation')).toEqual([{ token: 'the-token', password: 'password1234' }]);
  });
});

describe('a change that needs a recent sign-in', () => {
  const stale = refuse(403, 'fresh_sign_in_required', 'Sign in again.');
  const openConfirmation = async (answers: Answers = {}, identity = administrator) => {
    const page = await openAdmin('/admin/account', {
      readIdentity: identity,
      listAccountSessions: { sessions: [] },
      changePassword: stale,
      ...answers,
    });
    fill('New password', 'correct horse battery');
    press('Save');
    await screen.findByRole('dialog', { name: 'Confirm your sign-in' });
    return page;
  };

  it('a confirmed change is repeated', async () => {
    const { answers, sent } = await openConfirmation({
      confirmPassword: refuse(401, 'sign_in_failed'),
    });
    fill('Password', 'wrong');
    press('Continue');
    expect(await screen.findByText('The password is wrong. Try again.')).toBeVisible();
    expect(screen.queryByText('This did not work')).toBeNull();
    answers.confirmPassword = refuse(503, 'overloaded', 'Try again later.');
    press('Continue');
    expect(await screen.findByText('Try again later.')).toBeVisible();
    expect(screen.queryByText('The password is wrong. Try again.')).toBeNull();
    answers.confirmPassword = {};
    answers.changePassword = administrator;
    fill('Password', 'correct horse');
    press('Continue');
    expect(
      await screen.findByText('The password is changed. All other sessions have ended.'),
    ).toBeVisible();
    expect(sent('confirmPassword').map(({ password }) => password)).toEqual([
      'wrong',
      'wrong',
      'correct horse',
    ]);
    expect(sent('changePassword')).toHaveLength(2);
    expect(screen.getByLabelText(/^New password/)).toHaveValue('');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('a confirmation that was cancelled starts anew the next time', async () => {
    await openConfirmation({ confirmPassword: refuse(401, 'sign_in_failed') });
    fill('Password', 'wrong');
    press('Continue');
    await screen.findByText('The password is wrong. Try again.');
    press('Cancel');
    await screen.findByText('Sign in again.');
    press('Save');
    await screen.findByRole('dialog', { name: 'Confirm your sign-in' });
    expect(screen.getByLabelText(/^Password/)).toHaveValue('');
    expect(screen.queryByText('The password is wrong. Try again.')).toBeNull();
  });

  it.each(['Cancel', 'Close'])(
    'a change whose confirmation ends with %s is not repeated',
    async (name) => {
      const { sent } = await openConfirmation();
      press(name);
      expect(await screen.findByText('Sign in again.')).toBeVisible();
      expect(sent('changePassword')).toHaveLength(1);
      expect(screen.getByLabelText(/^New password/)).toHaveValue('correct horse battery');
    },
  );

  it('a person without a password confirms with the identity provider', async () => {
    const { answers, sent } = await openConfirmation(
      {},
      { ...administrator, hasPassword: false, provider: 'login.acme.example' },
    );
    expect(screen.queryByLabelText(/^Password/)).toBeNull();
    expect(screen.getByText(/Your identity provider opens in another window/)).toBeVisible();
    const link = screen.getByText('Confirm with login.acme.example').closest('a');
    expect(link).toHaveAttribute('href', '/admin/oidc/confirm');
    // The page that waits for the confirmation must stay open.
    expect(link).toHaveAttribute('target', '_blank');
    answers.changePassword = administrator;
    const channel = new BroadcastChannel('portal-confirmation');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    channel.postMessage(null);
    await waitFor(() => expect(sent('changePassword')).toHaveLength(2));
    channel.close();
  });

  it('a change that is refused for another reason asks for no confirmation', async () => {
    await openAdmin('/admin/account', {
      listAccountSessions: { sessions: [] },
      changePassword: refuse(400, 'weak_password'),
    });
    fill('New password', 'password1234');
    press('Save');
    expect(await screen.findByText(/^This password is too easy to guess/)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the sessions of an account', () => {
  it('another session can be ended; the current one is only marked', async () => {
    const session = {
      id: 's1',
      userAgent: 'This browser',
      createdAt: '2026-03-01T12:00:00Z',
      lastUsedAt: '2026-03-02T12:00:00Z',
      isCurrent: true,
    };
    const { answers, sent } = await openAdmin('/admin/account', {
      listAccountSessions: {
        sessions: [session, { ...session, id: 's2', userAgent: 'Phone', isCurrent: false }],
      },
      readIdentity: { ...administrator, mayHavePassword: false },
      endAccountSession: {},
    });
    await screen.findByText('Phone');
    expect(screen.getByRole('heading', { name: 'Open sessions', level: 2 })).toBeVisible();
    const rows = screen.getAllByRole('row').slice(1) as HTMLTableRowElement[];
    expect(rows.map(({ cells }) => cells[3]!.textContent)).toEqual(['This session', 'End session']);
    expect(rows[1]).toHaveTextContent(/^PhoneMar 1, 2026, 12:00\sPMMar 2, 2026, 12:00\sPM/);
    answers.listAccountSessions = { sessions: [session] };
    press('End session');
    await waitFor(() => expect(screen.queryByText('Phone')).toBeNull());
    expect(sent('endAccountSession')).toEqual([{ sessionId: 's2' }]);
    expect(screen.queryByLabelText(/^New password/)).toBeNull();
  });

  it('a sign-out opens the sign-in, and does not say that the session has ended', async () => {
    const { sent } = await openAdmin('/admin/account', {
      listAccountSessions: { sessions: [] },
      signOut: {},
    });
    const opened = watchNavigation();
    press('Sign out');
    await waitFor(() => expect(opened).toEqual(['/admin']));
    expect(sent('signOut')).toHaveLength(1);
    expect(sent('readIdentity')).toHaveLength(1);
  });

  it('a sign-out that fails shows the reason, and is tried again on request', async () => {
    const { answers, sent } = await openAdmin('/admin/account', {
      listAccountSessions: { sessions: [] },
      signOut: refuse(503, 'overloaded', 'Try again in a minute.'),
    });
    const opened = watchNavigation();
    press('Sign out');
    expect(await screen.findByText('Try again in a minute.')).toBeVisible();
    press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    press('Sign out');
    await screen.findByRole('dialog');
    answers.signOut = {};
    press('Try again');
    await waitFor(() => expect(opened).toEqual(['/admin']));
    expect(sent('signOut')).toHaveLength(3);
  });
});
