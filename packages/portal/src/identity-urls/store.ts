import { auditActions, type CustomFilter, type DisplayFlags } from '@portal-embed/contract';
import type { Look } from '@portal-embed/contract/frame';
import { sql, type Expression } from 'kysely';

import { selectReadable } from '../access/readable-reports.ts';
import {
  selectReportSource,
  toReportSource,
  type ReportSource,
  type ReportSourceRow,
} from '../access/report-source-store.ts';
import { isKeyLive } from '../api-keys/authenticate.ts';
import type { ReportRow } from '../catalogue/store.ts';
import type { Database } from '../db/connection/open.ts';
import { prepareStatement } from '../db/connection/prepared.ts';
import { emailKey } from '../db/query/filters.ts';
import { logoPath } from '../organizations/logo-path.ts';
import { hasFrames } from '../organizations/store.ts';
import { noMarks, selectMarks, type ReportMarks } from '../viewer-sessions/report-marks-store.ts';
import {
  copiedColumns,
  isActorSignedIn,
  isEmbedOrigin,
  isNotEndedWithKey,
  isOwnAddress,
  toSession,
  type Session,
  type SessionRow,
} from '../viewer-sessions/session.ts';

export interface NewIdentityUrl {
  tokenHash: Buffer;
  organizationId: string;
  /** Actor for the activity log: a key or an operator. */
  apiKeyId: string | undefined;
  operator: string | undefined;
  userEmail: string;
  /** A registered address of the organization, or the service's own. */
  address: string;
  /** Whether `address` is the service's own, which every organization may use. */
  ownAddress: boolean;
  reportId: string | undefined;
  flags: DisplayFlags;
  customFilters: readonly CustomFilter[];
}

/** Results of the checks. `expires_at` is set only if the URL was written. */
export interface MintOutcome {
  key_live: boolean;
  user_found: boolean;
  user_expired: boolean;
  address_known: boolean;
  report_readable: boolean;
  expires_at: Date | null;
}

/**
 * Writes the identity URL, its entry in the activity log and, for a single report, its entry in the
 * access log, all in one statement. Writes nothing unless every check of the outcome passes.
 */
export async function mint(db: Database, url: NewIdentityUrl): Promise<MintOutcome> {
  const { flags, reportId = null, ...rest } = url;
  const rows = await runMint(db, {
    ...rest,
    ...flags,
    reportId,
    emailKey: emailKey(url.userEmail),
    customFilters: JSON.stringify(url.customFilters),
    details: reportId && JSON.stringify({ reportId }),
  });
  return rows[0]!;
}

type MintValues = Omit<NewIdentityUrl, 'flags' | 'reportId' | 'customFilters'> &
  DisplayFlags & {
    reportId: string | null;
    emailKey: string;
    customFilters: string;
    details: string | null;
  };

const runMint = prepareStatement<MintValues, MintOutcome>(
  'mint',
  (value) => sql<MintOutcome>`
    WITH subject AS (
      SELECT id, expiration_date <= now() IS TRUE AS expired
      FROM users WHERE organization_id = ${value('organizationId')}
        AND email_key = ${value('emailKey')}
    ), report AS (
      SELECT reports.id, reports.name
      FROM reports JOIN readable_reports ON readable_reports.organization_id = reports.organization_id
        AND readable_reports.report_id = reports.id
      WHERE reports.organization_id = ${value('organizationId')} AND reports.id = ${value('reportId')}::uuid
        AND readable_reports.user_id = (SELECT id FROM subject)
    ), checked AS (
      SELECT
        ${isKeyLive(value('apiKeyId'))} AS key_live,
        EXISTS (SELECT FROM subject) AS user_found,
        EXISTS (SELECT FROM subject WHERE expired) AS user_expired,
        ${value('ownAddress')}::boolean OR EXISTS (
          SELECT FROM organization_addresses
          WHERE organization_id = ${value('organizationId')} AND origin = ${value('address')}
        ) AS address_known,
        ${value('reportId')}::uuid IS NULL OR EXISTS (SELECT FROM report) AS report_readable
    ), minted AS (
      INSERT INTO identity_urls (
        token_hash, organization_id, api_key_id, user_id, user_email, address, report_id,
        hide_menu, hide_navbar, hide_sidebar, custom_filters, expires_at
      )
      SELECT ${value('tokenHash')}::bytea, ${value('organizationId')}::uuid, ${value('apiKeyId')}::uuid,
        subject.id, ${value('userEmail')}, ${value('address')}, ${value('reportId')}::uuid,
        ${value('hideMenu')}::boolean, ${value('hideNavbar')}::boolean, ${value('hideSidebar')}::boolean,
        ${value('customFilters')}::jsonb, now() + interval '5 minutes'
      FROM subject, checked
      WHERE key_live AND NOT user_expired AND address_known AND report_readable
      RETURNING user_id, user_email, expires_at
    ), audited AS (
      INSERT INTO audit_entries (
        organization_id, user_id, user_email, user_email_key, report_id, report_name, action
      )
      SELECT ${value('organizationId')}::uuid, user_id, user_email, ${value('emailKey')},
        report.id, report.name, ${auditActions.tokenRequested}::smallint
      FROM minted, report
    ), recorded AS (
      INSERT INTO activity_entries (organization_id, api_key_id, operator, action, subject, details)
      SELECT ${value('organizationId')}::uuid, ${value('apiKeyId')}::uuid,
        ${value('operator')}, 'mintIdentityUrl', user_email,
        ${value('details')}::jsonb
      FROM minted
    )
    SELECT checked.*, (SELECT expires_at FROM minted) AS expires_at FROM checked`,
);

