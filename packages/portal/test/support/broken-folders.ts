/** A valid dataset. Each case below changes one part of it. */
const dataset = `name: Orders
source:
  file: orders.csv
time: Ordered
fields:
  - name: Region
    description: Where the customer is
  - name: Half
    expression: Sales / 2
metrics:
  - name: Sales
    expression: sum(Sales)
    format: { style: currency, currency: USD }
  - name: Mean
    expression: Sales / count()
roles:
  - name: West
    rows: { field: Region, in: [West] }
  - name: Managers
    rows: { field: Region, in: { lookup: managers, key: Email, value: Region } }
`;

const managers = `name: Managers
source: { file: managers.csv }
`;

const report = `name: Order overview
workspace: Sales
dataset: orders
filters:
  - field: Region
  - field: Ordered
    default: last 12 months
pages:
  - name: Overview
    rows:
      - tiles:
          - type: kpi
            metric: Sales
            compare: previous year
          - type: line
            x: Ordered by month
            y: Sales
            width: 8
      - tiles:
          - type: table
            dimensions: [Region]
            metrics: [Sales]
            sort: -Sales
`;

type Files = Record<string, string>;

export interface BrokenFolder {
  title: string;
  files: Files;
  /** Each as `check` prints it. */
  mistakes: string[];
}

const whole = {
  'datasets/orders.yaml': dataset,
  'datasets/managers.yaml': managers,
  'reports/orders.yaml': report,
};

/** Replaces a part of a file that must occur once. */
function change(file: keyof typeof whole, from: string, to: string): Files {
  const parts = whole[file].split(from);
  if (parts.length !== 2) throw new Error(`"${from}" occurs ${parts.length - 1} times in ${file}.`);
  return { ...whole, [file]: parts.join(to) };
}

const inDataset = (
  title: string,
  from: string,
  to: string,
  ...mistakes: string[]
): BrokenFolder => ({
  title,
  files: change('datasets/orders.yaml', from, to),
  mistakes: mistakes.map((mistake) => `datasets/orders.yaml:${mistake}`),
});

const inReport = (
  title: string,
  from: string,
  to: string,
  ...mistakes: string[]
): BrokenFolder => ({
  title,
  files: change('reports/orders.yaml', from, to),
  mistakes: mistakes.map((mistake) => `reports/orders.yaml:${mistake}`),
});

const ofFiles = (title: string, files: Files, ...mistakes: string[]): BrokenFolder => ({
  title,
  files: { ...whole, ...files },
  mistakes,
});

const inSource = (title: string, source: string, ...mistakes: string[]) =>
  inDataset(title, 'file: orders.csv', source, ...mistakes);

