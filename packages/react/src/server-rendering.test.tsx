import { render } from '@testing-library/react';
import { StrictMode, useLayoutEffect } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';

import { PortalEmbed } from './PortalEmbed.ts';

const minHeight = 'var(--portal-embed-min-height,24rem)';
const ui = (
  <StrictMode>
    <PortalEmbed
      fetchIdentityUrl={() => new Promise(() => {})}
      theme="dark"
      className="sales"
      style={{ height: '40rem' }}
    />
  </StrictMode>
);
const outermost = () => document.querySelector<HTMLElement>('[data-portal-embed]')!;

describe('markup rendered on a server', () => {
  it('server markup has no style attribute, also with the style prop', () => {
    const html = renderToString(ui);
    expect(html).toContain('Loading report');
    expect(html).not.toContain('style');
  });

  it('hydration causes no warning and sets the heights', () => {
    const complain = vi.spyOn(console, 'error');
    const container = document.createElement('main');
    container.innerHTML = renderToString(ui);
    document.body.append(container);
    const served = outermost();
    render(ui, { container, hydrate: true });
    expect(outermost()).toBe(served);
    expect(served.style.minHeight).toBe(minHeight);
    expect(served.style.height).toBe('40rem');
    expect(served.style.colorScheme).toBe('dark');
    expect(complain).not.toHaveBeenCalled();
    complain.mockRestore();
  });
});

it('a client render sets the minimum height from the first paint', () => {
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
