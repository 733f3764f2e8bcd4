import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/**
 * Runs the files of a project one after another, in the order of the configuration. A worker can keep its modules for the next file only
 * if that belongs to the same project; else Vitest starts another process.
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
