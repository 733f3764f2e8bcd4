/** Months from January 2023 to February 2024, most of them without rows. */
export const salesCsv = `Region,Category,Ordered,Sales,Profit,Customer
West,Chairs,2023-01-10,10,1,ann
West,Desks,2023-02-03,20,2,ann
East,Chairs,2023-02-20,40,-4,bob
East,Desks,2023-05-01,80,8,cy
North,Chairs,2024-01-15,160,16,cy
,Lamps,2024-02-10,320,32,dee
`;

export const salesDataset = {
  source: { file: 'sales.csv' },
  rowAccess: 'everyone' as const,
  time: 'Ordered',
  fields: [{ name: 'Large', expression: 'Sales >= 100' }],
  metrics: [
    { name: 'Sales', expression: 'sum(Sales)', format: 'integer' as const },
    { name: 'Average', expression: 'avg(Sales)' },
    { name: 'Customers', expression: 'count_distinct(Customer)' },
    { name: 'Margin', expression: 'sum(Profit) / sum(Sales)' },
    { name: 'Middle', expression: 'median(Sales)' },
  ],
  hierarchies: [{ name: 'Products', fields: ['Category', 'Customer'] }],
};

/** A request with one list of filters. */
export const filterBy = (key: string, ...values: string[]) => ({
  filters: [values.map((value) => ({ key, value }))],
});
