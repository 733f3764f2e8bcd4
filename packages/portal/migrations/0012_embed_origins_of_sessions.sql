-- Oldest release: 0.1.0
-- Origin that embeds the page of the session. NULL: unknown, because the URL was opened by navigation.
ALTER TABLE portal_sessions ADD COLUMN embed_origin text COLLATE "C";
