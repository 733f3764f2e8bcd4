/** Stands where the page stood: nothing of the report stays in view. */
export const SessionEnded = () => (
  <main className="notice">
    <h1>Your session has ended</h1>
    <p>Reload the page that shows your reports to open them again.</p>
  </main>
);
