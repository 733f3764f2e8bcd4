import { useRef, useState, type ComponentProps, type ReactNode } from 'react';

import { useFullHeight } from '../../full-view.tsx';
import { useViewer } from '../../viewer-context.ts';
import { CellLink } from './CellLink.tsx';
import { hasLongWord } from './has-long-word.ts';
import { HighlightedNumber } from './HighlightedNumber.tsx';
import { MarkButton } from './marks/MarkButton.tsx';
import { isToAdd, keepText, type MarkState } from './marks/use-selection.ts';
import { Pager } from './Pager.tsx';
import { TableScroll } from './TableScroll.tsx';

export interface Column<Row> {
  id: string;
  name: string;
  kind: 'text' | 'time' | 'number';
  /** Whether the column contains the names of the rows. */
  isHeader: boolean;
  text: (row: Row) => string;
  compare: (one: Row, other: Row) => number;
  /** Whether the row has no value in this column. Such rows come last in both directions. */
  isMissing: (row: Row) => boolean;
  /** What highlights a number. Default: nothing. */
  highlight?: (row: Row) => Omit<ComponentProps<typeof HighlightedNumber>, 'text'>;
  /** The address to which the text links. Default: none. */
  link?: (row: Row) => string | undefined;
}

export interface Sort {
  column: number;
  descending: boolean;
}

interface DataTableProps<Row> {
  title: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Whether a row stays last when this table sorts. The service already returns it last. Default: no row. */
  isLast?: (row: Row) => boolean;
  /** The order in which the rows are given. */
  sort?: Sort | undefined;
  /** Requests the rows in another order. Default: the given rows are sorted. */
  onSort?: ((sort: Sort) => void) | undefined;
  pageSize: number;
  /** Number of rows with those beyond the limit of the tile. Default: that of `rows`. */
  rowCount?: number | undefined;
  /** The cells of the total row, in the order of the columns. */
  totals?: readonly ReactNode[] | undefined;
  /** Describes a row in its tooltip. Default: no tooltip. */
  describe?: ((row: Row, mark: MarkState | undefined) => string) | undefined;
  /** Makes rows selectable. Returns `undefined` for a row that cannot be selected. */
  findMark?: (row: Row) => MarkState | undefined;
}

const isNever = () => false;

/** A table with pages, which each column can sort. */
export function DataTable<Row>({
  title,
  columns,
  rows,
  isLast = isNever,
  sort: given,
  onSort,
  pageSize: rowsPerPage,
  rowCount,
  totals,
  describe,
  findMark,
}: DataTableProps<Row>) {
  const { chartCode, isPrinting } = useViewer();
  const table = useRef<HTMLTableElement>(null);
  const isFull = useFullHeight() !== undefined;
  const [fitting, setFitting] = useState(rowsPerPage);
  const fullSize = isFull ? fitting : rowsPerPage;
  const pageSize = isPrinting ? Math.max(rows.length, 1) : fullSize;
  const [chosen, setChosen] = useState<Sort | null>(null);
  const [page, setPage] = useState(0);
  const sort = chosen ?? given;
  const ordered = chosen ? sortRows(rows, columns[chosen.column], chosen.descending, isLast) : rows;
  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  const current = Math.min(page, pages - 1);
  const first = current * pageSize;
  const shown = ordered
    .slice(first, first + pageSize)
    .map((row, index) => ({ id: first + index, row, mark: findMark?.(row) }));
  const tabStop = shown.find(({ mark }) => mark)?.id;

  const toggle = (column: number) => {
    const descending =
      sort?.column === column ? !sort.descending : columns[column]!.kind === 'number';
    (onSort ?? setChosen)({ column, descending });
    setPage(0);
  };

  return (
    <>
      {isFull && chartCode && <chartCode.FitRows table={table} onFit={setFitting} />}
      <TableScroll title={title}>
        <table ref={table}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              {columns.map(({ id, name, kind }, index) => (
                <th
                  key={id}
                  scope="col"
                  className={classOf(kind)}
                  data-long={hasLongWord(name)}
                  aria-sort={sort?.column === index ? directionOf(sort) : undefined}
                >
                  {isPrinting ? (
                    // Chromium leaves buttons out of the headers that it repeats on each sheet.
                    <span className="sort">{name}</span>
                  ) : (
                    <button type="button" className="sort" onClick={() => toggle(index)}>
                      {name}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, row, mark }) => (
              <MarkedRow key={id} mark={mark} tip={describe?.(row, mark)}>
                {columns.map((column) => (
                  <Cell key={column.id} column={column} isLong={hasLongWord(column.text(row))}>
                    {column.isHeader && mark ? (
                      <span className="cell-marked">
                        <MarkButton
                          mark={mark}
                          isTabStop={id === tabStop}
                          onKeyDown={chartCode?.moveFocus}
                        >
                          {column.text(row)}
                        </MarkButton>
                        <CellLink address={column.link?.(row)} text={column.text(row)} isSign />
                      </span>
                    ) : (
                      <CellText column={column} row={row} />
                    )}
                  </Cell>
                ))}
              </MarkedRow>
            ))}
          </tbody>
          {totals && (
            <tfoot>
              <tr>
                {columns.map((column, index) => (
                  <Cell key={column.id} column={column}>
                    {totals[index]}
                  </Cell>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </TableScroll>
      {pages > 1 && (
        <Pager
          title={title}
          first={first + 1}
          last={first + shown.length}
          total={rows.length}
          all={rowCount}
          page={current}
          pages={pages}
          onChange={setPage}
        />
      )}
    </>
  );
}

function CellText<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const text = column.text(row);
  if (column.highlight) return <HighlightedNumber {...column.highlight(row)} text={text} />;
  return column.link ? <CellLink address={column.link(row)} text={text} /> : text;
}

interface MarkedRowProps {
  mark: MarkState | undefined;
  tip: string | undefined;
  children: ReactNode;
}

/** A click anywhere in a row selects it, except at the end of selecting its text. */
const MarkedRow = ({ mark, tip, children }: MarkedRowProps) => (
  <tr
    data-tip={tip}
    className={mark && 'marked'}
    data-faint={mark?.isFaint}
    onMouseDown={mark && keepText}
    onClick={
      mark && ((event) => getSelection()?.isCollapsed !== false && mark.toggle(isToAdd(event)))
    }
  >
    {children}
  </tr>
);

interface CellProps<Row> {
  column: Column<Row>;
  isLong?: boolean;
  children: ReactNode;
}

function Cell<Row>({ column, isLong, children }: CellProps<Row>) {
  const attributes = { className: classOf(column.kind), 'data-long': isLong };
  if (!column.isHeader) return <td {...attributes}>{children}</td>;
  return (
    <th scope="row" {...attributes}>
      {children}
    </th>
  );
}

const classOf = (kind: Column<unknown>['kind']) => (kind === 'text' ? undefined : kind);

const directionOf = ({ descending }: Sort) => (descending ? 'descending' : 'ascending');

function sortRows<Row>(
  rows: readonly Row[],
  column: Column<Row> | undefined,
  descending: boolean,
  isLast: (row: Row) => boolean,
): readonly Row[] {
  if (!column) return rows;
  return rows.toSorted((one, other) => {
    const place = Number(isLast(one)) - Number(isLast(other));
    const missing = Number(column.isMissing(one)) - Number(column.isMissing(other));
    return place || missing || (descending ? -1 : 1) * column.compare(one, other);
  });
}