/** A new session with the data of its page. */
export interface OpenedSession {
  session: Session;
  organizationName: string;
  accentColor: string;
  /** Font, radius, density and palette of the pages; `null` for the usual ones. */
  look: Look | null;
  embedOrigins: string[];
  /** Address of the organization's application. */
  homeUrl: string | null;
  /** Path of the organization's logo. */
  logo: string | null;
  /** BCP 47 tag of the texts for readers whose languages have none; `null` for English. */
  language: string | null;
  /** Whether a report of the organization is of a platform that shows frames. */
  hasFrames: boolean;
  /** What the session's report is computed from; `null` if its opening is still to be recorded. */
  source: ReportSource | null;
  /** Id of the report with which the whole portal opens, if the user may open it. */
  landingPage: string | null;
  /** Reports that the session may open; at most one for a single-report session. */
  reports: ReportRow[];
  /** What the user marked. A single report shows no list of it. */
  marks: ReportMarks;
}

interface OpenedSessionRow extends SessionRow {
  report_landing_page: string | null;
  organization_name: string;
  home_url: string | null;
  logo_hash: string | null;
  language: string | null;
  accent_color: string;
  look: Look | null;
  embed_origins: string[];
  has_frames: boolean;
  source: ReportSourceRow | null;
  reports: ReportRow[];
  marks: ReportMarks | null;
}

/**
 * Spends the URL, opens its session and moves its filters there. The conditional UPDATE lets only one
 * of several simultaneous requests succeed, and checks the expiry by the database's clock.
 */
export async function redeem(
  db: Database,
  request: RedeemValues,
): Promise<OpenedSession | undefined> {
  const [row] = await runRedeem(db, request);
  return (
    row && {
      session: toSession(row, request.bearerHash),
      organizationName: row.organization_name,
      accentColor: row.accent_color,
      look: row.look,
      embedOrigins: row.embed_origins,
      homeUrl: row.home_url,
      logo: logoPath(row.organization_id, row.logo_hash),
      language: row.language,
      hasFrames: row.has_frames,
      source: row.source && toReportSource(row.source),
      landingPage: row.report_landing_page,
      reports: row.reports,
      marks: row.marks ?? noMarks,
    }
  );
}

const readableInSession = (db: Database) =>
  selectReadable(db, sql.ref('opened.organization_id'), sql.ref('opened.user_id'));

const sourceInSession = selectReportSource({
  organizationId: sql.ref('opened.organization_id'),
  userId: sql.ref('opened.user_id'),
  reportId: sql.ref('opened.report_id'),
});

const marksInSession = selectMarks({
  organizationId: sql.ref('opened.organization_id'),
  userId: sql.ref('opened.user_id'),
});

const asJson = (rows: Expression<unknown>) =>
  sql`(SELECT coalesce(json_agg(listed), '[]') FROM (${rows}) AS listed)`;

interface RedeemValues {
  tokenHash: Buffer;
  address: string;
  /** The origin that embeds the page, which must be registered; `null` for a navigation. */
  embedOrigin: string | null;
  bearerHash: Buffer;
  /** Names of the platforms that show frames. */
  framed: readonly string[];
}

