/** Where a preview is computed: as which reader, and for which stored report. */
export interface PreviewSource {
  organizationId: string;
  reportId: string;
  /** Default: the author. */
  asUserId: string | undefined;
}
