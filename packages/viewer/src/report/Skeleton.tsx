/** Placeholder while the tiles are computed. */
export const Skeleton = () => (
  <>
    <div className="tiles">
      <div className="tile tile-kpi skeleton" />
    </div>
    <div className="tiles">
      <div className="tile skeleton skeleton-chart" />
      <div className="tile skeleton skeleton-chart" />
    </div>
  </>
);
