-- The exact counts of the lists of these tables.
select watch_changes('email_address'), watch_changes('social_account'), watch_changes('user_session'), watch_changes('security_event'),
  watch_changes('api_token');
--> statement-breakpoint
-- What the service remembers of an account holds its session and whether it has a second factor.
create trigger notify_account_of_row_delete after delete on user_session
  for each row execute function notify_account_of_row();
--> statement-breakpoint
create trigger notify_account_of_row_update after update of "user", id_hash, expires, second_factor on user_session
  for each row execute function notify_account_of_row();
--> statement-breakpoint
create trigger notify_account_of_row after insert or delete or update of "user", confirmed on second_factor
  for each row execute function notify_account_of_row();
--> statement-breakpoint
-- How often something was tried lately, for every node alike. It may be lost with the server: then counting begins anew.
create unlogged table throttle (
  key varchar(255) collate "C" primary key,
  points integer not null default 0,
  expire bigint
);
