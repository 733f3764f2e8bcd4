import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { renderMarkdown } from './render-markdown.tsx';

const html = (text: string) => render(<>{renderMarkdown(text)}</>).container.innerHTML;

describe('Markdown', () => {
  it.each([
    ['**a** *b* ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
    ['a & b < c', '<p>a &amp; b &lt; c</p>'],
    ['a &amp; &lt;b', '<p>a &amp; &lt;b</p>'],
    ['&quot;a&quot; it&#39;s &gt; b', `<p>"a" it's &gt; b</p>`],
    ['a&nbsp;b', '<p>a&nbsp;b</p>'],
    ['`<b>` and `&amp;`', '<p><code>&lt;b&gt;</code> and <code>&amp;amp;</code></p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['0. a', '<ol start="0"><li>a</li></ol>'],
    [String.raw`\*a\* \< b`, '<p>*a* &lt; b</p>'],
    ['> a', '<blockquote><p>a</p></blockquote>'],
    ['```\na < b\n```', '<pre><code>a &lt; b</code></pre>'],
    ['---', '<hr>'],
    ['a  \nb', '<p>a<br>b</p>'],
    ['- [x] done\n- [ ] open', '<ul><li>☑ done</li><li>☐ open</li></ul>'],
  ])('%j is rendered', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it('a link can have a title', () => {
    expect(html('[text](https://example.com "A title")')).toContain(' title="A title"');
  });

  it('headings are below those of the page and the tile', () => {
    expect(html('# A\n## B\n##### C').match(/<h\d/g)).toEqual(['<h3', '<h4', '<h6']);
  });

  it('a table has headers and aligned cells', () => {
    const table = html('| A | B |\n| --- | ---: |\n| 1 | 2 |');
    expect(table).toContain('<th scope="col">A</th><th scope="col" class="number">B</th>');
    expect(table).toContain('<td>1</td><td class="number">2</td>');
  });
});

describe('unsafe Markdown', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x">b</b>',
    '![picture](https://example.com/a.png)',
    '<iframe src="https://example.com"></iframe>',
    '<!-- comment --> <style>*{}</style>',
  ])('%s becomes no element of its own', (text) => {
    const { container } = render(<>{renderMarkdown(text)}</>);
    const names = [...container.querySelectorAll('*')].map(({ localName }) => localName);
    expect(names.filter((name) => name !== 'p')).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,a',
    'vbscript:a',
    'blob:https://example.com/1',
    '/relative',
    '//example.com',
    '#anchor',
  ])('the link to %s is its text only', (href) => {
    expect(html(`[text](${href})`)).toBe('<p>text</p>');
  });

  it.each(['https://example.com/', 'http://example.com/', 'mailto:data@example.com'])(
    'the link to %s opens apart from the page',
    (href) => {
      const { container } = render(<>{renderMarkdown(`[text](${href})`)}</>);
      const link = container.querySelector('a')!;
      expect(link).toHaveAttribute('href', href);
      expect(link).not.toHaveAttribute('title');
      expect(link).toHaveAttribute('target', '_blank');
      expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    },
  );
});
