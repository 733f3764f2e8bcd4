// Generated from the migrations by dev/schema.ts. Do not edit.
/* oxlint-disable max-lines */
import type { CustomFilter } from '@portal-embed/contract';
import type { Look } from '@portal-embed/contract/frame';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** Tables and views of the database. Columns of a view are never `null`. */
export interface Schema {
  activity_entries: {
    organization_id: string;
    id: Generated<number>;
    created_at: Time;
    api_key_id: string | null;
    operator: string | null;
    action: string;
    subject: string;
    details: ColumnType<object | null, string | null, never>;
    refusal: string | null;
    merge_key: Buffer | null;
    count: Generated<number>;
    last_at: Date | null;
    user_id: string | null;
    user_email: string | null;
  };
  admin_accounts: {
    id: Generated<string>;
    organization_id: string | null;
    user_id: string | null;
    operator_id: string | null;
    password_hash: string | null;
    created_at: Time;
  };
  admin_invitations: {
    account_id: string;
    token_hash: Buffer;
    expires_at: Date;
  };
  admin_known_clients: {
    account_id: string;
    client_hash: Buffer;
    seen_at: Time;
  };
  admin_oidc_flows: {
    state_hash: Buffer;
    browser_hash: Buffer;
    provider_id: string;
    session_id: string | null;
    nonce: string;
    verifier: string;
    created_at: Time;
  };
  admin_sessions: {
    id: Generated<string>;
    token_hash: Buffer;
    account_id: string;
    user_agent: string;
    created_at: Time;
    touched_at: Time;
    authenticated_at: Time;
  };
  api_keys: {
    id: string;
    organization_id: string;
    name: string;
    key_hash: Buffer;
    permissions: string[];
    created_at: Time;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
    last_refused_at: Date | null;
    replaced_by: string | null;
    sessions_ended: Generated<boolean>;
  };
  audit_entries: {
    organization_id: string;
    id: Generated<string>;
    created_at: Time;
    user_id: string;
    user_email: string;
    user_email_key: string;
    report_id: string;
    report_name: string;
    action: number;
  };
  audit_hours: {
    organization_id: string;
    hour: Date;
    entries: number;
  };
  author_files: {
    organization_id: string;
    name: string;
    file: string;
    named_at: Time;
  };
  companies: {
    organization_id: string;
    id: string;
    name: string;
  };
  company_users: {
    organization_id: string;
    company_id: string;
    user_id: string;
  };
  connection_grants: {
    organization_id: string;
    connection: string;
  };
  content_versions: {
    organization_id: string;
    kind: 'dataset' | 'report';
    item_id: string;
    version: number;
    content: string;
    created_at: Time;
    author: string | null;
    origin: 'files' | 'pages' | null;
  };
  dataset_workspaces: {
    organization_id: string;
    dataset_id: string;
    workspace_id: string;
  };
  datasets: {
    organization_id: string;
    id: string;
    name: string;
    file: Generated<string>;
    slug: string | null;
    content: string | null;
    definition: unknown;
    files: string[] | null;
    columns: unknown;
    version: Generated<number>;
    edited_at: Date | null;
    archived_at: Date | null;
    row_access: Generated<'by-role' | 'everyone'>;
    source: ColumnType<object | null, string | undefined, string>;
    archived_by: string | null;
    archived_from: 'files' | 'pages' | 'product' | null;
  };
  file_chunks: {
    content_id: string;
    part: number;
    bytes: Buffer;
  };
  file_contents: {
    id: string;
    written_at: Time;
    is_removed: Generated<boolean>;
  };
  file_storage: {
    initial: 'folder' | 'database';
  };
  files: {
    organization_id: string;
    name: string;
    sha256: string;
    size: number;
    described: ColumnType<object | null, string | null, string | null>;
    content_id: string | null;
    last_used_at: Time;
  };
  group_members: {
    organization_id: string;
    group_id: string;
    user_id: string;
    granted_at: Time;
  };
  groups: {
    organization_id: string;
    id: string;
    name: string;
  };
  held_rls_roles: {
    organization_id: string;
    user_id: string;
    role_id: string;
  };
  identity_urls: {
    token_hash: Buffer;
    organization_id: string;
    user_id: string;
    user_email: string;
    address: string;
    report_id: string | null;
    hide_menu: boolean;
    hide_navbar: boolean;
    hide_sidebar: boolean;
    custom_filters: JSONColumnType<CustomFilter[]>;
    created_at: Time;
    expires_at: Date;
    used_at: Date | null;
    api_key_id: string | null;
    actor_session_id: string | null;
    actor_id: string | null;
    actor_email: string | null;
  };
  operators: {
    id: string;
    email: string;
    email_key: string;
    name: string;
    created_at: Time;
  };
  organization_addresses: {
    origin: string;
    organization_id: string;
  };
  organization_embed_origins: {
    organization_id: string;
    origin: string;
  };
  organization_oidc: {
    organization_id: string;
    id: Generated<string>;
    issuer: string;
    client_id: string;
    passwords: boolean;
    trust_emails: Generated<boolean>;
    signed_in_at: Date | null;
  };
  organizations: {
    id: string;
    slug: string;
    name: string;
    accent_color: string;
    created_at: Time;
    unapplied_filters: Generated<'note' | 'refuse'>;
    home_url: string | null;
    time_zone: Generated<string>;
    language: string | null;
    logo: Buffer | null;
    logo_hash: string | null;
    access_log_days: number | null;
    activity_log_days: number | null;
    look: ColumnType<Look | null, string | null | undefined, string | null>;
  };
  platform_connections: {
    organization_id: string;
    platform: string;
    settings: ColumnType<unknown, string, string>;
    connected_at: Time;
    sync_due_at: Time;
  };
  platform_runs: {
    organization_id: string;
    platform: string;
    id: Generated<number>;
    kind: 'sync' | 'check';
    requested_by: string | null;
    requested_at: Time;
    started_at: Date | null;
    ended_at: Date | null;
    failure: string | null;
    result: ColumnType<object | null, string | null | undefined, string | null>;
  };
  portal_sessions: {
    bearer_hash: Buffer;
    organization_id: string;
    user_id: string;
    user_email: string;
    address: string;
    report_id: string | null;
    hide_menu: boolean;
    hide_navbar: boolean;
    hide_sidebar: boolean;
    custom_filters: JSONColumnType<CustomFilter[]>;
    opened_reports: Generated<string[]>;
    created_at: Time;
    touched_at: Time;
    api_key_id: string | null;
    embed_origin: string | null;
    actor_session_id: string | null;
    actor_id: string | null;
    actor_email: string | null;
  };
  rate_limit_windows: {
    api_key_id: string;
    window_number: number;
    leased_before: number;
    leased: number;
  };
  readable_reports: {
    organization_id: string;
    user_id: string;
    report_id: string;
  };
  report_access: {
    organization_id: string;
    user_id: string;
    report_id: string;
    began_at: Date;
  };
  report_groups: {
    organization_id: string;
    report_id: string;
    group_id: string;
    granted_at: Time;
  };
  report_marks: {
    organization_id: string;
    user_id: string;
    report_id: string;
    is_favorite: Generated<boolean>;
    opened_at: Date | null;
  };
  report_names: {
    organization_id: string;
    report_id: string;
    name: string;
  };
  report_users: {
    organization_id: string;
    report_id: string;
    user_id: string;
    granted_at: Time;
  };
  reports: {
    organization_id: string;
    id: string;
    name: string;
    description: string | null;
    dataset_id: string;
    workspace_id: string;
    report_type: number;
    definition: unknown;
    platform: Generated<string>;
    slug: string | null;
    content: string | null;
    version: Generated<number>;
    edited_at: Date | null;
    archived_at: Date | null;
    source: ColumnType<object | null, string, string>;
    archived_by: string | null;
    archived_from: 'files' | 'pages' | 'product' | null;
  };
  rls_role_groups: {
    organization_id: string;
    role_id: string;
    group_id: string;
  };
  rls_role_users: {
    organization_id: string;
    role_id: string;
    user_id: string;
  };
  rls_roles: {
    organization_id: string;
    id: string;
    dataset_id: string;
    name: string;
    predicate: ColumnType<unknown, string, string>;
  };
  row_count_changes: {
    organization_id: string;
    list: string;
    hour: Date | null;
    change: number;
  };
  row_counts: {
    organization_id: string;
    list: string;
    total: number;
  };
  schema_migrations: {
    name: string;
    applied_at: Time;
    oldest_release: string | null;
  };
  session_openings: {
    bearer_hash: Buffer;
    report_id: string;
    opened_at: Time;
  };
  sign_in_attempts: {
    key: Buffer;
    attempts: number;
    expires_at: Date;
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
    created_at: Time;
    renewed_at: Time;
  };
  viewer_rate_limit_windows: {
    organization_id: string;
    user_id: string;
    window_number: number;
    leased_before: number;
    leased: number;
  };
  workspace_contributors: {
    organization_id: string;
    workspace_id: string;
    user_id: string;
  };
  workspaces: {
    organization_id: string;
    id: string;
    name: string;
  };
}

type Time = ColumnType<Date, Date | undefined, Date>;
