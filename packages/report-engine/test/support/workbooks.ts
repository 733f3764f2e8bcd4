import { crc32, deflateRawSync } from 'node:zlib';

/** A part of a zip archive. */
export interface Part {
  name: string;
  content: string | Buffer;
  /** The unpacked size that the archive states, if it is wrong. */
  size?: number;
}

/** Writes a zip archive. */
export function writeZip(parts: readonly Part[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, size } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, title, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), common, place, title]));
    files.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';

interface WorkbookParts {
  /** Rows in XML, by the name of the sheet. */
  sheets: Record<string, string>;
  /** XML before and after the rows of each sheet, such as merged cells. */
  before?: string;
  after?: string;
  /** Codes of number formats; the style of a cell counts from 1. */
  formats?: string[];
  /** Texts that cells share, in XML. */
  texts?: string[];
  /** XML in the workbook before and after its sheets. */
  properties?: string;
  calculation?: string;
  /** States of sheets that are not visible. */
  states?: Record<string, string>;
}

type Relation = readonly [id: string, type: string, target: string];

/** The parts of a workbook. */
export function listParts({
  sheets,
  before = '',
  after = '',
  formats = [],
  texts,
  properties = '',
  calculation = '',
  states = {},
}: WorkbookParts): Part[] {
  const names = Object.keys(sheets);
  const relate = (all: readonly Relation[]) =>
    `<Relationships xmlns="${relations}">${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
  const listed = names.map((name, index) => {
    const state = states[name] === undefined ? '' : ` state="${states[name]}"`;
    return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
  });
  return [
    { name: '_rels/.rels', content: relate([['rId1', 'officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${office}">${properties}<sheets>${listed.join('')}</sheets>${calculation}</workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relate([
        ...names.map((_, index): Relation => [
          `rId${index + 1}`,
          'worksheet',
          `worksheets/sheet${index + 1}.xml`,
        ]),
        ['styles', 'styles', 'styles.xml'],
        ...(texts ? [['texts', 'sharedStrings', 'sharedStrings.xml'] satisfies Relation] : []),
      ]),
    },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet xmlns="${main}"><numFmts>${formats.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(code)}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join('')}</cellXfs></styleSheet>`,
    },
    ...(texts
      ? [
          {
            name: 'xl/sharedStrings.xml',
            content: `<sst xmlns="${main}">${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
          },
        ]
      : []),
    ...Object.values(sheets).map((rows, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `<worksheet xmlns="${main}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
    })),
  ];
}

export const writeWorkbook = (parts: WorkbookParts): Buffer => writeZip(listParts(parts));

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A cell as a test writes it: a text, a number, or XML with its attributes. */
export type TestCell = string | number | boolean | null | { xml: string };

/** A cell with a number in the style of a format of `WorkbookParts`, from 1. */
export const styled = (style: number, value: number | string): TestCell => ({
  xml: `s="${style}"><v>${value}</v>`,
});

/** Writes rows without references, as a few programs do. */
export const writeCells = (rows: readonly (readonly TestCell[])[]): string =>
  rows.map((cells) => `<row>${cells.map(writeCell).join('')}</row>`).join('');

function writeCell(cell: TestCell): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'object') return `<c ${cell.xml}</c>`;
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c t="b"><v>${Number(cell)}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
}
