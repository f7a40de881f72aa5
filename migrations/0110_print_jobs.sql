-- Prints in the background are a list: a change of one invalidates its cached pages.
select watch_changes('print_job');
