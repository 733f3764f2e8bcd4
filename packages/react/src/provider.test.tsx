import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { waitForStatus, host, setUpEmbed } from '../test/component-stage.ts';
import { refuse } from '../test/host-endpoint.ts';
import { PortalEmbed, PortalEmbedProvider } from './PortalEmbed.ts';

setUpEmbed();

describe('defaults of a provider', () => {
  it('nested providers merge their defaults and texts', async () => {
    host.answers.push(refuse(404, 'unknown_tenant'));
    render(
      <PortalEmbedProvider
        endpoint={host.url}
        hideMenu
        hideNavbar
        texts={{ error: 'Oh', retry: 'X' }}
      >
        <PortalEmbedProvider hideNavbar={false} texts={{ retry: 'Once more' }}>
          <PortalEmbed />
        </PortalEmbedProvider>
      </PortalEmbedProvider>,
    );
    await waitForStatus('failed');
    expect(host.requests).toEqual([{ hideMenu: true, hideNavbar: false }]);
    expect(screen.getByRole('status')).toHaveTextContent('Oh');
    expect(screen.getByRole('button')).toHaveTextContent('Once more');
  });
});
