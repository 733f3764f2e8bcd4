import { useSearchParams } from 'wouter';

// #region link
/** The report and the reader's view are in this page's URL, so Back, Forward and copied links restore them. */
export function useReportLink(firstReport: string | null) {
  const [params, setParams] = useSearchParams();
  return {
    reportId: (params.get('report') ?? firstReport) || null,
    view: params.get('view') ?? '',
    openReport: (reportId: string | null) => setParams({ report: reportId ?? '' }),
    keepView: (view: string) =>
      setParams((latest) => {
        if (view) latest.set('view', view);
        else latest.delete('view');
        return latest;
      }),
  };
}
// #endregion
