import { Writable } from 'node:stream';

/** Collects the lines of a log. */
export function createLogCollector(): { log: string[]; destination: Writable } {
  const log: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  return { log, destination };
}
