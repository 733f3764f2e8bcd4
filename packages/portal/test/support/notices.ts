import { sourceAssets } from '../../dev/assets.ts';
import { describeNotice } from '../../src/pages/notices.ts';

/** The texts of a notice in one language. */
export const noticeOf = (name: Parameters<typeof describeNotice>[1], language = 'en') =>
  describeNotice(sourceAssets.languages.get(language)!, name);
