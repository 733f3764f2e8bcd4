import { describeAnswer, isSuccess } from '../../http/send.ts';
import { fail, skip } from '../../rules/rule.ts';
import { textOf } from '../api.ts';
import type { CreatedUser } from '../fixtures.ts';
import type { PortalRule, PortalSubject } from '../subject.ts';
import { isOpened, openUnknown, scripted, summarize, visit } from './opening.ts';

/** Creates a user who may open a report, and one who may not. Their names differ in a digit only. */
async function createReaders({ fixtures }: PortalSubject, label: string) {
  const reader = await fixtures.createUser(`${label}-1`);
  const stranger = await fixtures.createUser(`${label}-2`);
  const reportId = textOf(await fixtures.report(), 'id');
  await fixtures.linkReports('link', reader.email, [reportId]);
  return { reader, stranger, reportId };
}

/** Opens the whole portal as a user, and returns whether the page names a report. */
async function namesReport(subject: PortalSubject, { email }: CreatedUser, reportId: string) {
  const { identity } = subject;
  const minted = await identity.mint(await identity.wholePortal({ userEmail: email }));
  const answer = await visit(subject, identity.addressOf(minted));
  return isOpened(answer) && answer.text.toLowerCase().includes(reportId.toLowerCase());
}

/** Opens an address with these flags, and returns what tells its page from others. */
async function openWith(subject: PortalSubject, flags: object): Promise<string> {
  const { identity } = subject;
  const url = identity.addressOf(await identity.mint(await identity.anyBody(flags)));
  const answer = await visit(subject, url);
  return isOpened(answer) ? summarize(answer) : fail(`it answers ${describeAnswer(answer)}`);
}

/** Rules that compare what opened addresses show. */
export const openedPageRules: PortalRule[] = [
  {
    id: 'identity.report-access',
    covers: ['identity.user', 'users.linkReports'],
    expected: 'A report does not open for a user who has no access to it',
    writes: true,
    check: async (subject) => {
      const { identity } = subject;
      const { reader, stranger, reportId } = await createReaders(subject, 'access');
      const bodyOf = ({ email }: CreatedUser) => identity.oneReport({ userEmail: email, reportId });
      const refused = await identity.post(await bodyOf(stranger));
      if (!isSuccess(refused)) return `refused with ${refused.status}`;
      const url = identity.addressOf(await identity.mint(await bodyOf(stranger)));
      const unknown = await openUnknown(subject, url, visit);
      const answer = await visit(subject, url);
      if (!isOpened(answer)) return `the URL answers ${answer.status}`;
      const shown = await visit(
        subject,
        identity.addressOf(await identity.mint(await bodyOf(reader))),
      );
      if (summarize(shown) === unknown) skip(scripted);
      const name = textOf(await subject.fixtures.report(), 'name');
      if (!shown.text.includes(name))
        skip('the page does not contain the name of its report, so only a browser can show it');
      return summarize(answer) === summarize(shown)
        ? fail('it opens the same page as for a user with access')
        : 'it opens another page than for a user with access';
    },
  },
  {
    id: 'identity.whole-portal.reports',
    covers: ['identity.wholePortal', 'identity.user'],
    expected: 'The whole portal shows no report that the user may not open',
    writes: true,
    check: async (subject) => {
      const { reader, stranger, reportId } = await createReaders(subject, 'whole');
      if (!(await namesReport(subject, reader, reportId)))
        skip('the page does not contain the ids of its reports, so only a browser can show them');
      return (await namesReport(subject, stranger, reportId))
        ? fail(`the page of a user without reports contains the report ${reportId}`)
        : 'it contains only reports of the user';
    },
  },
  {
    id: 'identity.embed-hides-all',
    covers: ['identity.flags'],
    expected: 'embed hides what hideMenu, hideNavbar and hideSidebar hide together',
    writes: true,
    check: async (subject) => {
      const plain = await openWith(subject, {});
      if ((await openWith(subject, {})) !== plain) skip('two pages with the same flags differ');
      const all = { hideMenu: true, hideNavbar: true, hideSidebar: true };
      const hidden = await openWith(subject, all);
      if (hidden === plain)
        skip('the flags do not change the page, so only a browser can show them');
      const embedded = await openWith(subject, { embed: true });
      if (embedded === plain) fail('the page is the same as without flags');
      return embedded === hidden ? 'the same page' : 'a different page than without flags';
    },
  },
];
