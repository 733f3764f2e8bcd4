/**
 * Snippets of guides and READMEs come from tested files. In Markdown, a comment names the file and the
 * region. The code block below it contains the lines of the file between `// #region mount` (in HTML
 * `<!-- #region mount -->`, in CSS a block comment) and `#endregion`:
 *
 *     <!-- snippet: packages/express/examples/jwt.ts#mount -->
 *
 * `#file` is the whole file. `node packages/docs/snippets.mjs` updates the blocks.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const block = /(<!-- snippet: (\S+?)#(\S+) -->\n\n)```\w*\n[^]*?```/g;

const isMarker = (line, marker) =>
  [`// ${marker}`, `/* ${marker} */`, `<!-- ${marker} -->`].includes(line.trim());

/** Returns the lines of a region without their common indentation. */
function readRegion(file, region) {
  const text = fs.readFileSync(path.join(repository, file), 'utf8').trimEnd();
  const lines = text.split('\n');
  if (region === 'file') return lines.filter((line) => !/ #(end)?region\b/.test(line)).join('\n');
  const start = lines.findIndex((line) => isMarker(line, `#region ${region}`));
  const end = lines.findIndex((line, index) => index > start && isMarker(line, '#endregion'));
  if (start === -1 || end === -1) throw new Error(`${file} has no region "${region}".`);
  const body = lines.slice(start + 1, end);
  const indents = body.filter((line) => line !== '').map((line) => /^ */.exec(line)[0].length);
  return body.map((line) => line.slice(Math.min(...indents))).join('\n');
}

/** Returns the text with each code block updated from its source. */
export function renderSnippets(markdown) {
  return markdown.replace(block, (_, comment, file, region) => {
    const language = path.extname(file).slice(1);
    return `${comment}\`\`\`${language}\n${readRegion(file, region)}\n\`\`\``;
  });
}

/** Returns every guide and every README with snippets, with its text. */
export function readGuides() {
  const names = [
    'packages/docs/guides',
    'packages/client',
    'packages/conformance',
    'packages/express',
    'packages/host',
    'packages/react',
    'packages/testing',
  ].flatMap((folder) =>
    fs
      .readdirSync(path.join(repository, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  return ['README.md', ...names].map((name) => ({
    name,
    text: fs.readFileSync(path.join(repository, name), 'utf8'),
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { name, text } of readGuides())
    fs.writeFileSync(path.join(repository, name), renderSnippets(text));
