import type { Encoding } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';
import { decodePart } from './encodings.ts';

const { inspect, convert } = createConverter();

/** The bytes of a text in an encoding of one byte for each character. */
function encode(text: string, encoding: Encoding): Buffer {
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decodePart(Uint8Array.of(byte), encoding), byte]),
  );
  return Buffer.from(Array.from(text, (character) => bytes.get(character)!));
}

/** The encodings that a question offers, the likeliest first; `undefined` if the file is not asked about. */
async function ask(content: Buffer) {
  const { questions, csv } = await inspect(content);
  const encodings = questions.map(({ interpretations }) =>
    interpretations.map(({ options }) => options.encoding),
  );
  return { encodings: encodings[0], encoding: csv.encoding };
}

const german = 'Ort;Größe\nKöln;„1“\nDüsseldorf;2 €\nStraße;5\nÖBB;l’été\n';

describe('the encoding of a file that is not UTF-8', () => {
  it.each([
    ['windows-1252', german],
    ['windows-1252', 'Où,À\nélève,cœur\n«oui»,ça\nÉCOLE,L’ÉTÉ\n'],
    ['windows-1252', 'España,Año\n¿Qué?,N.º 5\nNINGÚN,Ñandú\n'],
    ['windows-1252', 'São,João\nações,não é\nMALMÖ,Århus\n'],
    ['windows-1252', 'Volume,Area\n5 m³,2 km²\n3 cm³,£5\n'],
    ['windows-1252', 'Mois,Crêpes\naoût,é\n'],
    ['windows-1252', 'Año,Región\n2024,España\n'],
    ['windows-1252', 'Regiões,Milhões\nMédio,é\n'],
    ['windows-1252', 'Ort,Værdi\nKøbenhavn,Smørrebrød\n'],
    ['windows-1252', 'Giorno,è\nlunedì,più\nperò,2\n'],
  ] as const)('is found if only one is likely: %s in %j', async (encoding, text) => {
    expect(await ask(encode(text, encoding))).toEqual({ encodings: undefined, encoding });
  });

  it.each([
    ['macintosh', german.replace('€', '$')],
    ['macintosh', 'Ort;Umsatz\nMünchen;10\nKöln;20\nGöß;5\n'],
    ['windows-1251', 'Город;Сумма\nМосква;10\nСанкт-Петербург;20\n'],
    ['koi8-r', 'Город;Сумма\nМосква;10\nСанкт-Петербург;20\n'],
    ['ibm866', 'Город;Сумма\nМосква;10\nТверь;20\n'],
    ['windows-1250', 'Łódź;Wrocław\nŚwiętokrzyskie;Białystok\nPlzeň;Ústí\n'],
    ['windows-1254', 'İstanbul;İzmir\nŞişli;Beşiktaş\nAğrı;ölçü\n'],
    ['windows-1250', 'Klient;Suma\nPaweł;10\nMichał;20\n'],
    ['windows-1250', 'Klient;Suma\nGdańsk;10\nCzęstochowa;20\nKraków;30\n'],
    ['windows-1250', 'Város;Összeg\nGyőr;10\nSzűcs;20\n'],
    ['windows-1250', 'Město;Částka\nPlzeň;10\nDvořák;20\n'],
    ['iso-8859-2', 'Miasto;Ilość\nWałbrzych;10\nŚwiętochłowice;20\n'],
    ['ibm850', 'Ort;Größe\nKöln;1\nDüsseldorf;2\nÖBB;5\n'],
  ] as const)('is asked for if others are likely: %s in %j', async (encoding, text) => {
    const { encodings } = await ask(encode(text, encoding));
    expect(encodings).toContain(encoding);
    expect(encodings).toContain('windows-1252');
  });

  it('is asked for in Japanese and Chinese', async () => {
    const japanese = Buffer.from('93ac8b9e2c310a91e58de32c320a', 'hex');
    expect((await ask(japanese)).encodings).toContain('shift_jis');
    const chinese = Buffer.from('b1b1bea92c310ac9cfbaa32c320a', 'hex');
    expect((await ask(chinese)).encodings).toContain('gb18030');
  });
});

