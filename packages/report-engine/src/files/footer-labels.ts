/** What stands beside totals, means and counts below a table, in the languages of the most frequent exports. */
const words = [
  'grand total',
  'overall total',
  'sub-?\\s?totals?',
  'totals?',
  'total g[eé]n[eé]ral',
  'sous-total',
  'sum',
  'summe',
  'gesamt',
  'gesamtsumme',
  'gesamtergebnis',
  'gesamtbetrag',
  'endsumme',
  'zwischensumme',
  'teilsumme',
  'teilergebnis',
  'insgesamt',
  'ergebnis',
  'somme',
  'ensemble',
  'totale',
  'totale complessivo',
  'totale generale',
  'subtotale',
  'somma',
  'suma',
  'suma total',
  'total general',
  'total geral',
  'soma',
  'totaal',
  'eindtotaal',
  'subtotaal',
  'summa',
  'totalt',
  'i alt',
  'yhteensä',
  'razem',
  'celkem',
  'összesen',
  'toplam',
  'итого',
  'всего',
  '合計',
  '总计',
  '合计',
  '小計',
  '小计',
  'average',
  'avg\\.?',
  'mean',
  'durchschnitt',
  'mittelwert',
  'moyenne',
  'media',
  'média',
  'promedio',
  'gemiddelde',
];

/** Two of them, as in `Total / Summe`, or one of them with a colon. */
const label = `(${words.join('|')})`;

const exactly = new RegExp(`^\\W*${label}(\\s*[/|]\\s*${label})?\\s*[:=.]?\\W*$`, 'iu');
const partly = new RegExp(`^${label}[\\s:]|[\\s:]${label}\\s*:?$`, 'iu');

/** Whether a cell is such a word, and nothing else. */
export const isLabel = (cell: string): boolean => cell !== '' && exactly.test(cell);

/** Whether a cell begins or ends with such a word, as in `Total West`. */
export const hasLabel = (cell: string): boolean => isLabel(cell) || partly.test(cell);

/** Words that are also names of things. */
const ambiguous =
  /^(sum|ensemble|ergebnis|media|média|mean|average|avg|moyenne|promedio|durchschnitt)/;

const totals = words.filter((word) => !ambiguous.test(word)).join('|');
const subtotals = words.filter((word) => /^(sub|zwischen|teil|sous|小)/.test(word));

/** The same as patterns of RE2 for lower-case texts. */
export const labelPatterns = {
  /** A label of a subtotal, perhaps with the name of a group. */
  subtotal: `(.* )?(${subtotals.join('|')})( .*)?:?`,
  /** A label of a total, perhaps with the name of a group. */
  any: `(${totals})([ :].*)?|.*[ :](${totals}):?`,
  /** A label and nothing else, which can also be a name. */
  only: `\\W*(${totals})\\W*`,
};
