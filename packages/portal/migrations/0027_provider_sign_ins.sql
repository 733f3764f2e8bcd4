-- Oldest release: 0.1.0
-- Whether e-mails of the provider count as verified without a claim, and when somebody first signed in
-- with this issuer and client id. Passwords are refused only after that.
ALTER TABLE organization_oidc
  ADD COLUMN trust_emails boolean NOT NULL DEFAULT false,
  ADD COLUMN signed_in_at timestamptz;

-- Nobody is known yet when a sign-in is refused.
ALTER TABLE activity_entries
  DROP CONSTRAINT activity_entries_actor,
  ADD CONSTRAINT activity_entries_actor CHECK (
    num_nonnulls(api_key_id, operator, user_id) = 1
    OR refusal IS NOT NULL AND num_nonnulls(api_key_id, operator, user_id) = 0
  ) NOT VALID;
