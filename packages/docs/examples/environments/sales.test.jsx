import { PortalEmbed } from '@portal-embed/react';
import { render, screen } from '@testing-library/react';

test('a reader without a session is asked to sign in', async () => {
  global.fetch = jest.fn(async () => ({ status: 401, json: async () => ({}) }));
  render(<PortalEmbed title="Sales" signedOut={<a href="/login">Sign in</a>} />);
  expect((await screen.findByText('Sign in')).getAttribute('href')).toBe('/login');
});
