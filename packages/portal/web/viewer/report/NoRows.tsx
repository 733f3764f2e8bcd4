/** Shown instead of tiles when no row remains. */
export const NoRows = ({ isFiltered }: { isFiltered: boolean }) => (
  <div className="empty">
    <h2>No rows</h2>
    <p>
      {isFiltered
        ? 'The filters in force leave none of the rows that you may see.'
        : 'The report works, but none of its rows are shared with you. Ask your administrator for access.'}
    </p>
  </div>
);
