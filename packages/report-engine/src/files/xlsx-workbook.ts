import path from 'node:path/posix';

import { Problem } from './csv-names.ts';
import { Archive } from './xlsx-archive.ts';
import { readBuiltIn, readFormatCode, type CellFormat } from './xlsx-formats.ts';
import { findPrefixed, readXml } from './xlsx-xml.ts';

export interface Sheet {
  name: string;
  /** Its part in the archive. */
  part: string;
  isHidden: boolean;
}

/** A workbook without the cells of its sheets. */
export interface Workbook {
  archive: Archive;
  /** In the order of their tabs, without charts. */
  sheets: Sheet[];
  /** Whether dates count from 1904. */
  is1904: boolean;
  /** Whether the program that wrote the workbook has computed no formulas. */
  isUncomputed: boolean;
  /** Part of the texts that cells share, if there is one. */
  strings: string | undefined;
  /** The formats of the cells, by the index of their style. */
  formats: CellFormat[];
}

/** Parts other than sheets and texts are small. */
const maxBytes = 64 * 1_024 ** 2;

/** @throws `Problem` if the file is not an Excel workbook */
export async function openWorkbook(file: string): Promise<Workbook> {
  const archive = await Archive.open(file);
  try {
    return await readWorkbook(archive);
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function readWorkbook(archive: Archive): Promise<Workbook> {
  const document = (await readRelations(archive, '')).find(({ type }) =>
    type.endsWith('/officeDocument'),
  );
  // A binary workbook (.xlsb) has the same relations.
  if (!document?.target.endsWith('.xml') || !archive.has(document.target))
    throw new Problem(notExcel);
  const relations = await readRelations(archive, document.target);
  const partOf = (type: string) => {
    const part = relations.find((relation) => relation.type.endsWith(`/${type}`))?.target;
    return part !== undefined && archive.has(part) ? part : undefined;
  };
  const sheets: Sheet[] = [];
  let [is1904, isUncomputed] = [false, false];
  await readXml(archive.read(document.target, maxBytes), {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = isTrue(attributes['date1904']);
      if (name === 'calcPr') isUncomputed = isTrue(attributes['fullCalcOnLoad']);
      if (name !== 'sheet') return;
      const id = findPrefixed(attributes, 'id');
      const found = relations.find((relation) => relation.id === id);
      if (!found?.type.endsWith('/worksheet')) return;
      const { name: title = '', state = 'visible' } = attributes;
      sheets.push({ name: title, part: found.target, isHidden: state !== 'visible' });
    },
  });
  const styles = partOf('styles');
  return {
    archive,
    sheets,
    is1904,
    isUncomputed,
    strings: partOf('sharedStrings'),
    formats: styles === undefined ? [] : await readFormats(archive, styles),
  };
}

const notExcel = 'the file is not a workbook of Excel; save it as .xlsx, or save its sheet as CSV';

const isTrue = (value: string | undefined) => value === '1' || value === 'true';

interface Relation {
  id: string;
  type: string;
  /** A part of the archive. */
  target: string;
}

/** Reads what a part, or the archive, refers to. */
async function readRelations(archive: Archive, part: string): Promise<Relation[]> {
  const { dir, base } = path.parse(part);
  const name = path.join(dir, '_rels', `${base}.rels`);
  if (!archive.has(name)) return [];
  const relations: Relation[] = [];
  await readXml(archive.read(name, maxBytes), {
    open: (element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
      if (element !== 'Relationship' || mode === 'External') return;
      const absolute = target.startsWith('/') ? target.slice(1) : path.join(dir, target);
      relations.push({ id, type, target: absolute });
    },
  });
  return relations;
}

async function readFormats(archive: Archive, part: string): Promise<CellFormat[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isOfCells = false;
  await readXml(archive.read(part, maxBytes), {
    open: (name, attributes) => {
      if (name === 'numFmt')
        codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) ids.push(Number(attributes['numFmtId'] ?? 0));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return ids.map((id) => {
    const code = codes.get(id);
    return code === undefined ? readBuiltIn(id) : readFormatCode(code);
  });
}