describe('a file whose lines have two encodings', () => {
  const mixed = Buffer.concat([
    Buffer.from('City,Sales\nKöln,10\n'),
    Buffer.from('Düsseldorf,20\nBonn,5\n', 'latin1'),
  ]);

  it('is asked about, and each interpretation shows the lines that differ', async () => {
    const { questions, csv } = await inspect(mixed);
    const value = (text: string, read: string, line: number) => ({
      name: 'City',
      values: [{ text, read, line }],
    });
    expect(questions).toEqual([
      {
        about: 'encoding',
        interpretations: [
          {
            options: { encoding: 'utf-8-or-windows-1252' },
            columns: [value('Köln', 'Köln', 2), value('D\uFFFDsseldorf', 'Düsseldorf', 3)],
          },
          {
            options: { encoding: 'windows-1252' },
            columns: [value('Köln', 'KÃ¶ln', 2), value('D\uFFFDsseldorf', 'Düsseldorf', 3)],
          },
        ],
      },
    ]);
    expect(csv.encoding).toBe('utf-8-or-windows-1252');
  });

  it('is refused without the option', async () => {
    await expect(convert(mixed)).rejects.toThrow(
      'the file is not UTF-8, and lines 2, 3 can be "Köln", "Düsseldorf" (utf-8-or-windows-1252) or "KÃ¶ln", "Düsseldorf" (windows-1252); write encoding: utf-8-or-windows-1252, or encoding: windows-1252, under csv, or save the file as UTF-8',
    );
  });

  it('is read line by line with the option', async () => {
    const read = [
      ['Köln', '10'],
      ['Düsseldorf', '20'],
      ['Bonn', '5'],
    ];
    const options = { encoding: 'utf-8-or-windows-1252' } as const;
    expect((await convert(mixed, options)).rows).toEqual(read);
    const returns = Buffer.from(mixed.toString('latin1').replaceAll('\n', '\r'), 'latin1');
    expect((await convert(returns, options)).rows).toEqual(read);
  });

  it('is read as windows-1252 if the author says so, and a hint shows what that costs', async () => {
    const { rows, hints } = await convert(mixed, { encoding: 'windows-1252' });
    expect(rows[0]).toEqual(['KÃ¶ln', '10']);
    expect(hints).toEqual([
      'line 2 is UTF-8, and windows-1252 reads "Köln" as "KÃ¶ln"; if that is wrong, write encoding: utf-8-or-windows-1252 under csv',
    ]);
  });

  it.each([1, 2, 3, 65_533, 65_534, 65_535, 65_536])(
    'is found if the first %i bytes are ASCII',
    async (length) => {
      const content = Buffer.concat([
        Buffer.from(`A,B\n${'x'.repeat(length)},ö\n`),
        Buffer.alloc(200_000, 'y,1\n'),
        Buffer.from([0xfc]),
        Buffer.from('ber,2\n'),
      ]);
      expect((await ask(content)).encodings).toEqual(['utf-8-or-windows-1252', 'windows-1252']);
      await expect(convert(content)).rejects.toThrow('lines 2, 50003 can be "ö", "über"');
    },
  );

  it.each([65_533, 65_534, 65_535, 65_536, 131_070])(
    'is not every file with a character at byte %i',
    async (length) => {
      const content = Buffer.from(`A,B\n${'x'.repeat(length - 4)}😀,1\ny,2\n`);
      expect(await ask(content)).toEqual({ encodings: undefined, encoding: undefined });
      expect((await convert(content)).rows).toHaveLength(2);
    },
  );
});

describe('a declared encoding', () => {
  it.each(['windows-1252', 'latin-1', 'macintosh', 'iso-8859-15'] as const)(
    'that a UTF-8 file does not have is refused: %s',
    async (encoding) => {
      await expect(convert('City,Sales\nBonn,1\nKöln,10\n', { encoding })).rejects.toThrow(
        `the file is UTF-8, and ${encoding} reads "Köln" in line 3 as "`,
      );
    },
  );

  it('is read in each of its forms', async () => {
    for (const encoding of [
      'macintosh',
      'ibm850',
      'iso-8859-2',
      'iso-8859-15',
      'windows-1250',
      'windows-1254',
    ] as const)
      expect((await convert(encode('A,B\nZürich,1\n', encoding), { encoding })).rows).toEqual([
        ['Zürich', '1'],
      ]);
    const cyrillic = ['windows-1251', 'koi8-r', 'ibm866'] as const;
    for (const encoding of cyrillic)
      expect((await convert(encode('A,B\nМосква,1\n', encoding), { encoding })).rows).toEqual([
        ['Москва', '1'],
      ]);
    const japanese = Buffer.from('A,B\n\x93\xfa\x96\x7b,1\n', 'latin1');
    expect((await convert(japanese, { encoding: 'shift_jis' })).rows).toEqual([['日本', '1']]);
  });

  it('that some bytes do not have is refused, also at the end', async () => {
    const utf16 = Buffer.concat([Buffer.from('A,B\nx,1\n', 'utf16le'), Buffer.from([0x00, 0xd8])]);
    await expect(convert(utf16, { encoding: 'utf-16' })).rejects.toThrow('the file is not utf-16');
    const japanese = Buffer.from('A,B\nx,1\ny,\xff\xff\n', 'latin1');
    await expect(convert(japanese, { encoding: 'shift_jis' })).rejects.toThrow(
      'the file is not shift_jis',
    );
  });

  it('is not needed for ASCII', async () => {
    const { rows, hints } = await convert('A,B\nx,1\n', { encoding: 'windows-1252' });
    expect([rows, hints]).toEqual([[['x', '1']], []]);
  });
});

it('a file of a pattern has its own encoding if only one is likely', async () => {
  const one = encode('Region,Sales\nMünchen,7\n', 'windows-1252');
  const { rows, hints } = await convert(one, {}, {}, [], { isOneOfMany: true });
  expect(rows).toEqual([['München', '7']]);
  expect(hints).toEqual(['the file is not UTF-8, and is read as windows-1252 ("München")']);
  const other = encode('Город;Сумма\nМосква;10\n', 'windows-1251');
  await expect(convert(other, { delimiter: ';' }, {}, [], { isOneOfMany: true })).rejects.toThrow(
    '"Москва" (windows-1251) or',
  );
});
