import type { Page, Tile } from '../definition/document/read-document.ts';
import type { Step, TilePlace, TileTarget } from '../definition/document/steps.ts';

interface ModelTile {
  /** Titles of those whose comments the tile has. */
  owners: string[];
  values: Record<string, unknown>;
}

interface ModelRow {
  owners: string[];
  tiles: ModelTile[];
}

interface ModelPage {
  owner: string | undefined;
  name: string;
  rows: ModelRow[];
}

/** What steps mean, without a text: the oracle of the editor. */
export class Model {
  pages: ModelPage[];

  constructor(pages: readonly Page[]) {
    let count = 0;
    this.pages = pages.map(({ name, rows }) => ({
      owner: name,
      name,
      rows: rows.map(({ tiles }) => {
        count += 1;
        return {
          owners: [`Row ${count}`],
          tiles: tiles.map((values) => ({
            owners: [String(values['title']), `${String(values['title'])} width`],
            values: { ...values },
          })),
        };
      }),
    }));
  }

  clone(): Model {
    const copy = new Model([]);
    copy.pages = structuredClone(this.pages);
    return copy;
  }

  /** What the definition should say. */
  read(): Page[] {
    return this.pages.map(({ name, rows }) => ({
      name,
      rows: rows.map(({ tiles }) => ({ tiles: tiles.map(({ values }) => values) })),
    }));
  }

  /** Titles of those whose comments the text should have. */
  listOwners(): Set<string> {
    return new Set([
      'Report',
      ...this.pages.flatMap(({ owner, rows }) => [
        ...(owner === undefined ? [] : [owner]),
        ...rows.flatMap((row) => [...row.owners, ...row.tiles.flatMap(({ owners }) => owners)]),
      ]),
    ]);
  }

  apply(step: Step): void {
    switch (step.kind) {
      case 'add-tile':
        return this.#put({ owners: [], values: { ...step.tile } }, step.to);
      case 'duplicate-tile': {
        const values = structuredClone(this.#tile(step.at).values);
        return this.#put({ owners: [], values }, { ...step.at, index: step.at.index + 1 });
      }
      case 'remove-tile': {
        const { rows } = this.pages[step.at.page]!;
        rows[step.at.row]!.tiles.splice(step.at.index, 1);
        if (rows[step.at.row]!.tiles.length === 0) rows.splice(step.at.row, 1);
        return undefined;
      }
      case 'move-tile':
        return this.#move(step.at, step.to);
      case 'resize-tile':
        return undefined;
      case 'change-tile':
        return change(this.#tile(step.at), step.changes);
      case 'add-page': {
        const rows = [{ owners: [], tiles: [{ owners: [], values: { ...step.tile } }] }];
        this.pages.splice(step.page, 0, { owner: undefined, name: step.name, rows });
        return undefined;
      }
      case 'rename-page':
        this.pages[step.page]!.name = step.name;
        return undefined;
      case 'move-page': {
        const [page] = this.pages.splice(step.page, 1);
        this.pages.splice(step.to, 0, page!);
        return undefined;
      }
      case 'remove-page':
        this.pages.splice(step.page, 1);
        return undefined;
    }
  }

  /** Takes the widths that a resized row has. */
  setWidths({ page, row }: TilePlace, tiles: readonly Tile[]): void {
    for (const [index, { width }] of tiles.entries())
      if (width !== undefined) this.pages[page]!.rows[row]!.tiles[index]!.values['width'] = width;
  }

  #tile = ({ page, row, index }: TilePlace): ModelTile =>
    this.pages[page]!.rows[row]!.tiles[index]!;

  #put(tile: ModelTile, { page, row, index }: TileTarget): void {
    const { rows } = this.pages[page]!;
    if (index === undefined) return void rows.splice(row, 0, { owners: [], tiles: [tile] });
    const { tiles } = rows[row]!;
    tiles.splice(index, 0, tile);
    const needed = tiles.reduce((sum, { values }) => sum + Number(values['width'] ?? 1), 0);
    if (needed > 12) for (const each of tiles) change(each, { width: undefined });
  }

  /** Marks the tile's place, puts the tile, then removes the mark. */
  #move(at: TilePlace, to: TileTarget): void {
    const from = this.pages[at.page]!;
    const row = from.rows[at.row]!;
    const tile = row.tiles[at.index]!;
    const mark: ModelTile = { owners: [], values: { width: 0 } };
    row.tiles[at.index] = mark;
    const isLeft =
      row.tiles.length === 1 &&
      !(row === this.pages[to.page]!.rows[to.row] && to.index !== undefined);
    if (isLeft) tile.owners.push(...row.owners);
    this.#put(tile, to);
    row.tiles.splice(row.tiles.indexOf(mark), 1);
    if (row.tiles.length === 0) from.rows.splice(from.rows.indexOf(row), 1);
  }
}

function change(tile: ModelTile, changes: Tile): void {
  for (const [key, value] of Object.entries(changes))
    if (value === undefined) {
      Reflect.deleteProperty(tile.values, key);
      tile.owners = tile.owners.filter((owner) => !owner.endsWith(` ${key}`));
    } else tile.values[key] = value;
}
