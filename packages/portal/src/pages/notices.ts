import type { Notice } from './documents.ts';

/** Texts of pages without a report: what happened and what to do. */

export const refusedNotices: Record<'used' | 'expired' | 'unknown', Notice> = {
  used: {
    title: 'This link has been used already',
    text: 'A link opens the portal once. Go back to the application it came from and open the report there again.',
    sessionRequired: 'used',
  },
  expired: {
    title: 'This link has expired',
    text: 'A link works for five minutes. Go back to the application it came from and open the report there again.',
    sessionRequired: 'expired',
  },
  unknown: {
    title: 'This link does not work here',
    text: 'It may be incomplete or too old. Go back to the application it came from and open the report there again.',
    sessionRequired: 'unknown',
  },
};

export const reloadedNotice: Notice = {
  title: 'Open this from your application',
  text: 'The portal keeps nothing in the browser, so this page cannot be reloaded or opened by its address. Go back to the application that shows it.',
  sessionRequired: 'reloaded',
};

export const rootNotice: Notice = {
  title: 'Reports portal',
  text: 'Reports open inside the application that shows them. Go to that application and open a report there.',
  sessionRequired: 'unknown',
};

export const unknownAddressNotice: Notice = {
  title: 'There is no page at this address',
  text: 'Check the address, or go back to the application that shows your reports and open them there.',
  sessionRequired: 'unknown',
};

export const limitedNotice: Notice = {
  title: 'Too many attempts',
  text: 'Too many invalid links were opened from your network. Wait ten seconds, then open the report again in your application.',
  sessionRequired: 'unknown',
};

export const failedNotice: Notice = {
  title: 'The portal cannot show this at the moment',
  text: 'Something went wrong on our side. Go back to the application it came from and open it there again.',
  sessionRequired: 'unknown',
};
