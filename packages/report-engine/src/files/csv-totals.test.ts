import { describe, expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';

const { inspect, convert } = createConverter();

const table = 'Region,Product,Sales\nWest,Chair,10\nEast,Desk,20\n';

/** What a file's last rows are asked about. */
async function ask(
  content: string,
  ...rest: Parameters<typeof convert> extends [unknown, ...infer Rest] ? Rest : never
) {
  const { questions } = await convert(content, ...rest);
  return questions.filter(({ about }) => about === 'footer');
}

describe('the last row of a file', () => {
  it('that holds only a label and totals is asked about, with the totals of both interpretations', async () => {
    const columns = (read: [string, string], total: string) => [
      { name: 'Region', values: [{ text: 'Total', read: read[0] }] },
      { name: 'Sales', values: [{ text: '30', read: read[1] }], total },
    ];
    expect(await ask(`${table}Total,,30\n`)).toEqual([
      {
        about: 'footer',
        interpretations: [
          { options: { skipFooter: 1 }, columns: columns(['', ''], '30') },
          { options: { skipFooter: 0 }, columns: columns(['Total', '30'], '60') },
        ],
      },
    ]);
  });

  it.each([
    'Summe,,30',
    'GESAMT:,,30',
    'Gesamtergebnis,,30',
    'Total général,,30',
    'Somme,,30',
    'Totale,-,30',
    'Grand Total,,30',
    '"Total / Summe",,30',
    'Итого,,30',
    '合計,,30',
    '** Total **,,30',
    'Total,,31',
    'Total,,',
    ',Total,30',
    'Average,,15',
    'Total 2024,,30',
  ])('is asked about: %s', async (row) => {
    const [question] = await ask(`${table}${row}\n`);
    expect(question?.interpretations.map(({ options }) => options)).toEqual([
      { skipFooter: 1 },
      { skipFooter: 0 },
    ]);
  });

  it('is asked about without a label if its numbers are sums or means of those above', async () => {
    const rows = 'A,B,C,D\nx,p,1,10\ny,p,2,20\nz,q,4,40\n';
    for (const row of [',,7,70', ',,,70', ',,2.33,23.33', '-,-,7,70'])
      expect(await ask(`${rows}${row}\n`)).toHaveLength(1);
    for (const row of [',,7,71', ',,3,', 'w,q,7,3', 'w,,3,70'])
      expect(await ask(`${rows}${row}\n`)).toEqual([]);
    expect(await ask('A,B\n1,10\n2,20\n3,30\n6,60\n')).toHaveLength(1);
  });

  it.each([
    ['Total,Diesel,12', 'a company'],
    ['Media,Books,5', 'a category'],
    ['North,Lamp,30', 'a row whose number is the sum by chance'],
    ['Total Energies,Gas,7', 'a name'],
  ])('is not asked about: %s, %s', async (row) => {
    expect(await ask(`${table}${row}\n`)).toEqual([]);
  });

  it('is asked about together with those above that are totals, too', async () => {
    const [question] = await ask(`${table}Total,,30\nAverage,,15\n`);
    expect(question?.interpretations).toMatchObject([
      { options: { skipFooter: 2 }, columns: [{}, { total: '30' }] },
      { options: { skipFooter: 0 }, columns: [{}, { total: '75' }] },
    ]);
  });

  it('is asked about together with what stands between totals', async () => {
    const rows = 'Item,Qty,Amount\nChair,2,100\nDesk,1,50\n';
    const [question] = await ask(`${rows}Subtotal,,150\nTax,,28.5\nGrand Total,,178.5\n`);
    expect(question?.interpretations).toMatchObject([
      { options: { skipFooter: 3 }, columns: [{}, { total: '150' }] },
      { options: { skipFooter: 0 }, columns: [{}, { total: '507' }] },
    ]);
  });

  it('is asked about above a note, which is left out', async () => {
    const content = `${table}Total,,30\n\nExported on 2024-05-01\n`;
    const { csv } = await inspect(content);
    expect(csv).toEqual({ skipFooter: 1 });
    const [question] = await ask(content, csv, {}, [], { isDraft: true });
    expect(question?.interpretations).toMatchObject([
      { options: { skipFooter: 2 }, columns: [{}, { total: '30' }] },
      { options: { skipFooter: 1 }, columns: [{}, { total: '60' }] },
    ]);
  });

  it('is not asked about if the author has chosen, but a hint names a total that is left', async () => {
    for (const skipFooter of [0, 1]) {
      const { questions, hints } = await convert(`${table}Total,,30\n`, { skipFooter });
      expect([questions, hints]).toEqual([[], []]);
    }
    const { hints } = await convert(`${table}Total,,30\nExported on 2024-05-01\n`, {
      skipFooter: 1,
    });
    expect(hints).toEqual([
      'after skipFooter, the last row ("Total", "", "30") is probably still a total, and it is read as data; if it is a total, write skipFooter: 2 under csv',
    ]);
  });

  it('is found in a file that is read in parts, with decimal commas', async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => `"Region; ${index}";${index},5\n`);
    const content = `Region;Sales\n${rows.join('')}Summe;1250000000\n`;
    const [question] = await ask(content, { delimiter: ';', decimal: ',' });
    expect(question?.interpretations[0]).toMatchObject({ columns: [{}, { total: '1250000000' }] });
  });
});

