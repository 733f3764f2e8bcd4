-- Oldest release: 0.1.0
-- The platform that computes a report.
ALTER TABLE reports ADD COLUMN platform text NOT NULL DEFAULT 'builtin';
