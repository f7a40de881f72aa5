-- The exact count of the list of this table.
select watch_changes('notification_user_setting');
