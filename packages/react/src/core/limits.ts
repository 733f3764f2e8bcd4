/** Time limit of the request and of the frame, each. */
export const defaultTimeoutMs = 30_000;

/** Requests to the host endpoint at a time, from all embeds of the page. */
export const maxConcurrentRequests = 4;
/** After an aborted request, the next ones wait, because a burst of remounts would abort them too. */
export const burstWindowMs = 250;
export const burstPauseMs = 150;

export const maxRetries = 3;
/** A load with this `Retry-After` or a longer one fails at once. */
export const maxRetryAfterSeconds = 60;
/** A report that is visible this long gets a new retry budget. */
export const stableAfterMs = 10_000;

/** After this time without `boot`, the portal is probed. */
export const bootTimeoutMs = 1_000;
/** Reports of a blocked frame or probe arrive within this time. */
export const reportGraceMs = 100;

/** Browsers fire a longer `setTimeout` at once. */
export const maxTimerMs = 2e9;
