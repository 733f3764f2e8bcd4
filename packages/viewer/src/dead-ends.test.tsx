import { screen } from '@testing-library/react';
import { ServiceError } from 'page-kit/service-error';
import { beforeEach, expect, it } from 'vitest';

import type { ViewerSession } from './requests/viewer.ts';
import { createSampleApi, openViewer, resetWindow } from './test/open-viewer.tsx';
import { reportSession } from './test/samples.ts';

beforeEach(resetWindow);

const homeUrl = 'https://app.acme.example/reports';
const session: ViewerSession = {
  ...reportSession,
  organization: { ...reportSession.organization, homeUrl },
};

const openFailing = async (code: ServiceError['code'], of = session) => {
  const api = createSampleApi();
  api.viewReport.mockRejectedValue(new ServiceError(code));
  await openViewer(of, api).start();
};
const link = () => screen.queryByRole('link', { name: 'Back to the application' });

it.each(['session_required', 'report_not_accessible', 'filters_not_applied'] as const)(
  'after %s, which a retry cannot change, a link leads back to the application',
  async (code) => {
    await openFailing(code);
    expect(link()).toHaveAttribute('href', homeUrl);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  },
);

it.each(['unreachable', 'report_failed', 'overloaded'] as const)(
  'after %s the reader can try again',
  async (code) => {
    await openFailing(code);
    expect(link()).toBeNull();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
  },
);

it('an organization without a home URL has no link', async () => {
  await openFailing('session_required', reportSession);
  expect(screen.getByText('Open the report again in your application.')).toBeVisible();
  expect(link()).toBeNull();
});
