import fs from 'node:fs';

/** The fields of `/proc/PID/stat` after the name of the process. */
const readFields = (pid: number | string): string[] =>
  fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');

/** Returns the user and system time of a process, which Linux counts in hundredths of a second. */
export function readCpuMs(pid: number): number {
  const fields = readFields(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * Returns the CPU time of a process and its children, also of those that have ended, in hundredths of
 * a second.
 */
export const readFamilyCpuMs = (pid: number): number =>
  [pid, ...listChildren(pid)]
    .map((each) => {
      const [user, system, ...ofChildren] = readFields(each).slice(11, 15).map(Number);
      return (user! + system! + (each === pid ? ofChildren[0]! + ofChildren[1]! : 0)) * 10;
    })
    .reduce((sum, ms) => sum + ms, 0);

/** Returns the CPU time of a process's threads that have not ended, which Linux counts exactly. */
export function readThreadsCpuMs(pid: number): number {
  const tasks = fs.readdirSync(`/proc/${pid}/task`);
  const times = tasks.map((task) =>
    Number(fs.readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1_000_000;
}

export const listChildren = (pid: number): number[] =>
  fs
    .readdirSync(`/proc/${pid}/task`)
    .flatMap((task) =>
      fs
        .readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    );

/** Counts the threads of a process that run or wait for a core. */
export const countRunnable = (pid: number): number =>
  fs.readdirSync(`/proc/${pid}/task`).filter((task) => readFields(`${pid}/task/${task}`)[0] === 'R')
    .length;
