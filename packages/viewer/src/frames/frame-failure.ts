/**
 * Why a frame shows no report, as the reason of a `report_failed`. `isolated`: the page around the
 * portal requires isolated frames, and this browser cannot isolate that of another product.
 */
export type FrameFailure = 'frame_failed' | 'frame_timeout' | 'isolated';
