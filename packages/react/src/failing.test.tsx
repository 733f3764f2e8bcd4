import type { ServerResponse } from 'node:http';

import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { passTime, sent } from '../test/clock.ts';
import { becomes, frame, frames, host, setStage } from '../test/component-stage.ts';
import { refuse } from '../test/host-endpoint.ts';
import { becomeReady, playPortalPage } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setStage();

describe('failing', () => {
  it('shows what went wrong and loads again on request', async () => {
    const onError = vi.fn();
    host.answers.push(refuse(404, 'unknown_tenant'));
    render(<PortalEmbed endpoint={host.url} onError={onError} />);
    await becomes('failed');
    expect(screen.getByRole('status')).toHaveTextContent('Report failed to load');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ cause: 'unknown_tenant', message: 'Because unknown_tenant.' }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    becomeReady(await frame());
    await becomes('ready');
  });

  it('repeats a request that may succeed later, a bounded number of times', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    host.answers.push(...Array.from({ length: 9 }, () => refuse(502, 'portal_unavailable')));
    render(<PortalEmbed endpoint={host.url} />);
    await becomes('failed');
    expect(host.requests).toHaveLength(4);
  });

  it('loads by itself when the browser is online again', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    host.answers.push(
      ...Array.from({ length: 4 }, () => (response: ServerResponse) => response.destroy()),
    );
    render(<PortalEmbed endpoint={host.url} />);
    await becomes('failed');
    vi.restoreAllMocks();
    window.dispatchEvent(new Event('online'));
    becomeReady(await frame());
    await becomes('ready');
    expect(host.requests).toHaveLength(5);
  });

  it.each([
    ['javascript:alert(1)//https://portal.localhost', 'insecure_url'],
    ['http://portal.example/identity', 'insecure_url'],
    ['http://localhost.evil.example/identity', 'insecure_url'],
    ['http://host.localhost/identity', 'same_origin'],
    ['not a URL', 'endpoint_invalid'],
    [7, 'endpoint_invalid'],
  ])('opens no frame for the URL %s', async (embedUrl, cause) => {
    const onError = vi.fn();
    const fetchIdentityUrl = async () => ({ embedUrl: embedUrl as string });
    render(<PortalEmbed fetchIdentityUrl={fetchIdentityUrl} onError={onError} />);
    await becomes('failed');
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ cause }));
    expect(frames()).toHaveLength(0);
  });

  it('names endpoint_invalid: an answer of null', async () => {
    const onError = vi.fn();
    const fetchIdentityUrl = async () => null as never;
    render(<PortalEmbed fetchIdentityUrl={fetchIdentityUrl} onError={onError} />);
    await becomes('failed');
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ cause: 'endpoint_invalid' }));
  });

  it.each([
    ['no_response', 'a page that never answers', () => {}],
    [
      'timed_out',
      'a report that never comes',
      (opened: HTMLIFrameElement) => playPortalPage(opened).boot(),
    ],
  ] as const)('names %s: %s', async (cause, _, play) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const onError = vi.fn();
    // Neither a request nor a poll, which on a busy machine may take longer than the timeout.
    const embedUrl = 'https://portal.example/identity';
    const observer = new MutationObserver(() => frames().forEach(play));
    observer.observe(document, { childList: true, subtree: true });
    onTestFinished(() => observer.disconnect());
    const fetchIdentityUrl = async () => ({ embedUrl });
    render(<PortalEmbed fetchIdentityUrl={fetchIdentityUrl} timeout={200} onError={onError} />);
    await becomes('failed');
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ cause }));
  });

  it('filters_not_applied closes the frame without a retry', async () => {
    const onError = vi.fn();
    render(<PortalEmbed endpoint={host.url} onError={onError} />);
    const page = playPortalPage(await frame()).boot();
    page.send({ type: 'failed', cause: 'filters_not_applied' });
    await becomes('failed');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ cause: 'filters_not_applied' }),
    );
    expect(frames()).toHaveLength(0);
    expect(host.requests).toHaveLength(1);
  });

  it('shows the signedOut slot to a user without a session, once and for all', async () => {
    host.answers.push(refuse(401, 'not_signed_in'));
    render(
      <PortalEmbed
        endpoint={host.url}
        signedOut={<a href="/login">Sign in</a>}
        refreshInterval={50}
      />,
    );
    await screen.findByRole('link', { name: 'Sign in' });
    await passTime();
    expect(sent).toHaveBeenCalledOnce();
  });
});
