import { startPostgres } from 'testing';
import type { TestProject } from 'vitest/node';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startPostgres();
  project.provide('testDatabase', { kind: 'postgres', url: cluster.url('postgres') });
  return () => cluster.stop();
}
