import { Lexer, type Token, type Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';

/**
 * Renders Markdown as React elements. Nothing becomes HTML: tags are shown as text, and an image as
 * its description.
 */
export const renderMarkdown = (text: string): ReactNode =>
  renderAll(new Lexer({ gfm: true }).lex(text));

/** The children keep their places, so they need no keys. */
const renderAll = (tokens: readonly Token[] = []): ReactNode =>
  createElement(Fragment, null, ...tokens.map(render));

function render(token: Token): ReactNode {
  switch (token.type) {
    case 'heading':
      return renderHeading(token as Tokens.Heading);
    case 'paragraph':
      return <p>{renderAll(token.tokens)}</p>;
    case 'strong':
      return <strong>{renderAll(token.tokens)}</strong>;
    case 'em':
      return <em>{renderAll(token.tokens)}</em>;
    case 'del':
      return <del>{renderAll(token.tokens)}</del>;
    case 'codespan':
      return <code>{token['text']}</code>;
    case 'code':
      return (
        <pre>
          <code>{token['text']}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{renderAll(token.tokens)}</blockquote>;
    case 'list':
      return renderList(token as Tokens.List);
    case 'table':
      return renderTable(token as Tokens.Table);
    case 'link':
      return renderLink(token as Tokens.Link);
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    case 'text':
      return token.tokens ? renderAll(token.tokens) : decode(token['text']);
    case 'escape':
    case 'image':
      return decode(token['text']);
    default:
      return token.raw;
  }
}

const headingClasses: Record<number, string> = { 1: 'markdown-title', 2: 'markdown-heading' };

/** The headings of the page and the tile have the first two levels. */
function renderHeading({ depth, tokens }: Tokens.Heading): ReactNode {
  const Heading = `h${Math.min(depth + 2, 6)}` as 'h3' | 'h4' | 'h5' | 'h6';
  return (
    <Heading className={headingClasses[depth] ?? 'markdown-subheading'}>
      {renderAll(tokens)}
    </Heading>
  );
}

function renderList({ ordered, start, items }: Tokens.List): ReactNode {
  const entries = items.map(renderItem);
  return ordered
    ? createElement('ol', { start: Number(start) }, ...entries)
    : createElement('ul', null, ...entries);
}

const renderItem = ({ task, checked, tokens }: Tokens.ListItem): ReactNode => (
  <li>
    {task && (checked ? '☑ ' : '☐ ')}
    {renderAll(tokens)}
  </li>
);

const renderTable = ({ header, rows }: Tokens.Table): ReactNode => (
  <div className="table-scroll">
    <table>
      <thead>{createElement('tr', null, ...header.map(renderHeader))}</thead>
      {createElement('tbody', null, ...rows.map(renderRow))}
    </table>
  </div>
);

const renderRow = (cells: Tokens.TableCell[]): ReactNode =>
  createElement('tr', null, ...cells.map(renderCell));

const renderHeader = (cell: Tokens.TableCell): ReactNode => (
  <th scope="col" className={classOf(cell)}>
    {renderAll(cell.tokens)}
  </th>
);

const renderCell = (cell: Tokens.TableCell): ReactNode => (
  <td className={classOf(cell)}>{renderAll(cell.tokens)}</td>
);

const classOf = ({ align }: Tokens.TableCell) => (align === 'right' ? 'number' : undefined);

const allowed = new Set(['http:', 'https:', 'mailto:']);

/** A link opens outside of the frame, without a referrer or an opener. */
function renderLink({ href, title, tokens }: Tokens.Link): ReactNode {
  const url = URL.canParse(href) ? new URL(href) : null;
  if (!url || !allowed.has(url.protocol)) return renderAll(tokens);
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow" {...(title && { title })}>
      {renderAll(tokens)}
    </a>
  );
}

/** In texts of tokens, these characters are entities. */
const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};

const decode = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity]!);
