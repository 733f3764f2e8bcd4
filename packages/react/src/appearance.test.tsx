import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { frame, host, setUpEmbed, waitForStatus } from '../test/component-stage.ts';
import { refuse } from '../test/host-endpoint.ts';
import { makeReady } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setUpEmbed();

const outermost = () => document.querySelector<HTMLElement>('[data-portal-embed]')!;

it('the embed fills its parent, and has the class and style of its props', () => {
  const ui = (autoHeight: boolean) => (
    <PortalEmbed
      endpoint={host.url}
      className="sales"
      style={{ margin: 4 }}
      autoHeight={autoHeight}
    />
  );
  const { rerender } = render(ui(false));
  const { style } = outermost();
  expect(outermost().className).toBe('sales');
  expect([style.position, style.height, style.margin]).toEqual(['relative', '100%', '4px']);
  rerender(ui(true));
  expect([style.height, style.minHeight]).toEqual(['var(--portal-embed-min-height,24rem)', '']);
});

it('the text is in the middle of the embed until the report is ready', async () => {
  render(<PortalEmbed endpoint={host.url} />);
  const { style } = screen.getByRole('status').parentElement!;
  expect([style.position, style.display, style.placeContent, style.gap, style.opacity]).toEqual([
    'absolute',
    'grid',
    'center',
    '16px',
    '1',
  ]);
  makeReady(await frame());
  await waitForStatus('ready');
  expect(style.opacity).toBe('0');
});

it('the button submits no form, and a slot replaces it', async () => {
  host.answers.push(refuse(404, 'unknown_tenant'), refuse(404, 'unknown_tenant'));
  const { unmount } = render(<PortalEmbed endpoint={host.url} />);
  await waitForStatus('failed');
  expect(screen.getByRole('button')).toHaveAttribute('type', 'button');
  unmount();
  render(<PortalEmbed endpoint={host.url} error={<p>Our words</p>} />);
  await waitForStatus('failed');
  expect(screen.getByText('Our words')).toBeInTheDocument();
  expect(screen.queryByRole('button')).toBeNull();
});

it('the theme auto leaves the color scheme to the host page', () => {
  const { rerender } = render(<PortalEmbed endpoint={host.url} theme="dark" />);
  expect(outermost().style.colorScheme).toBe('dark');
  rerender(<PortalEmbed endpoint={host.url} theme="auto" />);
  expect(outermost().style.colorScheme).toBe('');
});
