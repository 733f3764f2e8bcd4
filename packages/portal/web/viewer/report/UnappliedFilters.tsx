/** Names the filters that were not applied. */
export function UnappliedFilters({ keys }: { keys: string[] }) {
  if (keys.length === 0) return null;
  return (
    <p className="hint" role="note">
      <strong>Not applied: {keys.join(', ')}.</strong> This report has no such column, so its
      numbers are not filtered by it.
    </p>
  );
}
