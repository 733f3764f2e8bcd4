-- Oldest release: 0.1.0
-- Earlier releases stored UTC where a definition names no time zone. Now the organization's applies.
UPDATE datasets SET definition = definition - 'timeZone'
WHERE definition ->> 'timeZone' = 'UTC' AND content NOT LIKE '%timeZone%';
