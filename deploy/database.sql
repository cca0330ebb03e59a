-- Run once by the PostgreSQL image, when its volume is empty. Postern owns only its database, so
-- an attacker who takes over an instance cannot read files or run programs on the database's machine.

-- A statement that fails would be logged, and with it the password.
set log_min_error_statement = panic;

\getenv password POSTERN_PASSWORD
create role postern login nosuperuser nocreatedb nocreaterole noreplication password :'password';
create database postern owner postern;

-- The superuser signs in from within the container only: docker compose exec database psql -U postgres
alter role postgres password null;
