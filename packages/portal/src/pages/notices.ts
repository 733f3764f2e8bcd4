import type { Notice } from './documents.ts';

/** Texts of pages without a report: what happened and what to do. */

export const refusedNotices: Record<'used' | 'expired' | 'unknown', Notice> = {
  used: {
    title: 'This link has been used already',
    text: 'A link opens the portal only once. Go back to your application and open the report there again.',
    sessionRequired: 'used',
  },
  expired: {
    title: 'This link has expired',
    text: 'A link works for five minutes. Go back to your application and open the report there again.',
    sessionRequired: 'expired',
  },
  unknown: {
    title: 'This link does not work here',
    text: 'The link may be incomplete or too old. Go back to your application and open the report there again.',
    sessionRequired: 'unknown',
  },
};

export const reloadedNotice: Notice = {
  title: 'Open this from your application',
  text: 'This page cannot be reloaded or opened by its address, because the portal stores nothing in the browser. Go back to your application and open the report there again.',
  sessionRequired: 'reloaded',
};

/** For a reader who opens the shell outside of an application. */
export const shellNotice = {
  title: 'Open this from your application',
  text: 'Reports open inside the application that shows them. Go to that application and open a report there.',
};

export const rootNotice: Notice = {
  title: 'Reports portal',
  text: 'This portal shows reports inside your application. Go to your application and open a report there.',
  sessionRequired: 'unknown',
};

export const unknownAddressNotice: Notice = {
  title: 'There is no page at this address',
  text: 'Check the address, or go back to your application and open the report there.',
  sessionRequired: 'unknown',
};

export const limitedNotice: Notice = {
  title: 'Too many attempts',
  text: 'Too many invalid links were opened from your network. Wait ten seconds, then open the report again in your application.',
  sessionRequired: 'unknown',
};

export const failedNotice: Notice = {
  title: 'The portal cannot show this page at the moment',
  text: 'Something went wrong in the portal. Go back to your application and open the report there again.',
  sessionRequired: 'unknown',
};
