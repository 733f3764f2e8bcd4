import type { Report } from '../files/report.ts';
import type { Issue } from '../issues/issue.ts';

/** A page computes all of its tiles for each reader, so larger ones would slow other reports. */
const maxTilesOfPage = 60;
const maxTilesOfReport = 200;

/** Limits the number of tiles. Stored reports with more of them are still shown. */
export function checkSize({ pages }: Report): Issue[] {
  const counts = pages.map(({ rows }) => rows.reduce((sum, { tiles }) => sum + tiles.length, 0));
  const issues: Issue[] = counts.flatMap((count, index) =>
    count > maxTilesOfPage
      ? [
          {
            path: ['pages', index],
            message: `${pages[index]!.name}: the page has ${count} tiles, but the maximum is ${maxTilesOfPage}; move some to another page`,
          },
        ]
      : [],
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > maxTilesOfReport)
    issues.push({
      path: ['pages'],
      message: `the report has ${total} tiles, but the maximum is ${maxTilesOfReport}; move some pages to another report`,
    });
  return issues;
}
