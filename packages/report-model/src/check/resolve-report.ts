import { describeType, isTime } from '../expression/types.ts';
import type { FieldType } from '../files/dataset.ts';
import type { Report, ReportFilter, ReportPage } from '../files/report.ts';
import { parseFilterValue, type FilterValue } from '../filters/value.ts';
import { limitIssues, maxIssues, type Issue } from '../issues/issue.ts';
import { describeMissing } from '../issues/nearest.ts';
import { divideWidth } from '../layout/divide-width.ts';
import { isReversed } from '../values/literals.ts';
import { findDuplicates } from './resolve-names.ts';
import type {
  DraftDataset,
  ResolvedDataset,
  ResolvedFilter,
  ResolvedPage,
  ResolvedReport,
} from './resolved.ts';
import { resolveTile } from './tile.ts';

/** Nodes of the expressions that one page computes. */
const maxNodes = 50_000;

class ReportChecker {
  readonly issues: Issue[] = [];
  readonly #dataset: DraftDataset;

  constructor(dataset: DraftDataset) {
    this.#dataset = dataset;
  }

  #report(path: Issue['path'], message: string): void {
    this.issues.push({ path, message });
  }

  page({ name, rows }: ReportPage, pageIndex: number): ResolvedPage {
    let nodes = 0;
    const resolvedRows = rows.map(({ tiles }, rowIndex) => {
      const path = ['pages', pageIndex, 'rows', rowIndex, 'tiles'];
      const widths = divideWidth(tiles);
      if (!widths)
        this.#report(
          path,
          `${name}: the tiles of this row need more than 12 columns; reduce a width, or start another row`,
        );
      const resolved = tiles.flatMap((tile, index) => {
        if (this.issues.length > maxIssues) return [];
        const slot = { id: `${pageIndex}.${rowIndex}.${index}`, width: widths?.[index] ?? 12 };
        const result = resolveTile(tile, slot, this.#dataset);
        for (const mistake of result.mistakes)
          this.#report(
            [...path, index, ...mistake.path],
            `${tile.title ?? `${name}, ${tile.type}`}: ${mistake.message}`,
          );
        nodes += result.nodes;
        return [result.tile];
      });
      return { tiles: resolved };
    });
    if (nodes > maxNodes)
      this.#report(
        ['pages', pageIndex],
        `${name}: the expressions of the tiles are too large together; move some tiles to another page`,
      );
    return { name, rows: resolvedRows };
  }

  filter(filter: ReportFilter, index: number): ResolvedFilter[] {
    const { field: name } = filter;
    const path = ['filters', index];
    const { fields, broken, lost } = this.#dataset;
    const field = fields.get(name);
    if (!field) {
      if (broken.has(name)) return [];
      this.#report([...path, 'field'], describeMissing(name, fields.keys(), lost));
      return [];
    }
    if (filter.default === undefined) return [{ field: name, type: field.type }];
    const texts = [filter.default].flat();
    for (const [at, text] of texts.entries()) {
      const problem = this.#describeDefault(text, field.type);
      const where = Array.isArray(filter.default) ? ['default', at] : ['default'];
      if (problem) this.#report([...path, ...where], `${name}: the default "${text}" ${problem}`);
    }
    return [{ field: name, type: field.type, default: texts }];
  }

  #describeDefault(text: string, type: FieldType): string | undefined {
    const value = parseFilterValue(text, type);
    if (!value) return `is not ${describeType(type)}; write ${exampleOf(type)}`;
    if (value.kind === 'range' && isEmptyRange(value, type))
      return 'is an empty range; swap its ends';
    if (value.kind === 'periods' && this.#dataset.time === undefined)
      return 'needs a time in the dataset; add one there, such as "time: Order Date"';
    return undefined;
  }
}

function exampleOf(type: FieldType): string {
  if (type === 'boolean') return '"true" or "false"';
  if (!isTime(type)) return '"12" or "10..20"';
  return '"2024-12-31", "2024-01-01..2024-06-30" or "last 12 months"';
}

const isEmptyRange = ({ from, to }: FilterValue & { kind: 'range' }, type: FieldType) =>
  from !== undefined && to !== undefined && isReversed(from, to, type);

/** Issues for fields with more than one filter. */
function findDuplicateFilters(filters: readonly ReportFilter[]): Issue[] {
  return filters.flatMap(({ field }, index) =>
    filters.findIndex((other) => other.field === field) === index
      ? []
      : [
          {
            path: ['filters', index, 'field'],
            message: `${field}: another filter has this field; remove one`,
          },
        ],
  );
}

/**
 * Resolves the names of a report.
 *
 * @param dataset a draft is enough to find the report's own issues
 * @returns the report, if neither it nor the dataset has a mistake
 */
export function resolveReport(
  report: Report,
  dataset: ResolvedDataset | DraftDataset,
): { report?: ResolvedReport; issues: Issue[] } {
  const draft = { broken: new Set<string>(), ...dataset };
  const checker = new ReportChecker(draft);
  const filters = report.filters.flatMap((filter, index) => checker.filter(filter, index));
  const pages = report.pages.map((page, index) => checker.page(page, index));
  const issues = limitIssues([
    ...findDuplicateFilters(report.filters),
    ...findDuplicates(report.pages, ['pages'], 'page'),
    ...checker.issues,
  ]);
  if (issues.length > 0 || draft.broken.size > 0) return { issues };
  const { name, description } = report;
  return {
    report: { name, ...(description !== undefined && { description }), filters, pages },
    issues,
  };
}
