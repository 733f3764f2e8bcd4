import { describe, expect, it } from 'vitest';

import { readDatasetText, removeItem, writeItem } from './dataset-text.ts';

const text = `# Orders of all shops
name: Orders
source: { file: orders.csv }   # from the ERP
fields:
  - {name: Region}

metrics:
  # Net of tax
  - name: Sales
    expression: sum(Sales)   # without returns
    better: lower
roles:
  - name: West # see the contract
    rows:
      and:
        # Ada asked for this
        - { field: Region, in: [West, "North West"] }
        - { field: Sales, after: 10 }
  - { name: All, rows: all }
`;

describe('the text of a dataset', () => {
  it('has metrics and roles', () => {
    const outline = readDatasetText(text)!;
    expect(outline.metrics).toEqual([{ name: 'Sales', expression: 'sum(Sales)', better: 'lower' }]);
    expect(outline.roles.map(({ name }) => name)).toEqual(['West', 'All']);
  });

  it.each([
    ['name: [', 'a mistake of syntax'],
    ['metrics: 5', 'metrics that are no list'],
    ['roles: [West]', 'roles that are no mappings'],
    ['roles: &a []\nmetrics: *a', 'an alias'],
    ['', 'nothing'],
    ['- 1', 'no mapping'],
  ])('%s cannot be edited by a form: %s', (wrong) => {
    expect(readDatasetText(wrong)).toBeUndefined();
    expect(() => removeItem(wrong, 'metrics', 'Sales')).toThrow(
      'The text cannot be edited by a form.',
    );
  });

  it('without a change stays as it is', () => {
    const [sales] = readDatasetText(text)!.metrics;
    expect(writeItem(text, 'metrics', 'Sales', sales!)).toBe(text);
    const crlf = text.replaceAll('\n', '\r\n');
    expect(writeItem(crlf, 'metrics', 'Sales', sales!)).toBe(crlf);
  });
});

describe('a metric', () => {
  it('that is changed keeps comments, other properties and other lines', () => {
    const changed = writeItem(text, 'metrics', 'Sales', {
      name: 'Revenue',
      expression: 'avg(Sales)',
      format: { style: 'currency', currency: 'USD' },
    });
    expect(changed).toBe(
      text
        .replace('name: Sales', 'name: Revenue')
        .replace('sum(Sales)   #', 'avg(Sales) #')
        .replace(
          'better: lower\n',
          'better: lower\n    format: { style: currency, currency: USD }\n',
        ),
    );
  });

  it('is added after the others, and its format removed again', () => {
    const added = writeItem(text, 'metrics', undefined, {
      name: 'Orders',
      description: undefined,
      expression: 'count()',
      format: 'integer',
    });
    expect(added).toContain(
      'better: lower\n  - name: Orders\n    expression: count()\n    format: integer\nroles:',
    );
    expect(writeItem(added, 'metrics', 'Orders', { format: undefined })).not.toContain('integer');
    expect(removeItem(added, 'metrics', 'Orders')).toBe(text);
  });

  it('is the first of a text without the list, or with an empty one', () => {
    const item = { name: 'Orders', expression: 'count()' };
    for (const start of ['name: X\n', 'name: X\nmetrics: []\n', 'name: X\nmetrics:\n'])
      expect(writeItem(start, 'metrics', undefined, item)).toBe(
        'name: X\nmetrics:\n  - name: Orders\n    expression: count()\n',
      );
  });

  it('that is removed as the last one takes the list with it', () => {
    expect(readDatasetText(removeItem(text, 'metrics', 'Sales'))!.metrics).toEqual([]);
    expect(removeItem(text, 'metrics', 'Sales')).not.toContain('metrics:');
  });
});

describe('a role', () => {
  it('that is changed keeps the comments of its conditions', () => {
    const changed = writeItem(text, 'roles', 'West', {
      name: 'West',
      rows: {
        and: [
          { field: 'Region', in: ['West', 'North West', 'South'] },
          { field: 'Sales', after: 10 },
        ],
      },
    });
    expect(changed).toBe(text.replace('"North West"]', '"North West", South]'));
  });

  it('that is the first ends the access of everyone to all rows', () => {
    const role = { name: 'West', rows: { field: 'Region', in: ['West'] } };
    expect(writeItem('name: X\nrowAccess: everyone\ntime: Day\n', 'roles', undefined, role)).toBe(
      'name: X\ntime: Day\nroles:\n  - name: West\n    rows: { field: Region, in: [West] }\n',
    );
  });

  it('is removed without its neighbors', () => {
    expect(removeItem(text, 'roles', 'All')).toBe(
      text.replace('  - { name: All, rows: all }\n', ''),
    );
  });
});
