/** Names the filters that did nothing, so that nobody reads the numbers as filtered. */
export function UnappliedFilters({ keys }: { keys: string[] }) {
  if (keys.length === 0) return null;
  return (
    <p className="hint" role="note">
      <strong>Not applied: {keys.join(', ')}.</strong> This report has no such column, so its
      numbers are not filtered by it.
    </p>
  );
}
