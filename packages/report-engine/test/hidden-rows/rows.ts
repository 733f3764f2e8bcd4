/** A row of the table `orders`, with its values as text. */
export interface Row {
  Owner: string;
  N: string;
  X: string;
  Shipped: string;
  Price: string;
}

const ownerOf = (index: number) => `o${String(index).padStart(4, '0')}@x.example`;

/** Rows whose owners have odd numbers. */
const goodRows = Array.from({ length: 1_000 }, (_, index): Row => {
  const number = 2 * index + 1;
  return {
    Owner: ownerOf(number),
    N: String(-number),
    X: String(number),
    Shipped: `2024-${String((index % 6) + 1).padStart(2, '0')}-03`,
    Price: String(number),
  };
});

/** Its owner lies between others. Each value makes a computation fail on at least one engine. */
const badRow: Row = {
  Owner: ownerOf(500),
  N: '-9223372036854775808',
  X: '1e200',
  Shipped: '2024-02-30',
  Price: `1${'0'.repeat(37)}`,
};

/** The rows of the tables `orders` and `clean`. The bad row is the only difference. */
export const tables = {
  orders: [...goodRows.slice(0, 300), badRow, ...goodRows.slice(300)],
  clean: goodRows,
};

export const readerEmail = ownerOf(501);

/** The owners of a list around the bad row's owner. */
export const listOwners = (length: number): string[] =>
  Array.from({ length }, (_, index) => ownerOf(501 + 2 * (index - Math.floor(length / 2))));

export const badOwner = badRow.Owner;

/** The rows of the table `managers`, which assigns owners to the reader. */
export const managers = listOwners(40).map((owner) => ({ email: readerEmail, owner }));
