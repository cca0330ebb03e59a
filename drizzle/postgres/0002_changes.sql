-- Tells every instance what it may no longer believe of what it has read. Triggers see every way
-- in which a session can end, a statement typed by hand included.
create function announce_ended_sessions() returns trigger language plpgsql as $$
begin
	-- What had expired is believed by nobody, and the daily task removes it by the thousand.
	perform pg_notify('postern_changes', 'session ' || id) from gone where expires_at > now();
	return null;
end $$;--> statement-breakpoint
create trigger announce_ended_sessions after delete on "session"
	referencing old table as gone for each statement execute function announce_ended_sessions();--> statement-breakpoint
create function announce_changed_account() returns trigger language plpgsql as $$
begin
	perform pg_notify('postern_changes', 'account ' || new.id);
	return null;
end $$;--> statement-breakpoint
create trigger announce_changed_account after update on "user" for each row
	when (old.* is distinct from new.*) execute function announce_changed_account();
