-- Oldest release: 0.2.0
-- Font, radius, density and chart palette of an organization's pages; NULL for the usual ones. Release 0.2
-- shows the usual ones.
ALTER TABLE organizations ADD COLUMN look jsonb;
