-- Oldest release: 0.1.0
-- SHA-256 of the logo in hexadecimal, part of its address. NULL: there is no logo.
ALTER TABLE organizations ADD COLUMN logo_hash text;