const runRedeem = prepareStatement<RedeemValues, OpenedSessionRow>(
  'redeem',
  (value, db) => sql<OpenedSessionRow>`
    WITH redeemed AS (
      UPDATE identity_urls SET used_at = now(), custom_filters = '[]'
      -- The row before this update. A simultaneous opening fails the condition on used_at.
      FROM identity_urls AS unused
      WHERE unused.token_hash = identity_urls.token_hash
        AND identity_urls.token_hash = ${value('tokenHash')}
        AND identity_urls.address = ${value('address')}
        AND identity_urls.used_at IS NULL AND identity_urls.expires_at > now()
        AND ${isOwnAddress('identity_urls')}
        AND ${isNotEndedWithKey('identity_urls')}
        AND ${isActorSignedIn('identity_urls')}
        AND (${value('embedOrigin')}::text IS NULL OR ${isEmbedOrigin('identity_urls', value('embedOrigin'))})
        AND NOT EXISTS (
          SELECT FROM users WHERE users.organization_id = identity_urls.organization_id
            AND users.id = identity_urls.user_id AND expiration_date <= now()
        )
      RETURNING unused.*
    ), opened AS (
      INSERT INTO portal_sessions (bearer_hash, embed_origin, ${copiedColumns})
      SELECT ${value('bearerHash')}::bytea, ${value('embedOrigin')}::text, ${copiedColumns} FROM redeemed
      RETURNING ${copiedColumns}
    ), opening AS (
      -- The mint's entry of the access log counts unless access was granted again after it.
      INSERT INTO session_openings (bearer_hash, report_id)
      SELECT ${value('bearerHash')}::bytea, report_id FROM redeemed
      WHERE created_at >= (
        SELECT began_at FROM report_access
        WHERE report_access.organization_id = redeemed.organization_id
          AND report_access.user_id = redeemed.user_id
          AND report_access.report_id = redeemed.report_id
      )
      RETURNING report_id
    )
    SELECT opened.*, users.name AS user_name, report_landing_page, organizations.name AS organization_name, accent_color, look,
      home_url, logo_hash, organizations.language,
      ARRAY(
        SELECT origin FROM organization_embed_origins
        WHERE organization_id = opened.organization_id ORDER BY origin
      ) AS embed_origins,
      ${hasFrames(sql.ref('organizations.id'), value('framed'))} AS has_frames,
      CASE WHEN EXISTS (SELECT FROM opening)
        THEN (SELECT row_to_json(report) FROM (${sourceInSession}) AS report)
      END AS source,
      CASE WHEN opened.report_id IS NULL
        THEN ${asJson(readableInSession(db))}
        ELSE ${asJson(readableInSession(db).where('reports.id', '=', sql<string>`opened.report_id`))}
      END AS reports,
      CASE WHEN opened.report_id IS NULL
        THEN (SELECT row_to_json(marked) FROM (${marksInSession}) AS marked)
      END AS marks
    FROM opened
    JOIN organizations ON organizations.id = opened.organization_id
    JOIN users ON users.organization_id = opened.organization_id AND users.id = user_id`,
);

interface Refusal {
  reason: 'used' | 'expired' | 'origin';
  organizationId: string;
  /** Whether an administrator was to view the portal as the user. */
  isViewedAs: boolean;
}

/** Returns why a URL cannot be redeemed; `undefined` at an address other than its own. */
export async function findRefusal(
  db: Database,
  request: Pick<RedeemValues, 'tokenHash' | 'address' | 'embedOrigin'>,
): Promise<Refusal | undefined> {
  const { rows } = await sql<Refusal>`
    SELECT CASE
        WHEN used_at IS NOT NULL THEN 'used'
        WHEN ${request.embedOrigin}::text IS NOT NULL
          AND NOT ${isEmbedOrigin('identity_urls', sql`${request.embedOrigin}`)} THEN 'origin'
        ELSE 'expired'
      END AS reason,
      organization_id AS "organizationId", actor_id IS NOT NULL AS "isViewedAs"
    FROM identity_urls
    WHERE token_hash = ${request.tokenHash} AND address = ${request.address}
      AND ${isOwnAddress('identity_urls')}`.execute(db);
  return rows[0];
}
