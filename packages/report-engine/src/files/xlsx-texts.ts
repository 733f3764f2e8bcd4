import { Problem } from './csv-names.ts';
import type { Archive } from './xlsx-archive.ts';
import { readXml, type XmlHandlers } from './xlsx-xml.ts';

/** Limits of the texts that cells share, which are kept in memory. */
const maxTexts = 5_000_000;
const maxCharacters = 256 * 1_024 ** 2;

/** Far more than Excel permits in a cell. */
const maxText = 1_000_000;

const tooLarge =
  'the workbook has too many different texts to read them; save its sheet as CSV, and use that file';

/** Reads the texts that cells share. */
export async function readTexts(archive: Archive, part: string): Promise<string[]> {
  const texts: string[] = [];
  let characters = 0;
  const text = new RichText();
  await readXml(archive.read(part), {
    open: (name) => {
      if (name === 'si') text.clear();
      else text.open(name);
    },
    text: (value) => text.add(value),
    close: (name) => {
      text.close(name);
      if (name !== 'si') return;
      const { value } = text;
      characters += value.length;
      texts.push(value);
      if (texts.length > maxTexts || characters > maxCharacters) throw new Problem(tooLarge);
    },
  } satisfies XmlHandlers);
  return texts;
}

/** Joins the parts of a text, such as its bold and plain words. */
export class RichText {
  #text = '';
  #isText = false;
  #isPhonetic = false;

  clear(): void {
    this.#text = '';
  }

  open(name: string): void {
    if (name === 't') this.#isText = !this.#isPhonetic;
    // How East Asian words are spoken.
    if (name === 'rPh') this.#isPhonetic = true;
  }

  add(text: string): void {
    if (!this.#isText) return;
    this.#text += text;
    if (this.#text.length > maxText) throw new Problem(tooLarge);
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    if (name === 'rPh') this.#isPhonetic = false;
  }

  get value(): string {
    return unescapeText(this.#text);
  }
}

/** Characters that XML cannot hold are written as `_x000D_`. */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
        String.fromCharCode(parseInt(code, 16)),
      )
    : text;
