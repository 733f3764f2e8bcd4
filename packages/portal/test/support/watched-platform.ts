import type {
  ComputedReport,
  ExportedTile,
  ExportRequest,
  OpenOptions,
  PageRequest,
  Reading,
  ReportPlatform,
} from '#platform';

type TilesRequest = Reading & OpenOptions & PageRequest;

/** The computations of a platform, which tests can watch and replace. */
export interface WatchedTiles {
  compute: (request: TilesRequest) => Promise<ComputedReport>;
  export: (request: TilesRequest & ExportRequest) => Promise<ExportedTile>;
}

/** Wraps a platform of tiles so that each computation calls a method of `tiles`. */
export function watchPlatform(platform: ReportPlatform): {
  platform: ReportPlatform;
  tiles: WatchedTiles;
} {
  const open = async (request: Reading & OpenOptions) => {
    const opened = await platform.open(request, request);
    if (opened.kind === 'tiles') return opened;
    throw new Error(`The report is ${opened.kind}.`);
  };
  const tiles: WatchedTiles = {
    compute: async (request) => (await open(request)).page(request),
    export: async (request) => (await open(request)).export!(request),
  };
  return {
    tiles,
    platform: {
      ...platform,
      open: async (reading, options) => ({
        kind: 'tiles',
        page: (request) => tiles.compute({ ...reading, ...options, ...request }),
        values: async (request) => (await open({ ...reading, ...options })).values!(request),
        export: (request) => tiles.export({ ...reading, ...options, ...request }),
      }),
    },
  };
}
