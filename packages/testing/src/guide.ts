import fs from 'node:fs';

/** A code block of a guide. */
export interface GuideBlock {
  language: string;
  code: string;
  /** The file that the text before names last. */
  file: string;
}

/** The code blocks of a guide, by what the heading of their section begins with. */
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
