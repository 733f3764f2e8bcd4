const channelName = 'portal-confirmation';

/** Notifies the other windows of this browser that the user has authenticated again. */
export function announceConfirmation(): void {
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel.postMessage(null);
  channel.close();
}

/** Calls `listener` when the user has authenticated in another window. Returns a function that stops it. */
export function onConfirmation(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
