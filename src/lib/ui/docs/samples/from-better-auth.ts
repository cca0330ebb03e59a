/** Runs on Postern's database file, with better-auth's attached. A test runs it. */
export const sqliteMove = `ATTACH 'better-auth.db' AS old;
BEGIN IMMEDIATE;

WITH person AS (
  SELECT
    CASE
      WHEN id LIKE '________-____-____-____-____________'
        AND length(replace(id, '-', '')) = 32
        AND lower(replace(id, '-', '')) NOT GLOB '*[^0-9a-f]*'
      THEN lower(id)
      ELSE lower(
        hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) ||
        '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
      )
    END AS id,
    lower(trim(email)) AS email,
    substr(coalesce(name, ''), 1, 200) AS name,
    image,
    CASE
      WHEN typeof(createdAt) = 'text'
      THEN CAST(round((julianday(createdAt) - 2440587.5) * 86400000) AS INTEGER)
      WHEN createdAt < 100000000000 THEN createdAt * 1000
      ELSE createdAt
    END AS created_at
  FROM old.user
  WHERE emailVerified AND email NOT GLOB '*[^ -~]*'
)
INSERT INTO main.user (id, email, email_verified, name, image, created_at, updated_at)
SELECT id, email, 1, name, image, created_at, CAST(unixepoch() AS INTEGER) * 1000
FROM person
WHERE true
ORDER BY created_at
ON CONFLICT DO NOTHING;

INSERT INTO user_data (user_id) SELECT id FROM main.user WHERE true ON CONFLICT DO NOTHING;

CREATE TABLE moved_user AS
SELECT before.id AS old_id, now.id AS new_id
FROM old.user AS before
JOIN main.user AS now ON now.email = lower(trim(before.email))
WHERE before.emailVerified;

COMMIT;
`;

/** Moves better-auth's tables to their own schema, because Postern uses the same table names. */
export const postgresAside = `CREATE SCHEMA better_auth;
ALTER TABLE "user" SET SCHEMA better_auth;
ALTER TABLE "session" SET SCHEMA better_auth;
ALTER TABLE "account" SET SCHEMA better_auth;
ALTER TABLE "verification" SET SCHEMA better_auth;
`;

/** Runs on the database with both schemas, after Postern has created its tables. A test runs it. */
export const postgresMove = `BEGIN;
SET LOCAL TIME ZONE 'UTC';

INSERT INTO public."user" (id, email, email_verified, name, image, created_at, updated_at)
SELECT
  CASE
    WHEN id::text ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' THEN id::text::uuid
    ELSE gen_random_uuid()
  END,
  lower(trim(email)),
  true,
  left(coalesce(name, ''), 200),
  image,
  "createdAt",
  now()
FROM better_auth."user"
WHERE "emailVerified" AND email ~ '^[ -~]+$'
ORDER BY "createdAt"
ON CONFLICT DO NOTHING;

INSERT INTO public.user_data (user_id) SELECT id FROM public."user" ON CONFLICT DO NOTHING;

CREATE TABLE moved_user AS
SELECT before.id AS old_id, now.id AS new_id
FROM better_auth."user" AS before
JOIN public."user" AS now ON now.email = lower(trim(before.email))
WHERE before."emailVerified";

COMMIT;
`;

export const follow = `UPDATE note SET user_id = (SELECT new_id FROM moved_user WHERE old_id = note.user_id);`;

export const leftOut = `SELECT id, email FROM better_auth."user"
WHERE id NOT IN (SELECT old_id FROM moved_user);`;
