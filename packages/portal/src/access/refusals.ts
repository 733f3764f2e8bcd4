import { PortalError } from '../errors.ts';

/** For a report that does not exist, too: nobody learns which reports exist. */
export const notAccessible = () =>
  new PortalError('report_not_accessible', 'You may not open this report.', {
    advice: 'Ask your administrator for access.',
  });
