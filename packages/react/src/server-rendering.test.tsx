import { render } from '@testing-library/react';
import { StrictMode, useLayoutEffect } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';

import { PortalEmbed } from './PortalEmbed.ts';

const minHeight = 'var(--portal-embed-min-height,24rem)';
const ui = (
  <StrictMode>
    <PortalEmbed fetchIdentityUrl={() => new Promise(() => {})} theme="dark" className="sales" />
  </StrictMode>
);
const outermost = () => document.querySelector<HTMLElement>('[data-portal-embed]')!;

describe('markup rendered on a server', () => {
  it('carries no style attribute, which a host’s `style-src` would block', () => {
    const html = renderToString(ui);
    expect(html).toContain('Loading report');
    expect(html).not.toContain('style');
  });

  it('carries the style that the host itself asks for, and no more', () => {
    const html = renderToString(<PortalEmbed style={{ height: '40rem' }} />);
    expect(html.match(/style="[^"]*"/g)).toEqual(['style="height:40rem"']);
  });

  it('is hydrated without a warning, and then holds its place on the page', () => {
    const complain = vi.spyOn(console, 'error');
    const container = document.createElement('main');
    container.innerHTML = renderToString(ui);
    document.body.append(container);
    const served = outermost();
    render(ui, { container, hydrate: true });
    expect(outermost()).toBe(served);
    expect(served.style.minHeight).toBe(minHeight);
    expect(served.style.colorScheme).toBe('dark');
    expect(complain).not.toHaveBeenCalled();
    complain.mockRestore();
  });
});

it('holds its place from the first paint where no server rendered', () => {
  const seen: string[] = [];
  const Parent = () => {
    useLayoutEffect(() => {
      seen.push(outermost().style.minHeight);
    });
    return ui;
  };
  render(<Parent />);
  expect(seen).toEqual([minHeight]);
});
