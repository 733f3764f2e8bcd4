import { createPortalClient } from '@portal-embed/client';

export const portal = createPortalClient({
  apiUrl: 'https://reports.other.example/tenants/acme',
  apiKey: process.env['OTHER_API_KEY']!,
  fieldNames: { pageNumber: 'pageIndex', groups: 'groupsIds' },
});
