import type { ServerResponse } from 'node:http';

import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { advanceClock, sent } from '../test/clock.ts';
import { waitForStatus, frame, frames, host, setUpEmbed } from '../test/component-stage.ts';
import { refuse } from '../test/host-endpoint.ts';
import { makeReady, simulatePortalPage } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setUpEmbed();

describe('failures', () => {
  it('a failure shows a text and a button that retries', async () => {
    const onError = vi.fn();
    host.answers.push(refuse(404, 'unknown_tenant'));
    render(<PortalEmbed endpoint={host.url} onError={onError} />);
    await waitForStatus('failed');
    expect(screen.getByRole('status')).toHaveTextContent('Report failed to load');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ cause: 'unknown_tenant', message: 'Because unknown_tenant.' }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    makeReady(await frame());
    await waitForStatus('ready');
  });

  it('after “Try again” the embed has the focus, and the page does not scroll to it', async () => {
    host.answers.push(refuse(404, 'unknown_tenant'));
    render(<PortalEmbed endpoint={host.url} />);
    const button = await screen.findByRole('button', { name: 'Try again' });
    button.focus();
    const focus = vi.spyOn(HTMLElement.prototype, 'focus');
    await userEvent.keyboard('{Enter}');
    expect(document.querySelector('[data-portal-embed]')).toHaveFocus();
    expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true });
    focus.mockRestore();
    await waitFor(() => expect(button).not.toBeInTheDocument());
  });

  it('a transient failure is retried three times', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    host.answers.push(...Array.from({ length: 9 }, () => refuse(502, 'portal_unavailable')));
    render(<PortalEmbed endpoint={host.url} />);
    await waitForStatus('failed');
    expect(host.requests).toHaveLength(4);
  });

  it('a failed embed loads when the browser is online again', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    host.answers.push(
      // The first failure may hide a redirect, so it is tried twice.
      ...Array.from({ length: 5 }, () => (response: ServerResponse) => response.destroy()),
    );
    render(<PortalEmbed endpoint={host.url} />);
    await waitForStatus('failed');
    vi.restoreAllMocks();
    window.dispatchEvent(new Event('online'));
    makeReady(await frame());
    await waitForStatus('ready');
    expect(host.requests).toHaveLength(6);
  });

  it.each([
    ['javascript:alert(1)//https://portal.localhost', 'insecure_url'],
    ['http://portal.example/identity', 'insecure_url'],
    ['http://localhost.evil.example/identity', 'insecure_url'],
    ['http://host.localhost/identity', 'same_origin'],
    ['not a URL', 'endpoint_invalid'],
    [7, 'endpoint_invalid'],
  ])('the embed opens no frame for the URL %s', async (embedUrl, cause) => {
    const onError = vi.fn();
    const fetchIdentityUrl = async () => ({ embedUrl: embedUrl as string });
    render(<PortalEmbed fetchIdentityUrl={fetchIdentityUrl} onError={onError} />);
    await waitForStatus('failed');
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ cause }));
    expect(frames()).toHaveLength(0);
  });

  it('the cause is endpoint_invalid for the answer null', async () => {
    const onError = vi.fn();
    const fetchIdentityUrl = async () => null as never;
    render(<PortalEmbed fetchIdentityUrl={fetchIdentityUrl} onError={onError} />);
    await waitForStatus('failed');
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ cause: 'endpoint_invalid' }));
  });

  it.each([
    ['no_response', 'a page that never boots', () => {}],
    [
      'timed_out',
      'a page that is never ready',
      (opened: HTMLIFrameElement) => simulatePortalPage(opened).boot(),
    ],
  ] as const)('the cause is %s for %s', async (cause, _, play) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const onError = vi.fn();
    // Without requests and polls, because on a slow machine they may take longer than the timeout.
    const embedUrl = 'https://portal.example/identity';
    const observer = new MutationObserver(() => frames().forEach(play));
    observer.observe(document, { childList: true, subtree: true });
    onTestFinished(() => observer.disconnect());
    const fetchIdentityUrl = async () => ({ embedUrl });
    render(<PortalEmbed fetchIdentityUrl={fetchIdentityUrl} timeout={200} onError={onError} />);
    await waitForStatus('failed');
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ cause }));
  });

  it('filters_not_applied closes the frame without a retry', async () => {
    const onError = vi.fn();
    render(<PortalEmbed endpoint={host.url} onError={onError} />);
    const page = simulatePortalPage(await frame()).boot();
    page.send({ type: 'failed', cause: 'filters_not_applied' });
    await waitForStatus('failed');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ cause: 'filters_not_applied' }),
    );
    expect(frames()).toHaveLength(0);
    expect(host.requests).toHaveLength(1);
  });

  it.each([
    [401, 'not_signed_in', 'Sign in to see this report'],
    [403, 'forbidden', 'No access to this report'],
  ])('a refusal (%i, %s) has no button', async (status, code, text) => {
    host.answers.push(refuse(status, code));
    render(<PortalEmbed endpoint={host.url} />);
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('with onRequestAccess, a reader who may not see the report can ask for access', async () => {
    host.answers.push(refuse(403, 'forbidden'));
    const onRequestAccess = vi.fn();
    render(<PortalEmbed endpoint={host.url} onRequestAccess={onRequestAccess} />);
    const button = await screen.findByRole('button', { name: 'Ask for access' });
    await userEvent.click(button);
    expect(onRequestAccess).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ cause: 'forbidden', message: 'Because forbidden.' }),
    );
    expect(button).toHaveFocus();
    expect(host.requests).toHaveLength(1);
  });

  it.each([
    [401, 'not_signed_in', undefined],
    [404, 'unknown_tenant', 'Try again'],
  ])('onRequestAccess changes nothing for %i %s', async (status, code, name) => {
    host.answers.push(refuse(status, code));
    render(<PortalEmbed endpoint={host.url} onRequestAccess={() => {}} />);
    await waitForStatus('failed');
    expect(screen.queryByRole('button')?.textContent).toBe(name);
  });

  it('the refused slot replaces the button that asks for access', async () => {
    host.answers.push(refuse(403, 'forbidden'));
    render(<PortalEmbed endpoint={host.url} onRequestAccess={() => {}} refused="Call us" />);
    expect(await screen.findByText('Call us')).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('a slot function gets the failure and a function that tries again', async () => {
    host.answers.push(refuse(404, 'unknown_tenant'));
    render(
      <PortalEmbed
        endpoint={host.url}
        error={(error, retry) => <button onClick={retry}>{error?.message}</button>}
      />,
    );
    await userEvent.click(await screen.findByText('Because unknown_tenant.'));
    makeReady(await frame());
    await waitForStatus('ready');
    expect(host.requests).toHaveLength(2);
  });

  it('the loading slot replaces the text until the report is ready', async () => {
    render(<PortalEmbed endpoint={host.url} loading="One moment" />);
    expect(screen.getByRole('status')).toHaveTextContent('One moment');
    makeReady(await frame());
    await waitForStatus('ready');
    expect(screen.getByRole('status')).toHaveTextContent('Report loaded');
  });

  it('not_signed_in shows the signedOut slot and stops refreshing', async () => {
    host.answers.push(refuse(401, 'not_signed_in'));
    render(
      <PortalEmbed
        endpoint={host.url}
        signedOut={<a href="/login">Sign in</a>}
        refreshInterval={50}
      />,
    );
    await screen.findByRole('link', { name: 'Sign in' });
    await advanceClock();
    expect(sent).toHaveBeenCalledOnce();
  });
});
