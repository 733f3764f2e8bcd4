import { Lexer, walkTokens, type Token } from 'marked';

const address = /^(https?:\/\/|mailto:)./i;

function describeToken(token: Token): string | undefined {
  const raw = JSON.stringify(token.raw.trim().slice(0, 40));
  if (token.type === 'html') return `HTML is shown as text; write Markdown instead of ${raw}`;
  if (token.type === 'image') return `images are not shown; remove ${raw}`;
  if (token.type !== 'link') return undefined;
  return address.test(token['href'])
    ? undefined
    : `the link ${raw} opens nothing; write an address with https:, http: or mailto:`;
}

/** What pages do not show of a Markdown text. */
export function checkMarkdown(text: string): string[] {
  const problems: string[] = [];
  try {
    void walkTokens(new Lexer({ gfm: true }).lex(text), (token) => {
      const problem = describeToken(token);
      if (problem !== undefined) problems.push(problem);
    });
  } catch {
    problems.push('the text is nested too deeply');
  }
  return problems;
}
