/** Shown instead of tiles when no row remains. */
export const NoRows = ({ isFiltered }: { isFiltered: boolean }) => (
  <div className="empty">
    <h2>No rows</h2>
    <p>
      {isFiltered
        ? 'No row that you may see matches the active filters. Change the filters, or contact your administrator.'
        : 'The report works, but none of its rows are shared with you. Ask your administrator for access.'}
    </p>
  </div>
);
