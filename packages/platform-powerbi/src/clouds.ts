/** Addresses of one of Microsoft's clouds. */
export interface Cloud {
  /** Origin of Microsoft Entra ID. */
  authority: string;
  /** What an access token of Power BI's REST API is asked for. */
  scope: string;
  /** Origin of the REST API. */
  api: string;
  /** Origins of pages that show reports. */
  pages: readonly string[];
}

/** The clouds in which a tenant can be. Source: Microsoft's pages on sovereign clouds. */
export const clouds = {
  commercial: {
    authority: 'https://login.microsoftonline.com',
    scope: 'https://analysis.windows.net/powerbi/api/.default',
    api: 'https://api.powerbi.com',
    pages: ['https://app.powerbi.com', 'https://app.fabric.microsoft.com'],
  },
  gcc: {
    authority: 'https://login.microsoftonline.com',
    scope: 'https://analysis.usgovcloudapi.net/powerbi/api/.default',
    api: 'https://api.powerbigov.us',
    pages: ['https://app.powerbigov.us'],
  },
  'gcc-high': {
    authority: 'https://login.microsoftonline.us',
    scope: 'https://high.analysis.usgovcloudapi.net/powerbi/api/.default',
    api: 'https://api.high.powerbigov.us',
    pages: ['https://app.high.powerbigov.us'],
  },
  dod: {
    authority: 'https://login.microsoftonline.us',
    scope: 'https://mil.analysis.usgovcloudapi.net/powerbi/api/.default',
    api: 'https://api.mil.powerbigov.us',
    pages: ['https://app.mil.powerbigov.us'],
  },
  china: {
    authority: 'https://login.chinacloudapi.cn',
    scope: 'https://analysis.chinacloudapi.cn/powerbi/api/.default',
    api: 'https://api.powerbi.cn',
    pages: ['https://app.powerbi.cn'],
  },
} as const satisfies Record<string, Cloud>;

export type CloudName = keyof typeof clouds;

export const cloudNames = Object.keys(clouds) as CloudName[];
