import { Lexer, walkTokens, type Token } from 'marked';

import type { Report } from '../files/report.ts';
import type { Issue } from '../issues/issue.ts';

const address = /^(https?:\/\/|mailto:)./i;

function describeToken(token: Token): string | undefined {
  const raw = JSON.stringify(token.raw.trim().slice(0, 40));
  if (token.type === 'html') return `HTML is not supported; write Markdown instead of ${raw}`;
  if (token.type === 'image') return `images are not supported; remove ${raw}`;
  if (token.type !== 'link') return undefined;
  return address.test(token['href'])
    ? undefined
    : `the link ${raw} has an unsupported address; begin it with https://, http:// or mailto:`;
}

/** Lists the parts of a Markdown text that pages do not support. */
function checkMarkdown(text: string): string[] {
  const problems: string[] = [];
  try {
    void walkTokens(new Lexer({ gfm: true }).lex(text), (token) => {
      const problem = describeToken(token);
      if (problem !== undefined) problems.push(problem);
    });
  } catch {
    problems.push('the text is nested too deeply; use fewer levels');
  }
  return problems;
}

/** Checks the texts of a report. Readers need no check, since pages show what is not Markdown as text. */
export const checkTexts = ({ pages }: Report): Issue[] =>
  pages.flatMap(({ name, rows }, page) =>
    rows.flatMap(({ tiles }, row) =>
      tiles.flatMap((tile, index) => {
        if (tile.type !== 'text') return [];
        const path = ['pages', page, 'rows', row, 'tiles', index, 'text'];
        const subject = tile.title ?? `${name}, text`;
        return checkMarkdown(tile.text).map((problem) => ({
          path,
          message: `${subject}: ${problem}`,
        }));
      }),
    ),
  );
