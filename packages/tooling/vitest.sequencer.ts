import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/**
 * Runs one project after another, in the order of the configuration, so that the files of a project
 * share a worker and its modules. Vitest starts a new process for the next project.
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
