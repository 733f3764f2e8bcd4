import type { CustomFilter } from '@portal-embed/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Json<Value extends object> = JSONColumnType<Value>;
type DefaultTime = ColumnType<Date, Date | undefined, Date>;

/**
 * Tables and views of `migrations/`, for Kysely's types. Raw SQL also uses others, such as
 * `report_access` and `session_openings`.
 */
export interface Schema {
  organizations: {
    id: string;
    slug: string;
    name: string;
    accent_color: string;
    unapplied_filters: ColumnType<'note' | 'refuse', 'note' | 'refuse' | undefined>;
    home_url: Generated<string | null>;
    time_zone: Generated<string>;
    language: Generated<string | null>;
    logo: Generated<Buffer | null>;
    logo_hash: Generated<string | null>;
    created_at: DefaultTime;
  };
  organization_addresses: { origin: string; organization_id: string };
  organization_embed_origins: { organization_id: string; origin: string };
  api_keys: {
    id: string;
    organization_id: string;
    name: string;
    key_hash: Buffer;
    permissions: string[];
    created_at: DefaultTime;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Generated<Date | null>;
    last_refused_at: Generated<Date | null>;
    replaced_by: Generated<string | null>;
    sessions_ended: Generated<boolean>;
  };
  report_marks: {
    organization_id: string;
    user_id: string;
    report_id: string;
    is_favorite: Generated<boolean>;
    opened_at: Date | null;
  };
  users: {
    organization_id: string;
    id: string;
    email: string;
    email_key: string;
    name: string;
    role: number;
    report_landing_page: string | null;
    department: Generated<string>;
    expiration_date: Date | null;
    directory_ad_user: string | null;
    can_edit_report: boolean;
    can_create_report: boolean;
    can_overwrite_report: boolean;
    created_at: DefaultTime;
  };
  groups: { organization_id: string; id: string; name: string };
  group_members: { organization_id: string; group_id: string; user_id: string };
  companies: { organization_id: string; id: string; name: string };
  company_users: { organization_id: string; company_id: string; user_id: string };
  workspaces: { organization_id: string; id: string; name: string };
  datasets: ContentColumns & {
    organization_id: string;
    id: string;
    name: string;
    /** Only release 0.2 reads it. */
    file: Generated<string>;
    /** In the shape of the platform of its reports. `null` only if archived. */
    source: ColumnType<object | null, string | undefined, string>;
    row_access: Generated<'by-role' | 'everyone'>;
  };
  reports: ContentColumns & {
    organization_id: string;
    id: string;
    name: string;
    description: string | null;
    dataset_id: string;
    workspace_id: string;
    platform: Generated<string>;
    report_type: number;
    /** In the shape of the platform. `null` only if archived. */
    source: ColumnType<object | null, string, string>;
  };
  content_versions: {
    organization_id: string;
    kind: 'dataset' | 'report';
    item_id: string;
    version: number;
    content: string;
    created_at: DefaultTime;
    author: Generated<string | null>;
    origin: Generated<'files' | 'pages' | null>;
  };
  workspace_contributors: { organization_id: string; workspace_id: string; user_id: string };
  dataset_workspaces: { organization_id: string; dataset_id: string; workspace_id: string };
  connection_grants: { organization_id: string; connection: string };
  report_users: { organization_id: string; report_id: string; user_id: string };
  report_groups: { organization_id: string; report_id: string; group_id: string };
  rls_roles: {
    organization_id: string;
    id: string;
    dataset_id: string;
    name: string;
    /** A predicate, or `all`. */
    predicate: ColumnType<unknown, string, string>;
  };
  rls_role_users: { organization_id: string; role_id: string; user_id: string };
  rls_role_groups: { organization_id: string; role_id: string; group_id: string };
  /** View: what each user may open, directly or through a group. */
  readable_reports: { organization_id: string; report_id: string; user_id: string };
  /** View: the roles each user has, directly or through a group. */
  held_rls_roles: { organization_id: string; role_id: string; user_id: string };
  identity_urls: Bindings & {
    token_hash: Buffer;
    created_at: DefaultTime;
    expires_at: Date;
    used_at: Date | null;
  };
  portal_sessions: Bindings & {
    bearer_hash: Buffer;
    embed_origin: string | null;
    created_at: DefaultTime;
    touched_at: DefaultTime;
  };
  operators: {
    id: string;
    email: string;
    email_key: string;
    name: string;
    created_at: DefaultTime;
  };
  admin_accounts: {
    id: Generated<string>;
    organization_id: string | null;
    user_id: string | null;
    operator_id: string | null;
    password_hash: string | null;
    created_at: DefaultTime;
  };
  admin_invitations: { account_id: string; token_hash: Buffer; expires_at: Date };
  organization_oidc: {
    organization_id: string;
    id: Generated<string>;
    issuer: string;
    client_id: string;
    passwords: boolean;
    trust_emails: Generated<boolean>;
    signed_in_at: Date | null;
  };
  admin_oidc_flows: {
    state_hash: Buffer;
    browser_hash: Buffer;
    provider_id: string;
    session_id: string | null;
    nonce: string;
    verifier: string;
    created_at: DefaultTime;
  };
  admin_sessions: {
    id: Generated<string>;
    token_hash: Buffer;
    account_id: string;
    user_agent: string;
    created_at: DefaultTime;
    touched_at: DefaultTime;
    authenticated_at: DefaultTime;
  };
  rate_limit_windows: {
    api_key_id: string;
    window_number: number;
    leased_before: number;
    leased: number;
  };
  audit_entries: {
    organization_id: string;
    id: Generated<string>;
    created_at: DefaultTime;
    user_id: string;
    user_email: string;
    user_email_key: string;
    report_id: string;
    report_name: string;
    action: number;
  };
  activity_entries: {
    organization_id: string;
    id: Generated<number>;
    created_at: DefaultTime;
    api_key_id: string | null;
    operator: string | null;
    user_id: string | null;
    user_email: string | null;
    action: string;
    subject: string;
    details: ColumnType<object | null, string | null, never>;
    refusal: string | null;
    merge_key: Buffer | null;
    count: Generated<number>;
    last_at: Generated<Date | null>;
  };
}

/** Columns of datasets and reports that content files define. Slug and content are `null` only if archived. */
interface ContentColumns {
  slug: Generated<string | null>;
  content: Generated<string | null>;
  version: Generated<number>;
  edited_at: Generated<Date | null>;
  archived_at: Generated<Date | null>;
}

/** What an identity URL is bound to, and the session that it opens. */
interface Bindings {
  organization_id: string;
  api_key_id: string | null;
  user_id: string;
  user_email: string;
  address: string;
  report_id: string | null;
  hide_menu: boolean;
  hide_navbar: boolean;
  hide_sidebar: boolean;
  custom_filters: Json<CustomFilter[]>;
  actor_session_id: Generated<string | null>;
  actor_id: Generated<string | null>;
  actor_email: Generated<string | null>;
}
