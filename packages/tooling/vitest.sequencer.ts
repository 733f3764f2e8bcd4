import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/**
 * Runs the files of a project one after another, in the order of the configuration. A worker can keep
 * its modules only for a file of the same project. For another project, Vitest starts a new process.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sortBySpeed = super.sort.bind(this);
    const sorted = await sortBySpeed(files);
    return this.ctx.projects.flatMap((project) =>
      sorted.filter((file) => file.project === project),
    );
  }
}
