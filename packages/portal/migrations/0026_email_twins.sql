-- Oldest release: 0.1.0
-- Finds users whose addresses differ only in the form of sigma.
CREATE INDEX users_by_sigma ON users (organization_id, replace(email_key, 'ς', 'σ'))
  WHERE email_key ~ '[σς]';
