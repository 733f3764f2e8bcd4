import fs from 'node:fs';

import { errorPagePath, errorTable, type ErrorCode } from '@portal-embed/contract';
import { Router } from 'express';
import { marked } from 'marked';

import { PortalError } from '../errors.ts';
import { allowOnly } from '../http/methods.ts';
import { packageFolder } from '../package-folder.ts';
import { hash } from './policy.ts';

/** Files with the sections of the errors, in the order of the index. */
const files = ['api', 'host', 'embed', 'readers', 'administration', 'command-line'] as const;

const style = `:root{color-scheme:light dark}
body{max-width:42rem;margin:0 auto;padding:2rem 1rem;font:1rem/1.6 system-ui,sans-serif}
h1{line-height:1.25}
h1,code{overflow-wrap:anywhere}
code{font-size:.95em}
li{margin:.25rem 0}`;

const policy = `default-src 'none'; style-src 'sha256-${hash(style)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface ErrorSection {
  code: string;
  markdown: string;
}

/** Returns the sections of one file and its first part, the heading with an introduction. */
function readFile(name: (typeof files)[number]): { opening: string; sections: ErrorSection[] } {
  const text = fs.readFileSync(new URL(`error-pages/${name}.md`, packageFolder), 'utf8');
  const [opening = '', ...parts] = text.split(/^## /m);
  const sections = parts.map((part) => {
    const [, code = '', markdown = ''] = /^`(\w+)`\n([^]*)$/.exec(part) ?? [];
    return { code, markdown };
  });
  return { opening, sections };
}

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);

/** What the index says. The component's own causes are not in the table. */
const summarize = ({ code, markdown }: ErrorSection): string =>
  isKnown(code)
    ? `${errorTable[code].title} (${errorTable[code].status})`
    : (/(?<=\*\*What happened\.\*\* )[^.:]+/.exec(markdown)?.[0] ?? '');

const renderDocument = (title: string, markdown: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${marked.parse(markdown, { async: false })}</main>
</body>
</html>
`;

/** Returns the page of each error by its path, and the index. */
function renderPages(): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  let index = '# Errors\n\nWhat each error means and what to do.\n';
  for (const file of files) {
    const { opening, sections } = readFile(file);
    index += `\n#${opening}\n`;
    for (const section of sections) {
      const { code, markdown } = section;
      index += `- [\`${code}\`](${errorPagePath(code)}): ${summarize(section)}\n`;
      const title = isKnown(code) ? `${summarize(section)}\n` : '';
      const text = `# \`${code}\`\n\n${title}${markdown}\n[All errors](${errorPagePath()})\n`;
      pages.set(errorPagePath(code), renderDocument(code, text));
    }
  }
  return pages.set(errorPagePath(), renderDocument('Errors', index));
}

/** The pages about errors, `/docs/errors` and `/docs/errors/{code}`. They are public. */
export function errorPagesRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let pages: ReturnType<typeof renderPages> | undefined;
  router
    .route([errorPagePath(), errorPagePath(':code')])
    .get((req, res) => {
      const page = (pages ??= renderPages()).get(req.path);
      if (page === undefined)
        throw new PortalError(
          'not_found',
          `There is no error with this name. ${errorPagePath()} lists all errors.`,
        );
      res
        .type('html')
        .set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy })
        .send(page);
    })
    .all(allowOnly('GET'));
  return router;
}
