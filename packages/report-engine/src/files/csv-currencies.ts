/** Currencies that a sign can stand for, the most frequent first. Other signs are codes. */
const signs: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'CAD', 'AUD', 'MXN', 'NZD', 'SGD', 'HKD'],
  US$: ['USD'],
  C$: ['CAD'],
  CA$: ['CAD'],
  A$: ['AUD'],
  AU$: ['AUD'],
  NZ$: ['NZD'],
  MX$: ['MXN'],
  HK$: ['HKD'],
  S$: ['SGD'],
  NT$: ['TWD'],
  R$: ['BRL'],
  '€': ['EUR'],
  Euro: ['EUR'],
  '£': ['GBP'],
  '¥': ['JPY', 'CNY'],
  '￥': ['JPY', 'CNY'],
  '₹': ['INR'],
  Rs: ['INR', 'PKR', 'LKR', 'NPR'],
  'Rs.': ['INR', 'PKR', 'LKR', 'NPR'],
  '₩': ['KRW'],
  '₽': ['RUB'],
  'руб.': ['RUB'],
  '₺': ['TRY'],
  TL: ['TRY'],
  '₴': ['UAH'],
  '₪': ['ILS'],
  '₫': ['VND'],
  '₦': ['NGN'],
  '₱': ['PHP'],
  '฿': ['THB'],
  '₡': ['CRC'],
  '₲': ['PYG'],
  '₵': ['GHS'],
  '₸': ['KZT'],
  '₼': ['AZN'],
  '₾': ['GEL'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  'kr.': ['SEK', 'NOK', 'DKK', 'ISK'],
  zł: ['PLN'],
  Kč: ['CZK'],
  Ft: ['HUF'],
  lei: ['RON', 'MDL'],
  'лв.': ['BGN'],
  'Fr.': ['CHF'],
  'SFr.': ['CHF'],
  RM: ['MYR'],
  Rp: ['IDR'],
};

const codes = new Set(Intl.supportedValuesOf('currency'));

const known = new Set(Object.values(signs).flat());

/** Whether a sign of its own stands for a currency. Other currencies may have any sign, such as `$`. */
export const hasOwnSign = (currency: string): boolean => known.has(currency);

/** The currencies that a sign or a code can stand for; `undefined` for another text. */
export function listCurrencies(sign: string): readonly string[] | undefined {
  if (codes.has(sign)) return [sign];
  return Object.hasOwn(signs, sign) ? signs[sign] : undefined;
}
