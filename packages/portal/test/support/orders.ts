/** Rows of `orders.csv`; by region: West 30, East 40. */
export const ordersCsv = `Region,Owner,Category,Ordered,Sales
West,west@acme.example,Chairs,2024-01-03,10
West,west@acme.example,Desks,2024-02-03,20
East,east@acme.example,Chairs,2024-01-09,15
East,EAST@acme.example,Desks,2024-03-01,25
`;
