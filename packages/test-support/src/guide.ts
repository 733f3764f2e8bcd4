import fs from 'node:fs';

/** A code block of a guide. */
export interface GuideBlock {
  language: string;
  code: string;
  /** The last file name in the text between the previous block and this one. */
  file: string;
}

/** Returns a function that lists the code blocks of a section, found by the start of its heading. */
export function readGuide(file: string | URL): (heading: string) => GuideBlock[] {
  const sections = fs.readFileSync(file, 'utf8').split(/^## /m);
  return (heading) => {
    const section = sections.find((each) => each.startsWith(heading)) ?? '';
    const blocks = section.matchAll(/([^]*?)^```(\w+)\n([^]*?)^```$/gm);
    return [...blocks].map(([, before = '', language = '', code = '']) => {
      const files = before.match(/(?<=`)[\w/-]+\.(js|html)(?=`)/g) ?? [];
      return { language, code, file: files.at(-1) ?? '' };
    });
  };
}
