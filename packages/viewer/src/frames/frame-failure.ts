import type { ServiceError } from 'page-kit/service-error';

/**
 * Why a frame shows no report, as the reason of a `report_failed`. `isolated`: the page around the
 * portal requires isolated frames, and this browser cannot isolate that of another product.
 */
export type FrameFailure = 'frame_failed' | 'frame_timeout' | 'isolated';

/** The cause for the host. Another attempt in the same page cannot show an isolated frame. */
export const findHostCause = ({ reason }: ServiceError) =>
  reason === ('isolated' satisfies FrameFailure) ? 'blocked_by_host' : 'report_failed';
