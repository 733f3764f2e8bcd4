-- Generated from the migrations by dev/schema.ts. Do not edit.

CREATE FUNCTION public.copy_dataset_source() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NEW.source IS NOT NULL AND NEW.slug IS NULL THEN
    RETURN NEW;
  ELSIF NEW.source IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.source IS DISTINCT FROM OLD.source) THEN
    NEW.definition := NEW.source -> 'definition';
    NEW.files := ARRAY(SELECT jsonb_array_elements_text(NEW.source -> 'files'));
    NEW.columns := NEW.source -> 'columns';
  ELSIF NEW.definition IS NOT NULL THEN
    NEW.source := jsonb_build_object(
      'definition', NEW.definition, 'files', NEW.files, 'columns', NEW.columns
    );
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION public.copy_report_source() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NEW.platform <> 'builtin' THEN
    RETURN NEW;
  ELSIF NEW.source IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.source IS DISTINCT FROM OLD.source) THEN
    NEW.definition := NEW.source;
  ELSE
    NEW.source := NEW.definition;
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION public.expire_log_entries(log text, limit_rows bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  expired bigint;
BEGIN
  PERFORM set_config('portal.pruned_log', log, true);
  CASE log
    WHEN 'audit_entries' THEN
      DELETE FROM audit_entries WHERE ctid = ANY (ARRAY(
        SELECT old.ctid FROM organizations CROSS JOIN LATERAL (
          SELECT ctid FROM audit_entries
          WHERE organization_id = organizations.id
            AND audit_entries.created_at < now() - make_interval(days => access_log_days)
          ORDER BY created_at LIMIT limit_rows
        ) AS old
        WHERE access_log_days IS NOT NULL LIMIT limit_rows
      ));
    WHEN 'activity_entries' THEN
      -- Ids grow with time, so only the first ones can be old enough.
      DELETE FROM activity_entries WHERE ctid = ANY (ARRAY(
        SELECT old.ctid FROM organizations CROSS JOIN LATERAL (
          SELECT ctid, created_at FROM activity_entries
          WHERE organization_id = organizations.id ORDER BY id LIMIT limit_rows
        ) AS old
        WHERE activity_log_days IS NOT NULL
          -- Otherwise each sweep would read the first entries of every organization.
          AND (
            SELECT created_at FROM activity_entries
            WHERE organization_id = organizations.id ORDER BY id LIMIT 1
          ) < now() - make_interval(days => activity_log_days)
          AND old.created_at < now() - make_interval(days => activity_log_days)
        LIMIT limit_rows
      ));
  END CASE;
  GET DIAGNOSTICS expired = ROW_COUNT;
  PERFORM set_config('portal.pruned_log', '', true);
  RETURN expired;
END $$;

CREATE FUNCTION public.expire_mint_entries(before timestamp with time zone, limit_rows bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  expired bigint;
BEGIN
  PERFORM set_config('portal.pruned_log', 'activity_entries', true);
  DELETE FROM activity_entries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM activity_entries
    WHERE action = 'mintIdentityUrl' AND refusal IS NULL AND created_at < before
    ORDER BY created_at LIMIT limit_rows FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS expired = ROW_COUNT;
  PERFORM set_config('portal.pruned_log', '', true);
  RETURN expired;
END $$;

CREATE FUNCTION public.keep_report_name() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO report_names (organization_id, report_id, name)
  VALUES (NEW.organization_id, NEW.id, NEW.name) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION public.note_renewal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.renewed_at := clock_timestamp();
  RETURN NEW;
END $$;

CREATE FUNCTION public.prune_log(log text, organization uuid, before timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  pruned bigint;
BEGIN
  PERFORM set_config('portal.pruned_log', log, true);
  CASE log
    WHEN 'audit_entries' THEN
      DELETE FROM audit_entries WHERE organization_id = organization AND created_at < before;
    WHEN 'activity_entries' THEN
      DELETE FROM activity_entries WHERE organization_id = organization AND created_at < before;
  END CASE;
  GET DIAGNOSTICS pruned = ROW_COUNT;
  PERFORM set_config('portal.pruned_log', '', true);
  RETURN pruned;
END $$;

CREATE FUNCTION public.record_archived_report() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO row_count_changes (organization_id, list, change)
  VALUES (NEW.organization_id, 'reports', CASE WHEN NEW.archived_at IS NULL THEN 1 ELSE -1 END);
  RETURN NULL;
END $$;

CREATE FUNCTION public.record_audit_count_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO row_count_changes (organization_id, list, hour, change)
  SELECT organization_id, TG_TABLE_NAME, date_trunc('hour', created_at, 'UTC'),
    CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY 1, 3;
  RETURN NULL;
END $$;

CREATE FUNCTION public.record_count_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO row_count_changes (organization_id, list, change)
  SELECT organization_id, TG_TABLE_NAME, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY organization_id;
  RETURN NULL;
END $$;

CREATE FUNCTION public.record_deleted_reports() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO row_count_changes (organization_id, list, change)
  SELECT organization_id, 'reports', -count(*) FROM changed
  WHERE archived_at IS NULL GROUP BY organization_id;
  RETURN NULL;
END $$;

CREATE FUNCTION public.refuse_log_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('portal.pruned_log', true) = TG_TABLE_NAME THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% on % is refused: the log is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Old entries are removed with `portal audit prune` or `portal activity prune`.';
END $$;

CREATE FUNCTION public.text_parts(organization uuid, value text, shortest integer) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT COST 1000 PARALLEL SAFE
    AS $$
DECLARE
  folded     text := lower(value);
  characters integer := length(folded);
  seed       bigint := uuid_hash_extended(organization, 0);
  parts      bigint[] := '{}';
BEGIN
  FOR size IN least(shortest, characters) .. 3 LOOP
    FOR start IN 1 .. characters - size + 1 LOOP
      parts := parts || hashtextextended(substr(folded, start, size), seed);
    END LOOP;
  END LOOP;
  RETURN parts;
END $$;

CREATE TABLE public.activity_entries (
    organization_id uuid NOT NULL,
    id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    api_key_id uuid,
    operator text,
    action text NOT NULL,
    subject text NOT NULL,
    details jsonb,
    refusal text,
    merge_key bytea,
    count integer DEFAULT 1 NOT NULL,
    last_at timestamp with time zone,
    user_id uuid,
    user_email text
);

ALTER TABLE public.activity_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.activity_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.admin_accounts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    organization_id uuid,
    user_id uuid,
    operator_id uuid,
    password_hash text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT admin_accounts_check CHECK (((user_id IS NULL) = (organization_id IS NULL))),
    CONSTRAINT admin_accounts_check1 CHECK (((user_id IS NULL) <> (operator_id IS NULL)))
);

CREATE TABLE public.admin_invitations (
    account_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.admin_known_clients (
    account_id uuid NOT NULL,
    client_hash bytea NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.admin_oidc_flows (
    state_hash bytea NOT NULL,
    browser_hash bytea NOT NULL,
    provider_id uuid NOT NULL,
    session_id uuid,
    nonce text NOT NULL,
    verifier text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.admin_sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_hash bytea NOT NULL,
    account_id uuid NOT NULL,
    user_agent text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    touched_at timestamp with time zone DEFAULT now() NOT NULL,
    authenticated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    key_hash bytea NOT NULL,
    permissions text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    last_refused_at timestamp with time zone,
    replaced_by uuid,
    sessions_ended boolean DEFAULT false NOT NULL
);

CREATE TABLE public.audit_entries (
    organization_id uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    user_id uuid NOT NULL,
    user_email text NOT NULL,
    user_email_key text NOT NULL COLLATE pg_catalog."C",
    report_id uuid NOT NULL,
    report_name text NOT NULL,
    action smallint NOT NULL
);

CREATE TABLE public.audit_hours (
    organization_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    entries bigint NOT NULL
);

CREATE TABLE public.author_files (
    organization_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    file text NOT NULL COLLATE pg_catalog."C",
    named_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.companies (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL
);

CREATE TABLE public.company_users (
    organization_id uuid NOT NULL,
    company_id uuid NOT NULL,
    user_id uuid NOT NULL
);

CREATE TABLE public.connection_grants (
    organization_id uuid NOT NULL,
    connection text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.content_versions (
    organization_id uuid NOT NULL,
    kind text NOT NULL,
    item_id uuid NOT NULL,
    version integer NOT NULL,
    content text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    author text,
    origin text,
    CONSTRAINT content_versions_kind_check CHECK ((kind = ANY (ARRAY['dataset'::text, 'report'::text]))),
    CONSTRAINT content_versions_origin_check CHECK ((origin = ANY (ARRAY['files'::text, 'pages'::text])))
);

CREATE TABLE public.dataset_workspaces (
    organization_id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

CREATE TABLE public.datasets (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    file text DEFAULT ''::text NOT NULL,
    slug text COLLATE pg_catalog."C",
    content text,
    definition jsonb,
    files text[],
    columns jsonb,
    version integer DEFAULT 0 NOT NULL,
    edited_at timestamp with time zone,
    archived_at timestamp with time zone,
    row_access text DEFAULT 'everyone'::text NOT NULL,
    source jsonb,
    archived_by text,
    archived_from text,
    CONSTRAINT datasets_archived_from_check CHECK ((archived_from = ANY (ARRAY['files'::text, 'pages'::text, 'product'::text]))),
    CONSTRAINT datasets_have_content CHECK (((archived_at IS NOT NULL) OR ((source IS NOT NULL) AND (num_nulls(slug, content, definition) = ANY (ARRAY[0, 3]))))),
    CONSTRAINT datasets_row_access_check CHECK ((row_access = ANY (ARRAY['by-role'::text, 'everyone'::text])))
);

CREATE TABLE public.file_chunks (
    content_id uuid NOT NULL,
    part integer NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY public.file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE public.file_contents (
    id uuid NOT NULL,
    written_at timestamp with time zone DEFAULT now() NOT NULL,
    is_removed boolean DEFAULT false NOT NULL
);

CREATE TABLE public.file_storage (
    initial text NOT NULL,
    CONSTRAINT file_storage_initial_check CHECK ((initial = ANY (ARRAY['folder'::text, 'database'::text])))
);

CREATE TABLE public.files (
    organization_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL,
    size bigint NOT NULL,
    described jsonb,
    content_id uuid,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT files_size_check CHECK ((size >= 0))
);

CREATE TABLE public.group_members (
    organization_id uuid NOT NULL,
    group_id uuid NOT NULL,
    user_id uuid NOT NULL,
    granted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.groups (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL
);

CREATE TABLE public.rls_role_groups (
    organization_id uuid NOT NULL,
    role_id uuid NOT NULL,
    group_id uuid NOT NULL
);

CREATE TABLE public.rls_role_users (
    organization_id uuid NOT NULL,
    role_id uuid NOT NULL,
    user_id uuid NOT NULL
);

CREATE VIEW public.held_rls_roles AS
 SELECT rls_role_users.organization_id,
    rls_role_users.user_id,
    rls_role_users.role_id
   FROM public.rls_role_users
UNION
 SELECT group_members.organization_id,
    group_members.user_id,
    rls_role_groups.role_id
   FROM (public.group_members
     JOIN public.rls_role_groups USING (organization_id, group_id));

CREATE TABLE public.identity_urls (
    token_hash bytea NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    user_email text NOT NULL,
    address text NOT NULL,
    report_id uuid,
    hide_menu boolean NOT NULL,
    hide_navbar boolean NOT NULL,
    hide_sidebar boolean NOT NULL,
    custom_filters jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    api_key_id uuid,
    actor_session_id uuid,
    actor_id uuid,
    actor_email text,
    CONSTRAINT identity_urls_check CHECK ((num_nulls(actor_session_id, actor_id, actor_email) = ANY (ARRAY[0, 3])))
);

CREATE TABLE public.operators (
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.organization_addresses (
    origin text NOT NULL,
    organization_id uuid NOT NULL
);

CREATE TABLE public.organization_embed_origins (
    organization_id uuid NOT NULL,
    origin text NOT NULL
);

CREATE TABLE public.organization_oidc (
    organization_id uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    passwords boolean NOT NULL,
    trust_emails boolean DEFAULT false NOT NULL,
    signed_in_at timestamp with time zone
);

CREATE TABLE public.organizations (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    accent_color text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    unapplied_filters text DEFAULT 'note'::text NOT NULL,
    home_url text,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    language text,
    logo bytea,
    logo_hash text,
    access_log_days integer,
    activity_log_days integer,
    look jsonb,
    CONSTRAINT organizations_accent_color_check CHECK ((accent_color ~ '^#[0-9a-f]{6}$'::text)),
    CONSTRAINT organizations_access_log_days_check CHECK ((access_log_days > 0)),
    CONSTRAINT organizations_activity_log_days_check CHECK ((activity_log_days > 0)),
    CONSTRAINT organizations_unapplied_filters_check CHECK ((unapplied_filters = ANY (ARRAY['note'::text, 'refuse'::text])))
);

CREATE TABLE public.platform_connections (
    organization_id uuid NOT NULL,
    platform text NOT NULL,
    settings jsonb NOT NULL,
    connected_at timestamp with time zone DEFAULT now() NOT NULL,
    sync_due_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.platform_runs (
    organization_id uuid NOT NULL,
    platform text NOT NULL,
    id bigint NOT NULL,
    kind text NOT NULL,
    requested_by text,
    requested_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    failure text,
    result jsonb,
    CONSTRAINT platform_runs_kind_check CHECK ((kind = ANY (ARRAY['sync'::text, 'check'::text])))
);

ALTER TABLE public.platform_runs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.platform_runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.portal_sessions (
    bearer_hash bytea NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    user_email text NOT NULL,
    address text NOT NULL,
    report_id uuid,
    hide_menu boolean NOT NULL,
    hide_navbar boolean NOT NULL,
    hide_sidebar boolean NOT NULL,
    custom_filters jsonb NOT NULL,
    opened_reports uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    touched_at timestamp with time zone DEFAULT now() NOT NULL,
    api_key_id uuid,
    embed_origin text COLLATE pg_catalog."C",
    actor_session_id uuid,
    actor_id uuid,
    actor_email text,
    CONSTRAINT portal_sessions_check CHECK ((num_nulls(actor_session_id, actor_id, actor_email) = ANY (ARRAY[0, 3])))
);

CREATE UNLOGGED TABLE public.rate_limit_windows (
    api_key_id uuid NOT NULL,
    window_number bigint NOT NULL,
    leased_before integer NOT NULL,
    leased integer NOT NULL
);

CREATE TABLE public.report_groups (
    organization_id uuid NOT NULL,
    report_id uuid NOT NULL,
    group_id uuid NOT NULL,
    granted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.report_users (
    organization_id uuid NOT NULL,
    report_id uuid NOT NULL,
    user_id uuid NOT NULL,
    granted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.reports (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    dataset_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    report_type smallint NOT NULL,
    definition jsonb,
    platform text DEFAULT 'builtin'::text NOT NULL,
    slug text COLLATE pg_catalog."C",
    content text,
    version integer DEFAULT 0 NOT NULL,
    edited_at timestamp with time zone,
    archived_at timestamp with time zone,
    source jsonb,
    archived_by text,
    archived_from text,
    CONSTRAINT reports_archived_from_check CHECK ((archived_from = ANY (ARRAY['files'::text, 'pages'::text, 'product'::text]))),
    CONSTRAINT reports_have_content CHECK (((archived_at IS NOT NULL) OR ((source IS NOT NULL) AND (num_nulls(slug, content, definition) =
CASE platform
    WHEN 'builtin'::text THEN 0
    ELSE 3
END))))
);

CREATE VIEW public.readable_reports AS
 SELECT organization_id,
    user_id,
    report_id
   FROM ( SELECT report_users.organization_id,
            report_users.user_id,
            report_users.report_id
           FROM public.report_users
        UNION
         SELECT group_members.organization_id,
            group_members.user_id,
            report_groups.report_id
           FROM (public.group_members
             JOIN public.report_groups USING (organization_id, group_id))) links
  WHERE (NOT (EXISTS ( SELECT
           FROM public.reports
          WHERE ((reports.organization_id = links.organization_id) AND (reports.id = links.report_id) AND (reports.archived_at IS NOT NULL)))));

CREATE TABLE public.users (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    role smallint NOT NULL,
    report_landing_page text,
    department text DEFAULT ''::text NOT NULL,
    expiration_date timestamp with time zone,
    directory_ad_user text,
    can_edit_report boolean NOT NULL,
    can_create_report boolean NOT NULL,
    can_overwrite_report boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    renewed_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT users_role_check CHECK (((role >= 1) AND (role <= 4)))
);

CREATE VIEW public.report_access AS
 SELECT links.organization_id,
    links.user_id,
    links.report_id,
    GREATEST(min(links.granted_at), readers.renewed_at) AS began_at
   FROM (( SELECT report_users.organization_id,
            report_users.user_id,
            report_users.report_id,
            report_users.granted_at
           FROM public.report_users
        UNION ALL
         SELECT group_members.organization_id,
            group_members.user_id,
            report_groups.report_id,
            GREATEST(group_members.granted_at, report_groups.granted_at) AS "greatest"
           FROM (public.group_members
             JOIN public.report_groups USING (organization_id, group_id))) links
     JOIN ( SELECT users.organization_id,
            users.id AS user_id,
            users.renewed_at
           FROM public.users) readers USING (organization_id, user_id))
  GROUP BY links.organization_id, links.user_id, links.report_id, readers.renewed_at;

CREATE TABLE public.report_marks (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    report_id uuid NOT NULL,
    is_favorite boolean DEFAULT false NOT NULL,
    opened_at timestamp with time zone
);

CREATE TABLE public.report_names (
    organization_id uuid NOT NULL,
    report_id uuid NOT NULL,
    name text NOT NULL
);

CREATE TABLE public.rls_roles (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    predicate jsonb NOT NULL,
    CONSTRAINT rls_roles_of_content CHECK (((jsonb_typeof(predicate) <> 'object'::text) OR (NOT (predicate ?| ARRAY['column'::text, 'all'::text, 'any'::text]))))
);

CREATE TABLE public.row_count_changes (
    organization_id uuid NOT NULL,
    list text NOT NULL,
    hour timestamp with time zone,
    change bigint NOT NULL
);

CREATE TABLE public.row_counts (
    organization_id uuid NOT NULL,
    list text NOT NULL,
    total bigint NOT NULL
);

CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    oldest_release text
);

CREATE TABLE public.session_openings (
    bearer_hash bytea NOT NULL,
    report_id uuid NOT NULL,
    opened_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.sign_in_attempts (
    key bytea NOT NULL,
    attempts integer NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE UNLOGGED TABLE public.viewer_rate_limit_windows (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    window_number bigint NOT NULL,
    leased_before integer NOT NULL,
    leased integer NOT NULL
);

CREATE TABLE public.workspace_contributors (
    organization_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL
);

CREATE TABLE public.workspaces (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL
);

ALTER TABLE public.activity_entries
    ADD CONSTRAINT activity_entries_actor CHECK (((num_nonnulls(api_key_id, operator, user_id) = 1) OR ((refusal IS NOT NULL) AND (num_nonnulls(api_key_id, operator, user_id) = 0)))) NOT VALID;

ALTER TABLE ONLY public.activity_entries
    ADD CONSTRAINT activity_entries_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.admin_accounts
    ADD CONSTRAINT admin_accounts_operator_id_key UNIQUE (operator_id);

ALTER TABLE ONLY public.admin_accounts
    ADD CONSTRAINT admin_accounts_organization_id_user_id_key UNIQUE (organization_id, user_id);

ALTER TABLE ONLY public.admin_accounts
    ADD CONSTRAINT admin_accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.admin_invitations
    ADD CONSTRAINT admin_invitations_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.admin_invitations
    ADD CONSTRAINT admin_invitations_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.admin_known_clients
    ADD CONSTRAINT admin_known_clients_pkey PRIMARY KEY (account_id, client_hash);

ALTER TABLE ONLY public.admin_oidc_flows
    ADD CONSTRAINT admin_oidc_flows_pkey PRIMARY KEY (state_hash);

ALTER TABLE ONLY public.admin_sessions
    ADD CONSTRAINT admin_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.admin_sessions
    ADD CONSTRAINT admin_sessions_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.audit_hours
    ADD CONSTRAINT audit_hours_pkey PRIMARY KEY (organization_id, hour);

ALTER TABLE ONLY public.author_files
    ADD CONSTRAINT author_files_pkey PRIMARY KEY (organization_id, name);

ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.company_users
    ADD CONSTRAINT company_users_pkey PRIMARY KEY (organization_id, user_id, company_id);

ALTER TABLE ONLY public.connection_grants
    ADD CONSTRAINT connection_grants_pkey PRIMARY KEY (organization_id, connection);

ALTER TABLE ONLY public.content_versions
    ADD CONSTRAINT content_versions_pkey PRIMARY KEY (organization_id, kind, item_id, version);

ALTER TABLE ONLY public.dataset_workspaces
    ADD CONSTRAINT dataset_workspaces_pkey PRIMARY KEY (organization_id, dataset_id, workspace_id);

ALTER TABLE ONLY public.datasets
    ADD CONSTRAINT datasets_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.file_chunks
    ADD CONSTRAINT file_chunks_pkey PRIMARY KEY (content_id, part);

ALTER TABLE ONLY public.file_contents
    ADD CONSTRAINT file_contents_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (organization_id, name);

ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_pkey PRIMARY KEY (organization_id, user_id, group_id);

ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.identity_urls
    ADD CONSTRAINT identity_urls_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_email_key_key UNIQUE (email_key);

ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organization_addresses
    ADD CONSTRAINT organization_addresses_pkey PRIMARY KEY (origin);

ALTER TABLE ONLY public.organization_embed_origins
    ADD CONSTRAINT organization_embed_origins_pkey PRIMARY KEY (organization_id, origin);

ALTER TABLE ONLY public.organization_oidc
    ADD CONSTRAINT organization_oidc_id_key UNIQUE (id);

ALTER TABLE ONLY public.organization_oidc
    ADD CONSTRAINT organization_oidc_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_slug_key UNIQUE (slug);

ALTER TABLE ONLY public.platform_connections
    ADD CONSTRAINT platform_connections_pkey PRIMARY KEY (organization_id, platform);

ALTER TABLE ONLY public.platform_runs
    ADD CONSTRAINT platform_runs_pkey PRIMARY KEY (organization_id, platform, id);

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_pkey PRIMARY KEY (bearer_hash);

ALTER TABLE ONLY public.rate_limit_windows
    ADD CONSTRAINT rate_limit_windows_pkey PRIMARY KEY (api_key_id);

ALTER TABLE ONLY public.report_groups
    ADD CONSTRAINT report_groups_pkey PRIMARY KEY (organization_id, group_id, report_id);

ALTER TABLE ONLY public.report_marks
    ADD CONSTRAINT report_marks_pkey PRIMARY KEY (organization_id, user_id, report_id);

ALTER TABLE ONLY public.report_names
    ADD CONSTRAINT report_names_pkey PRIMARY KEY (organization_id, report_id, name);

ALTER TABLE ONLY public.report_users
    ADD CONSTRAINT report_users_pkey PRIMARY KEY (organization_id, user_id, report_id);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.rls_role_groups
    ADD CONSTRAINT rls_role_groups_pkey PRIMARY KEY (organization_id, group_id, role_id);

ALTER TABLE ONLY public.rls_role_users
    ADD CONSTRAINT rls_role_users_pkey PRIMARY KEY (organization_id, user_id, role_id);

ALTER TABLE ONLY public.rls_roles
    ADD CONSTRAINT rls_roles_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.row_counts
    ADD CONSTRAINT row_counts_pkey PRIMARY KEY (organization_id, list);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.session_openings
    ADD CONSTRAINT session_openings_pkey PRIMARY KEY (bearer_hash, report_id);

ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.viewer_rate_limit_windows
    ADD CONSTRAINT viewer_rate_limit_windows_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY public.workspace_contributors
    ADD CONSTRAINT workspace_contributors_pkey PRIMARY KEY (organization_id, user_id, workspace_id);

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (organization_id, id);

CREATE INDEX activity_entries_beside_mints ON public.activity_entries USING btree (organization_id, id) WHERE (action <> 'mintIdentityUrl'::text);

CREATE INDEX activity_entries_by_action ON public.activity_entries USING btree (organization_id, action, id) WHERE (action <> 'mintIdentityUrl'::text);

CREATE UNIQUE INDEX activity_entries_by_merge_key ON public.activity_entries USING btree (organization_id, merge_key) WHERE (merge_key IS NOT NULL);

CREATE INDEX activity_entries_mints_by_time ON public.activity_entries USING btree (created_at) WHERE ((action = 'mintIdentityUrl'::text) AND (refusal IS NULL));

CREATE INDEX activity_entries_refused ON public.activity_entries USING btree (organization_id, created_at) WHERE (refusal IS NOT NULL);

CREATE INDEX activity_entries_refused_by_action ON public.activity_entries USING btree (organization_id, action, id) WHERE (refusal IS NOT NULL);

CREATE INDEX activity_entries_refused_by_id ON public.activity_entries USING btree (organization_id, id) WHERE (refusal IS NOT NULL);

CREATE INDEX admin_oidc_flows_by_creation ON public.admin_oidc_flows USING btree (created_at);

CREATE INDEX admin_oidc_flows_by_provider ON public.admin_oidc_flows USING btree (provider_id);

CREATE INDEX admin_oidc_flows_by_session ON public.admin_oidc_flows USING btree (session_id);

CREATE INDEX admin_sessions_by_account ON public.admin_sessions USING btree (account_id);

CREATE INDEX admin_sessions_by_touch ON public.admin_sessions USING btree (touched_at);

CREATE INDEX api_keys_by_organization ON public.api_keys USING btree (organization_id);

CREATE INDEX archived_datasets ON public.datasets USING btree (organization_id, id) WHERE (archived_at IS NOT NULL);

CREATE INDEX archived_reports ON public.reports USING btree (organization_id, id) WHERE (archived_at IS NOT NULL);

CREATE INDEX audit_entries_by_report ON public.audit_entries USING btree (organization_id, report_id, created_at DESC, id DESC);

CREATE INDEX audit_entries_by_time ON public.audit_entries USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX audit_entries_by_user ON public.audit_entries USING btree (organization_id, user_email_key, created_at DESC, id DESC);

CREATE INDEX audit_entries_exports ON public.audit_entries USING btree (organization_id, created_at DESC, id DESC) WHERE (action = 2);

CREATE INDEX audit_entries_viewed_as ON public.audit_entries USING btree (organization_id, created_at DESC, id DESC) WHERE (action = 3);

CREATE INDEX author_files_by_file ON public.author_files USING btree (organization_id, file);

CREATE UNIQUE INDEX companies_by_name ON public.companies USING btree (organization_id, name COLLATE "C");

CREATE INDEX company_users_by_company ON public.company_users USING btree (organization_id, company_id);

CREATE INDEX connection_grants_by_connection ON public.connection_grants USING btree (connection);

CREATE INDEX dataset_workspaces_by_workspace ON public.dataset_workspaces USING btree (organization_id, workspace_id);

CREATE UNIQUE INDEX datasets_by_slug ON public.datasets USING btree (organization_id, slug);

CREATE INDEX files_by_content ON public.files USING btree (content_id);

CREATE INDEX group_members_by_group ON public.group_members USING btree (organization_id, group_id);

CREATE UNIQUE INDEX groups_by_name ON public.groups USING btree (organization_id, name COLLATE "C");

CREATE INDEX identity_urls_by_actor ON public.identity_urls USING btree (actor_session_id) WHERE (actor_session_id IS NOT NULL);

CREATE INDEX identity_urls_by_expiry ON public.identity_urls USING btree (expires_at);

CREATE INDEX identity_urls_by_report ON public.identity_urls USING btree (organization_id, report_id);

CREATE INDEX identity_urls_by_user ON public.identity_urls USING btree (organization_id, user_id);

CREATE INDEX organization_addresses_by_organization ON public.organization_addresses USING btree (organization_id);

CREATE UNIQUE INDEX platform_runs_waiting ON public.platform_runs USING btree (organization_id, platform, kind) WHERE (started_at IS NULL);

CREATE INDEX portal_sessions_by_actor ON public.portal_sessions USING btree (actor_session_id) WHERE (actor_session_id IS NOT NULL);

CREATE INDEX portal_sessions_by_report ON public.portal_sessions USING btree (organization_id, report_id);

CREATE INDEX portal_sessions_by_touch ON public.portal_sessions USING btree (touched_at);

CREATE INDEX portal_sessions_by_user ON public.portal_sessions USING btree (organization_id, user_id);

CREATE INDEX report_groups_by_report ON public.report_groups USING btree (organization_id, report_id);

CREATE INDEX report_marks_by_report ON public.report_marks USING btree (organization_id, report_id);

CREATE INDEX report_names_by_parts ON public.report_names USING gin (public.text_parts(organization_id, name, 1)) WITH (gin_pending_list_limit='512');
ALTER INDEX public.report_names_by_parts ALTER COLUMN 1 SET STATISTICS 0;

CREATE INDEX report_users_by_report ON public.report_users USING btree (organization_id, report_id);

CREATE INDEX reports_by_dataset ON public.reports USING btree (organization_id, dataset_id);

CREATE INDEX reports_by_name ON public.reports USING btree (organization_id, name COLLATE "C", id);

CREATE INDEX reports_by_name_parts ON public.reports USING gin (public.text_parts(organization_id, name, 1)) WITH (gin_pending_list_limit='512');
ALTER INDEX public.reports_by_name_parts ALTER COLUMN 1 SET STATISTICS 0;

CREATE INDEX reports_by_platform ON public.reports USING btree (organization_id, platform);

CREATE UNIQUE INDEX reports_by_slug ON public.reports USING btree (organization_id, slug);

CREATE INDEX reports_by_workspace ON public.reports USING btree (organization_id, workspace_id);

CREATE INDEX rls_role_groups_by_role ON public.rls_role_groups USING btree (organization_id, role_id);

CREATE INDEX rls_role_users_by_role ON public.rls_role_users USING btree (organization_id, role_id);

CREATE UNIQUE INDEX rls_roles_by_name ON public.rls_roles USING btree (organization_id, dataset_id, name);

CREATE INDEX row_count_changes_by_list ON public.row_count_changes USING btree (organization_id, list);

CREATE INDEX sign_in_attempts_by_expiry ON public.sign_in_attempts USING btree (expires_at);

CREATE UNIQUE INDEX users_by_email ON public.users USING btree (organization_id, email_key) INCLUDE (id);

CREATE INDEX users_by_email_parts ON public.users USING gin (public.text_parts(organization_id, email, 1)) WITH (gin_pending_list_limit='512');
ALTER INDEX public.users_by_email_parts ALTER COLUMN 1 SET STATISTICS 0;

CREATE INDEX users_by_expiry ON public.users USING btree (organization_id, expiration_date) WHERE (expiration_date IS NOT NULL);

CREATE INDEX users_by_name_parts ON public.users USING gin (public.text_parts(organization_id, name, 1)) WITH (gin_pending_list_limit='512');
ALTER INDEX public.users_by_name_parts ALTER COLUMN 1 SET STATISTICS 0;

CREATE INDEX users_by_role ON public.users USING btree (organization_id, role, email_key);

CREATE INDEX users_by_sigma ON public.users USING btree (organization_id, replace(email_key, 'ς'::text, 'σ'::text)) WHERE (email_key ~ '[σς]'::text);

CREATE UNIQUE INDEX users_by_subject ON public.users USING btree (organization_id, directory_ad_user COLLATE "C") WHERE (directory_ad_user IS NOT NULL);

CREATE INDEX workspace_contributors_by_workspace ON public.workspace_contributors USING btree (organization_id, workspace_id);

CREATE TRIGGER append_only BEFORE DELETE ON public.activity_entries FOR EACH ROW EXECUTE FUNCTION public.refuse_log_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION public.refuse_log_change();

CREATE TRIGGER append_only_update BEFORE UPDATE ON public.activity_entries FOR EACH ROW WHEN (((old.merge_key IS NULL) OR (new.count <> (old.count + 1)) OR ((new.last_at >= COALESCE(old.last_at, old.created_at)) IS NOT TRUE) OR ((to_jsonb(old.*) - '{count,last_at}'::text[]) <> (to_jsonb(new.*) - '{count,last_at}'::text[])))) EXECUTE FUNCTION public.refuse_log_change();

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.activity_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_log_change();

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_log_change();

CREATE TRIGGER copy_source BEFORE INSERT OR UPDATE OF source, definition, files, columns ON public.datasets FOR EACH ROW EXECUTE FUNCTION public.copy_dataset_source();

CREATE TRIGGER copy_source BEFORE INSERT OR UPDATE OF source, definition ON public.reports FOR EACH ROW EXECUTE FUNCTION public.copy_report_source();

CREATE TRIGGER count_archived AFTER UPDATE OF archived_at ON public.reports FOR EACH ROW WHEN (((old.archived_at IS NULL) <> (new.archived_at IS NULL))) EXECUTE FUNCTION public.record_archived_report();

CREATE TRIGGER count_deleted AFTER DELETE ON public.audit_entries REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.record_audit_count_change();

CREATE TRIGGER count_deleted AFTER DELETE ON public.reports REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.record_deleted_reports();

CREATE TRIGGER count_deleted AFTER DELETE ON public.rls_roles REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.record_count_change();

CREATE TRIGGER count_deleted AFTER DELETE ON public.users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.record_count_change();

CREATE TRIGGER count_inserted AFTER INSERT ON public.audit_entries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.record_audit_count_change();

CREATE TRIGGER count_inserted AFTER INSERT ON public.reports REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.record_count_change();

CREATE TRIGGER count_inserted AFTER INSERT ON public.rls_roles REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.record_count_change();

CREATE TRIGGER count_inserted AFTER INSERT ON public.users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.record_count_change();

CREATE TRIGGER keep_name AFTER INSERT OR UPDATE OF name ON public.reports FOR EACH ROW EXECUTE FUNCTION public.keep_report_name();

CREATE TRIGGER note_renewal BEFORE UPDATE OF expiration_date ON public.users FOR EACH ROW WHEN (((old.expiration_date <= now()) AND ((new.expiration_date > now()) IS NOT FALSE))) EXECUTE FUNCTION public.note_renewal();

ALTER TABLE ONLY public.admin_accounts
    ADD CONSTRAINT admin_accounts_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.admin_accounts
    ADD CONSTRAINT admin_accounts_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.admin_invitations
    ADD CONSTRAINT admin_invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.admin_accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.admin_known_clients
    ADD CONSTRAINT admin_known_clients_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.admin_accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.admin_oidc_flows
    ADD CONSTRAINT admin_oidc_flows_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES public.organization_oidc(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.admin_oidc_flows
    ADD CONSTRAINT admin_oidc_flows_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.admin_sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.admin_sessions
    ADD CONSTRAINT admin_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.admin_accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.audit_hours
    ADD CONSTRAINT audit_hours_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.author_files
    ADD CONSTRAINT author_files_organization_id_file_fkey FOREIGN KEY (organization_id, file) REFERENCES public.files(organization_id, name) ON DELETE CASCADE;

ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.company_users
    ADD CONSTRAINT company_users_organization_id_company_id_fkey FOREIGN KEY (organization_id, company_id) REFERENCES public.companies(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.company_users
    ADD CONSTRAINT company_users_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connection_grants
    ADD CONSTRAINT connection_grants_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.content_versions
    ADD CONSTRAINT content_versions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.dataset_workspaces
    ADD CONSTRAINT dataset_workspaces_organization_id_dataset_id_fkey FOREIGN KEY (organization_id, dataset_id) REFERENCES public.datasets(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.dataset_workspaces
    ADD CONSTRAINT dataset_workspaces_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES public.workspaces(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.datasets
    ADD CONSTRAINT datasets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_content_id_fkey FOREIGN KEY (content_id) REFERENCES public.file_contents(id);

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES public.groups(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.identity_urls
    ADD CONSTRAINT identity_urls_actor_session_id_fkey FOREIGN KEY (actor_session_id) REFERENCES public.admin_sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.identity_urls
    ADD CONSTRAINT identity_urls_organization_id_report_id_fkey FOREIGN KEY (organization_id, report_id) REFERENCES public.reports(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.identity_urls
    ADD CONSTRAINT identity_urls_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.organization_addresses
    ADD CONSTRAINT organization_addresses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.organization_embed_origins
    ADD CONSTRAINT organization_embed_origins_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.organization_oidc
    ADD CONSTRAINT organization_oidc_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.platform_connections
    ADD CONSTRAINT platform_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.platform_runs
    ADD CONSTRAINT platform_runs_organization_id_platform_fkey FOREIGN KEY (organization_id, platform) REFERENCES public.platform_connections(organization_id, platform) ON DELETE CASCADE;

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_actor_session_id_fkey FOREIGN KEY (actor_session_id) REFERENCES public.admin_sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_organization_id_report_id_fkey FOREIGN KEY (organization_id, report_id) REFERENCES public.reports(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.rate_limit_windows
    ADD CONSTRAINT rate_limit_windows_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.report_groups
    ADD CONSTRAINT report_groups_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES public.groups(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.report_groups
    ADD CONSTRAINT report_groups_organization_id_report_id_fkey FOREIGN KEY (organization_id, report_id) REFERENCES public.reports(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.report_marks
    ADD CONSTRAINT report_marks_organization_id_report_id_fkey FOREIGN KEY (organization_id, report_id) REFERENCES public.reports(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.report_marks
    ADD CONSTRAINT report_marks_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.report_names
    ADD CONSTRAINT report_names_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.report_users
    ADD CONSTRAINT report_users_organization_id_report_id_fkey FOREIGN KEY (organization_id, report_id) REFERENCES public.reports(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.report_users
    ADD CONSTRAINT report_users_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_organization_id_dataset_id_fkey FOREIGN KEY (organization_id, dataset_id) REFERENCES public.datasets(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES public.workspaces(organization_id, id);

ALTER TABLE ONLY public.rls_role_groups
    ADD CONSTRAINT rls_role_groups_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES public.groups(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.rls_role_groups
    ADD CONSTRAINT rls_role_groups_organization_id_role_id_fkey FOREIGN KEY (organization_id, role_id) REFERENCES public.rls_roles(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.rls_role_users
    ADD CONSTRAINT rls_role_users_organization_id_role_id_fkey FOREIGN KEY (organization_id, role_id) REFERENCES public.rls_roles(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.rls_role_users
    ADD CONSTRAINT rls_role_users_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.rls_roles
    ADD CONSTRAINT rls_roles_organization_id_dataset_id_fkey FOREIGN KEY (organization_id, dataset_id) REFERENCES public.datasets(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.row_counts
    ADD CONSTRAINT row_counts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.session_openings
    ADD CONSTRAINT session_openings_bearer_hash_fkey FOREIGN KEY (bearer_hash) REFERENCES public.portal_sessions(bearer_hash) ON DELETE CASCADE;

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.viewer_rate_limit_windows
    ADD CONSTRAINT viewer_rate_limit_windows_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.workspace_contributors
    ADD CONSTRAINT workspace_contributors_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.users(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.workspace_contributors
    ADD CONSTRAINT workspace_contributors_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES public.workspaces(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
