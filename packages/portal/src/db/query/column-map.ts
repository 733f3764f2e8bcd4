/** The fields of a resource by name, each with the column that has it. */
export type ColumnMap<Row> = Readonly<Record<string, keyof Row & string>>;

/** Fields in JSON. Moments are ISO 8601. */
export type PresentedFields<Row, Columns extends ColumnMap<Row>> = {
  -readonly [Field in keyof Columns]: Row[Columns[Field]] extends Date | null
    ? Exclude<Row[Columns[Field]], Date> | string
    : Row[Columns[Field]];
};

/** Returns the fields of a row in the order of the map. Dates become ISO 8601. */
export const presentColumns = <Row extends object, const Columns extends ColumnMap<Row>>(
  columns: Columns,
  row: Row,
): PresentedFields<Row, Columns> =>
  Object.fromEntries(
    Object.entries(columns).map(([field, column]) => {
      const value = row[column];
      return [field, value instanceof Date ? value.toISOString() : value];
    }),
  ) as PresentedFields<Row, Columns>;

/** Fields with the values that their columns store. */
export type FieldValues<Row, Columns extends ColumnMap<Row>> = {
  [Field in keyof Columns]?: Row[Columns[Field]] | undefined;
};

/** Returns the columns of the given fields. A field that is `undefined` is left out. */
export const toColumns = <const Columns extends Readonly<Record<string, string>>>(
  columns: Columns,
  fields: { readonly [Field in keyof Columns]?: unknown },
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(columns)
      .map(([field, column]) => [column, fields[field]] as const)
      .filter(([, value]) => value !== undefined),
  );
