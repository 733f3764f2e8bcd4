/** Whether the connection to the address is encrypted or stays on this machine. */
export function isConfidential(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return (
    protocol === 'https:' || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  );
}