export const brokenFolders: BrokenFolder[] = [
  // YAML
  inDataset(
    'a tab as indentation',
    '  - name: Region',
    '\t- name: Region',
    '6:1 tabs are not allowed as indentation; use spaces',
  ),
  inDataset(
    'a quote that does not end',
    'file: orders.csv',
    'file: "orders.csv',
    '3:9 the closing quote is missing; add it',
  ),
  inDataset(
    'a second colon on a line',
    'Where the customer is',
    'Where: the customer',
    '7:18 a second ": " follows on this line; quote the text, or put the key on its own line',
  ),
  inDataset(
    'a key that occurs twice',
    'time: Ordered',
    'time: Ordered\ntime: Ordered',
    '5:1 "time" is written twice; keep one of them',
  ),
  inDataset(
    'an alias',
    'time: Ordered',
    'time: &time Ordered\ndescription: *time',
    '4:13 anchors are not supported; remove this one',
    '5:14 aliases are not supported; write the value instead',
  ),
  inDataset(
    'a tag',
    'time: Ordered',
    'time: !!str Ordered',
    '4:13 tags are not supported; remove this one',
  ),
  inDataset(
    'a second document',
    'time: Ordered',
    '---\ntime: Ordered',
    '4:1 a second document starts here; keep one, without `---`',
  ),
  inDataset(
    'a list in place of keys',
    dataset,
    '- name: Orders',
    '1:1 the file must be a mapping (key: value), but is a list',
  ),
  inDataset('an empty file', dataset, '# nothing', '1:1 the file is empty'),
  inDataset(
    'a number with leading zeros',
    '[West]',
    '[012]',
    '18:33 012 is read as the number 12; quote it: "012"',
  ),
  inDataset(
    'a number of too many digits',
    '[West]',
    '[9007199254740993]',
    '18:33 9007199254740993 is read as the number 9007199254740992; quote it: "9007199254740993"',
  ),
  inDataset(
    'a number with leading zeros beside other mistakes',
    'in: [West] }\n',
    'in: [012] }\n    row: all\n',
    '18:33 012 is read as the number 12; quote it: "012"',
    '19:5 West: unknown property "row"; did you mean "rows"?',
  ),
  inDataset(
    'an anchor beside an unknown field',
    'expression: Sales / 2',
    'expression: &half Sals / 2',
    '9:23 anchors are not supported; remove this one',
    '9:23 Half: unknown field "Sals"; did you mean "Sales"?',
  ),
  inDataset(
    'a bad start of text',
    '[West]',
    '[@West]',
    '18:33 text without quotes cannot start with reserved character @; quote it',
  ),
  // Shapes
  inDataset(
    'an unknown key at the top',
    'time: Ordered',
    'tiem: Ordered',
    '4:1 unknown property "tiem"; did you mean "time"?',
  ),
  inDataset(
    'an unknown key in a list',
    'description:',
    'descripton:',
    '7:5 Region: unknown property "descripton"; did you mean "description"?',
  ),
  inDataset('a missing name', 'name: Orders\n', '', '1:1 name is missing'),
  inDataset('an empty key', 'file: orders.csv', 'file:', '3:3 file must be text, but is empty'),
  inDataset(
    'a number in place of text',
    'name: Orders',
    'name: 2024',
    '1:7 name must be text, but is 2024; quote it',
  ),
  inDataset(
    'text in place of a list',
    'fields:\n  - name: Region',
    'fields: Region\nroles2:\n  - name: Region',
    '5:9 fields must be a list, but is text',
    '6:1 unknown property "roles2"; did you mean "roles"?',
  ),
  inDataset(
    'spaces around a name',
    'name: Orders',
    'name: "Orders "',
    '1:7 remove the spaces at the start and end',
  ),
  inDataset(
    'an unknown currency style',
    'style: currency',
    'style: currancy',
    '13:22 Sales: unknown value "currancy"; did you mean "currency"?',
  ),
  inDataset(
    'a style without its currency',
    ', currency: USD',
    '',
    '13:13 Sales: style: currency needs the property currency; add it',
  ),
  inDataset(
    'an id that is not a UUID',
    'name: Orders',
    'name: Orders\nid: "17"',
    '2:5 id must be a UUID; correct it, or remove it',
  ),
  inDataset(
    'an unknown row access',
    'time: Ordered',
    'rowAccess: everybody',
    '4:12 unknown value "everybody"; did you mean "everyone"?',
  ),
  inDataset(
    'roles beside access for everyone',
    'time: Ordered',
    'time: Ordered\nrowAccess: everyone',
    '5:12 rowAccess: everyone shows all rows to every reader, so the roles have no effect; remove rowAccess or the roles',
  ),
  // Names and expressions
  inDataset(
    'an unknown field in an expression',
    'Sales / 2',
    'Sals / 2',
    '9:17 Half: unknown field "Sals"; did you mean "Sales"?',
  ),
  inDataset(
    'an unknown metric in an expression',
    'Sales / count()',
    'Sals / count()',
    '15:17 Mean: unknown metric "Sals"; did you mean "Sales"?',
  ),
  inDataset(
    'an unknown function',
    'sum(Sales)',
    'summ(Sales)',
    '12:17 Sales: unknown function "summ"; did you mean "sum"?',
  ),
  inDataset(
    'an expression that does not end',
    'sum(Sales)',
    'sum(Sales',
    '12:26 Sales: expected ")", but the expression ends here',
  ),
  inDataset(
    'an aggregate of text',
    'sum(Sales)',
    'sum(Region)',
    '12:21 Sales: sum takes a number, but "Region" is text',
  ),
  inDataset(
    'a metric without an aggregate',
    'sum(Sales)',
    '"Region"',
    '12:18 Sales: "Region" is a field; aggregate it, such as count_distinct(Region)',
  ),
  inDataset(
    'an aggregate in a field',
    'Sales / 2',
    'sum(Sales)',
    '9:17 Half: sum is an aggregate; use it in a metric, not in a field',
  ),
  inDataset(
    'an expression over two lines',
    'Sales / 2',
    '>-\n      Sales +\n      Sals',
    '11:7 Half: unknown field "Sals"; did you mean "Sales"?',
  ),
  inDataset(
    'two metrics with one name',
    'name: Mean',
    'name: Sales',
    '14:11 Sales: another metric has this name; rename one of them',
  ),
  inDataset(
    'a circular reference',
    'Sales / count()',
    'Mean / count()',
    '15:17 Mean: circular reference Mean → Mean; remove one of the references',
  ),
  inDataset(
    'an unknown time',
    'time: Ordered',
    'time: Order',
    '4:7 unknown field "Order"; write one of Region, Owner, Category, Ordered, Sales, Half',
  ),
  inDataset(
    'a text field as time',
    'time: Ordered',
    'time: Region',
    '4:7 time must be a date, but "Region" is text; write another field, or give this one "type: date"',
  ),
  inDataset(
    'a field without a column',
    'name: Half\n    expression: Sales / 2',
    'name: Half',
    '8:11 Half: unknown column "Half"; write the name of a column, or add an expression',
  ),
  inDataset(
    'a declared type that does not fit',
    'description: Where the customer is',
    'type: date',
    '7:11 Region: orders.csv: line 2 has "West", which is not a date such as 2024-12-31; correct the value, the type, or the options under csv',
    '18:33 West: "Region" is a date, but "West" is not; write a value such as "2024-12-31"',
    '20:71 Managers: value must be a date, but "Region" of managers is text; write another field',
  ),
  inDataset(
    'cells that do not fit declared types, beside other mistakes',
    'fields:\n',
    'fields:\n  - { name: Owner, type: integer }\n  - { name: Category, type: boolean }\n  - { name: Third, expression: Sals / 3 }\n',
    '6:26 Owner: orders.csv: line 2 has "west@acme.example", which is not a whole number such as 1234; correct the value, the type, or the options under csv',
    '7:29 Category: orders.csv: line 2 has "Chairs", which is not true or false; correct the value, the type, or the options under csv',
    '8:32 Third: unknown field "Sals"; did you mean "Sales"?',
  ),
  // Roles
  inDataset(
    'an unknown field of a role',
    '{ field: Region, in: [West] }',
    '{ field: Regoin, in: [West] }',
    '18:20 West: unknown field "Regoin"; did you mean "Region"?',
  ),
  inDataset(
    'an unknown operator',
    'in: [West]',
    'inn: [West]',
    '18:28 West: unknown property "inn"; did you mean "in"?',
  ),
  inDataset(
    'two operators',
    'in: [West]',
    'in: [West], notIn: [East]',
    '18:11 West: a condition has in and notIn, but it can have only one of them',
  ),
  inDataset(
    'no operator',
    '{ field: Region, in: [West] }',
    '{ field: Region }',
    '18:11 West: a condition needs one of in, notIn, equals, between, before, after, isNull, matches, and, or, not',
  ),
  inDataset(
    'an empty list of values',
    'in: [West]',
    'in: []',
    '18:32 West: the list is empty; add at least one value',
  ),
  inDataset(
    'a number for a text field',
    'in: [West]',
    'in: [7]',
    '18:33 West: "Region" is text, but YAML reads 7 as a number; quote it: "7"',
  ),
  inDataset(
    'text for a number field',
    '{ field: Region, in: [West] }',
    '{ field: Sales, in: [West] }',
    '18:32 West: "Sales" is a whole number, but "West" is not; write a value such as 12',
  ),
  inDataset(
    'an unknown attribute of the viewer',
    'in: [West]',
    'in: { viewer: mail }',
    '18:42 West: unknown value "mail"; did you mean "email"?',
  ),
  inDataset(
    'a misspelled all',
    '{ field: Region, in: [West] }',
    'al',
    '18:11 West: unknown value "al"; did you mean "all"?',
  ),
  inDataset(
    'two roles with one name',
    'name: Managers',
    'name: West',
    '19:11 West: another role has this name; rename one of them',
  ),
  inDataset(
    'an unknown dataset of a look-up',
    'lookup: managers',
    'lookup: manager',
    '20:42 Managers: unknown dataset "manager"; did you mean "managers"?',
  ),
  inDataset(
    'an unknown key of a look-up',
    'key: Email',
    'key: Mail',
    '20:57 Managers: unknown field in managers: "Mail"; did you mean "Email"?',
  ),
  inDataset(
    'an unknown value of a look-up',
    'value: Region',
    'value: Area',
    '20:71 Managers: unknown field in managers: "Area"; write one of Email, Region, Level',
  ),
  // Sources
  inSource(
    'a file that does not exist',
    'file: order.csv',
    "3:9 the file order.csv does not exist in the organization's data folder; check its name, or copy it there",
  ),
  inSource(
    'a path that leads out',
    'file: ../orders.csv',
    '3:9 the path leaves the data folder; write a path inside the data folder, such as sales/orders.csv',
  ),
  inSource(
    'an absolute path',
    'file: /etc/passwd.csv',
    '3:9 the path is absolute or a URL; write a path inside the data folder, such as sales/orders.csv',
  ),
  inSource(
    'a pattern as a file',
    'file: "*.csv"',
    '3:9 file takes one file, but this is a pattern; write files: instead of file:',
  ),
  inSource(
    'a pattern without a match',
    'files: sales/*.parquet',
    "3:10 no file in the organization's data folder matches sales/*.parquet; check the pattern",
  ),
  inSource(
    'an old workbook',
    'file: orders.xls',
    '3:9 this kind of workbook is not supported; save it as .xlsx, or save its sheet as CSV, and write the name of that file',
  ),
  inSource(
    'a workbook with the name of a CSV file',
    'file: workbook.csv',
    '3:9 workbook.csv: the file is a workbook; rename it so that it ends in .xlsx',
  ),
  inSource(
    'a file of another kind',
    'file: orders.json',
    '3:9 the file is not a CSV file, workbook or Parquet file; its name must end in .csv, .tsv, .txt, .xlsx, .xlsm or .parquet',
  ),
  inSource(
    'a wrong delimiter',
    'file: semicolons.csv',
    '3:9 semicolons.csv: the file has a single column, "Region;Sales"; write delimiter: ";" under csv',
  ),
  inSource(
    'a wrong delimiter and a wrong encoding',
    'file: umlauts.csv',
    '3:9 umlauts.csv: the file has a single column, "Region;Größe"; write encoding: windows-1252 and delimiter: ";" under csv',
  ),
  inSource(
    'a title above the names',
    'file: heading.csv',
    '3:9 heading.csv: the first row has only "Sales, 2024", and the names of the columns are probably in line 2; write skip: 1 under csv',
  ),
  inSource(
    'a title and an empty row above the names',
    'file: title.csv',
    '3:9 title.csv: the first row has only "Sales, 2024", and the names of the columns are probably in line 3; write skip: 2 under csv',
  ),
  inSource(
    'a note below the table',
    'file: note.csv',
    '3:9 note.csv: the last row has a different number of values than the table ("Exported on 2024-05-01"); write skipFooter: 1 under csv',
  ),
  inSource(
    'a date that does not exist',
    'file: day.csv',
    '3:9 day.csv: column "Ordered" is text because of "2024-02-30" in line 4; the other values are dates; correct the file, or give the field type: text',
  ),
  inSource(
    'a row of totals',
    'file: totals.csv',
    '3:9 totals.csv: the last row is probably a total of those above ("Total", "70"); write skipFooter: 1, or skipFooter: 0, under csv',
    '3:9 totals.csv: column "Ordered" is text because of "Total" in line 6; the other values are dates; correct the file, or give the field type: text',
    '3:9 totals.csv: column "Sales" is text because of "n/a" in line 4; the other values are whole numbers; write nulls: ["n/a"] under csv, or give the field type: text',
  ),
  inSource(
    'a wrong date format',
    'file: dates.csv\n  csv: { date: "%m.%d.%Y" }',
    '3:9 dates.csv: column "Ordered" is text, but its values look like dates (31.12.2024); write date: "%d.%m.%Y" on the field',
  ),
  inSource(
    'a date format without placeholders',
    'file: dates.csv\n  csv: { date: dd.MM.yyyy }',
    '4:16 dd.MM.yyyy has no placeholders; write date: "%d.%m.%Y"',
  ),
  inSource(
    'a line with too many values',
    'file: ragged.csv',
    '3:9 ragged.csv: line 3 of the file has 3 columns instead of 2, separated by ","; correct the line, or choose another delimiter',
  ),
  inSource(
    'a quote without end in the data',
    'file: quote.csv',
    '3:9 quote.csv: line 2 of the file has a quote that is not closed; correct the line',
  ),
  inSource(
    'a wrong encoding',
    'file: latin.csv',
    '3:9 latin.csv: line 2 of the file is not UTF-8; write its encoding under csv, such as encoding: windows-1252 ("Köln"), or save it as UTF-8',
  ),
  inSource(
    'an empty data file',
    'file: empty.csv',
    '3:9 empty.csv: the file is empty; write a row of column names',
  ),
  inSource(
    'two columns with one name',
    'file: twice.csv',
    '3:9 twice.csv: two columns have the name "Region" (columns 1 and 2); rename one in the first row',
  ),
  inSource(
    'a file that is not Parquet',
    'file: broken.parquet',
    '3:9 broken.parquet: the file is not valid Parquet; export it again',
  ),
  inSource(
    'files without a common column',
    'files: parts/*.csv',
    '3:10 parts/2.csv has no column of parts/1.csv: City, Sales instead of Region; use files with the same columns, or another pattern',
  ),
  // Reports
  inReport(
    'an unknown dataset',
    'dataset: orders',
    'dataset: order',
    '3:10 unknown dataset "order"; did you mean "orders"?',
  ),
  inReport(
    'an unknown type of tile',
    'type: kpi',
    'type: kpy',
    '12:19 Overview, kpy: unknown type of tile "kpy"; did you mean "kpi"?',
  ),
  inReport(
    'an unknown metric',
    'metric: Sales',
    'metric: Sails',
    '13:21 Overview, kpi: unknown metric "Sails"; write one of Sales, Mean',
  ),
  {
    title: 'an unknown metric, beside a column in which one value is not a date',
    files: {
      ...change('datasets/orders.yaml', 'file: orders.csv', 'file: paid.csv'),
      'reports/orders.yaml': report.replace('metric: Sales', 'metric: Sails'),
    },
    mistakes: [
      'reports/orders.yaml:13:21 Overview, kpi: unknown metric "Sails"; write one of Sales, Mean',
    ],
  },
  inReport(
    'an unknown field of a chart',
    'x: Ordered by month',
    'x: Orderd by month',
    '16:16 Overview, line: unknown field "Orderd"; did you mean "Ordered"?',
  ),
  inReport(
    'an unknown grain',
    'by month',
    'by fortnight',
    '16:16 Overview, line: unknown grain "fortnight"; write one of year, quarter, month, week, day, hour, month of year, day of week, hour of day',
  ),
  inReport(
    'a grain of a text field',
    'x: Ordered by month',
    'x: Region by month',
    '16:16 Overview, line: "by month" needs a date, but "Region" is text; remove "by month", or give the field "type: date"',
  ),
  inReport(
    'a width beyond twelve',
    'width: 8',
    'width: 13',
    '18:20 Overview, line: width must be at most 12',
  ),
  inReport(
    'an unknown filter',
    '- field: Region',
    '- field: Area',
    '5:12 unknown field "Area"; write one of Region, Owner, Category, Ordered, Sales, Half',
  ),
  inReport(
    'an invalid default',
    'last 12 months',
    'last 12 moons',
    '7:14 Ordered: the default "last 12 moons" is not a date; write "2024-12-31", "2024-01-01..2024-06-30" or "last 12 months"',
  ),
  inReport(
    'an unknown sort column',
    'sort: -Sales',
    'sort: -Sails',
    '23:19 Overview, table: unknown column "Sails"; write one of Region, Sales',
  ),
  inReport(
    'a page without tiles',
    report.slice(report.indexOf('    rows:')),
    '    rows: []\n',
    '10:11 Overview: rows is empty',
  ),
  // Folders
  ofFiles(
    'a report in a wrong folder',
    { 'report/orders.yaml': report },
    'report/orders.yaml:1:1 this is not the path of a content file; rename it to datasets/NAME.yaml or reports/NAME.yaml, with lower-case letters, digits and single hyphens in NAME',
  ),
  ofFiles(
    'a name with capitals',
    { 'reports/Orders.yaml': report },
    'reports/Orders.yaml:1:1 this is not the path of a content file; rename it to datasets/NAME.yaml or reports/NAME.yaml, with lower-case letters, digits and single hyphens in NAME',
  ),
  ofFiles(
    'a file that is not YAML',
    { 'reports/orders.json': '{}' },
    'reports/orders.json:1:1 this is not the path of a content file; rename it to datasets/NAME.yaml or reports/NAME.yaml, with lower-case letters, digits and single hyphens in NAME',
  ),
  ofFiles(
    'one id for two datasets',
    {
      'datasets/managers.yaml': `id: 3f2a7c10-58de-4b1c-9a64-0d1e8b7f2c91\n${managers}`,
      'datasets/orders.yaml': `id: 3f2a7c10-58de-4b1c-9a64-0d1e8b7f2c91\n${dataset}`,
    },
    'datasets/managers.yaml:1:5 datasets/orders.yaml has the same id; write another one',
  ),
  ofFiles(
    'mistakes in several files',
    {
      'datasets/managers.yaml': managers.replace('managers.csv', 'manager.csv'),
      'reports/orders.yaml': report.replace('metric: Sales', 'metric: Sails'),
    },
    "datasets/managers.yaml:2:17 the file manager.csv does not exist in the organization's data folder; check its name, or copy it there",
    'reports/orders.yaml:13:21 Overview, kpi: unknown metric "Sails"; write one of Sales, Mean',
  ),
  {
    title: 'a dataset that a report still needs',
    files: { 'datasets/managers.yaml': managers, 'reports/orders.yaml': report },
    mistakes: ['reports/orders.yaml:3:10 unknown dataset "orders"; write managers'],
  },
];
