import type { QueryUsage, ReportPlatform } from '#platform';

/** The platforms that draw the reports of this portal. */
export class Platforms {
  readonly list: readonly ReportPlatform[];

  constructor(list: readonly ReportPlatform[]) {
    this.list = list;
  }

  /** Returns the platform with the name that the catalogue stores; `undefined` if it is not set up. */
  find(name: string): ReportPlatform | undefined {
    return this.list.find((platform) => platform.name === name);
  }

  /** The platform whose reports authors write. */
  get authored(): ReportPlatform {
    return this.list.find(({ authored }) => authored)!;
  }

  /**
   * Label of a platform whose reports are not written here, or its name if it is not set up; `null` for
   * the one whose reports are.
   */
  productOf(name: string): string | null {
    const platform = this.find(name);
    return platform?.authored ? null : (platform?.label ?? name);
  }

  /** The platforms that show frames. */
  get framed(): ReportPlatform[] {
    return this.list.filter(({ frames }) => frames !== undefined);
  }

  usage(): QueryUsage {
    const sum = (state: keyof QueryUsage) =>
      this.list.reduce((total, platform) => total + (platform.usage?.()[state] ?? 0), 0);
    return { running: sum('running'), waiting: sum('waiting') };
  }

  async close(): Promise<void> {
    await Promise.all(this.list.map((platform) => platform.close()));
  }
}
