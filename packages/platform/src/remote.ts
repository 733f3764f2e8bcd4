/** The catalogue of a platform whose reports are made elsewhere. */
export interface RemoteSource {
  /**
   * Lists all reports that the organization's connection shows. Takes minutes for many workspaces.
   *
   * @throws an error whose message says what to do
   */
  list: (organizationId: string, signal: AbortSignal) => Promise<RemoteCatalogue>;
  /** Tells what works and what does not, with what to do. */
  check: (organizationId: string, signal: AbortSignal) => Promise<Finding[]>;
}

export interface RemoteCatalogue {
  reports: RemoteReport[];
  /** Those of the reports. */
  datasets: RemoteDataset[];
  /** Sentences about what is left out, with the reason. */
  notes: string[];
  /**
   * Why a part of the connection could not be read, and what to do. What is missing in the lists may then
   * still exist. `null` if all was read.
   */
  failure: string | null;
}

export interface RemoteReport {
  /** UUID, in lower case. The catalogue uses it, too. */
  id: string;
  /** 1 to 200 characters, without U+0000, as all names here. */
  name: string;
  workspace: { id: string; name: string };
  /** Id of its dataset. */
  dataset: string;
  /** In the platform's own shape. */
  source: unknown;
}

export interface RemoteDataset {
  /** UUID, in lower case. */
  id: string;
  name: string;
  /** Whether a reader needs a role to see rows. */
  rowAccess: 'everyone' | 'by-role';
  /** In the platform's own shape. */
  source: unknown;
}

/** A result of a check. */
export interface Finding {
  level: 'ok' | 'warning' | 'error';
  text: string;
}