describe('rows that skipFooter leaves out', () => {
  const hint = (rows: string, count = 1) =>
    `skipFooter: ${count} leaves out ${rows.includes(';') ? 'rows that are' : 'a row that is'} probably data (${rows}); if so, write a smaller number under csv`;

  it.each([
    ['a new file without a total', table, 1, '"East", "Desk", "20"'],
    ['more rows than the total', `${table}Total,,30\n`, 2, '"East", "Desk", "20"'],
    ['rows above a note', `${table}(2 rows)\n`, 2, '"East", "Desk", "20"'],
    ['two rows', `${table}North,Lamp,"1,5"\n`, 2, '"East", "Desk", "20"; "North", "Lamp", "1,5"'],
  ])('are named if they are data: %s', async (_, content, skipFooter, shown) => {
    const { rows, hints } = await convert(content, { skipFooter });
    expect(rows[0]![0]).toBe('West');
    expect(hints).toEqual([hint(shown, skipFooter)]);
  });

  it.each([
    ['a total', 'Total,,30\n'],
    ['a total with a text', 'Total,all,30\n'],
    ['a total without a label', ',,30\n'],
    ['a note', 'Exported,2024-01-05,at night\n'],
    ['a short note', 'Exported\n'],
  ])('are not named: %s', async (_, footer) => {
    expect((await convert(`${table}${footer}`, { skipFooter: 1 })).hints).toEqual([]);
  });
});

it('subtotals between the rows are named and kept', async () => {
  const { rows, hints, questions } = await convert(
    'Region,Product,Sales\nWest,Chair,10\nWest,"De\nsk",20\nSubtotal West,,30\nEast,Desk,5\nTotal East,,5\nTotal,,35\n',
  );
  expect(rows).toHaveLength(6);
  expect(hints).toEqual([
    'rows between the others are probably subtotals, and are counted with them: line 5 ("Subtotal West"); if they are, remove them from the file',
  ]);
  // That of the last group stands at the end.
  expect(questions[0]?.interpretations[0]?.options).toEqual({ skipFooter: 2 });
});

it.each([
  ['a label', 'Region,Sales\nTotal,30.5\nWest,10.25\nEast,20.25\n', 'line 2 ("Total")'],
  [
    'a label in another column',
    'Day,Region,Sales\n2024-01-01,Total,30\n2024-01-01,West,10\n2024-01-01,East,20\n',
    'line 2 ("Total")',
  ],
  ['no label', 'Region,Sales,Cost\n,30,3\nWest,10,1\nEast,20,2\n', 'line 2'],
])('a total above the rows is named if it has %s', async (_, content, place) => {
  expect((await convert(content)).hints).toEqual([
    `the first row, ${place}, is probably the total of those below, and is counted with them; if it is, remove it from the file`,
  ]);
});

it('a first row without a label is data if it is no total', async () => {
  expect((await convert('Region,Sales\n,10\nWest,20\nEast,30\n')).hints).toEqual([]);
});

it('totals between the rows are named if their sums prove them', async () => {
  const { hints } = await convert(
    'Region,Sales\nWest,10\nEast,20\nTotal,30\nNorth,1.5\nSouth,2\nTotal,3.5\nMid,4\nTotal,9\nLow,3\n',
  );
  expect(hints).toEqual([
    'rows between the others are probably subtotals, and are counted with them: line 4 ("Total"), line 7 ("Total"); if they are, remove them from the file',
  ]);
});

it('names of columns between the rows are named', async () => {
  const { rows, hints } = await convert('Name,City\nAnn,Bern\nName,City\nBob,Rome\nName,Oslo\n');
  expect(rows).toHaveLength(4);
  expect(hints).toEqual([
    'rows have the names of the columns again, and are counted as data: line 3; remove them from the file',
  ]);
});

it('names that only contain a label are no subtotals', async () => {
  const { hints } = await convert(
    'Company,Sales\nTotal,10\nTotalEnergies,20\nMedia Markt,5\nB,1\n',
  );
  expect(hints).toEqual([]);
});
